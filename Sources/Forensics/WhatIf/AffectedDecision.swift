import EventSourcing

/// A decision of the real history that was made on state that is another one in the imagined history.
public struct AffectedDecision<Domain: RedecidingDomain>: Sendable {
  /// How this is known, from certain to possible.
  public enum Basis: Equatable, Sendable {
    /// The command is known: it was decided again on the other state, and the rules decide otherwise. Exact.
    case redecided(Outcome)
    /// The command is not known, but the events change the state otherwise than they did. Exact as far as the state goes.
    case refolded
    /// The command is not known, and parts of the state that bear the events' subjects differ: it may have rested on them.
    case possible(path: String)
    /// The event that the journal names as its cause is dropped, comes later or is another one, and the rules do not decide
    /// otherwise: it may not have been asked for.
    case orphaned(cause: UInt64)
  }

  /// What a command leads to on the other state.
  public enum Outcome: Equatable, Sendable {
    /// These events, possibly none.
    case events([Domain.Event])
    /// A refusal.
    case refused(rule: String, reason: String)
  }

  /// Its events in the real history.
  public let events: ClosedRange<UInt64>
  /// They themselves, as far as they are named.
  public let recorded: [Domain.Event]
  /// How it is known.
  public let basis: Basis
  /// Whether its events, folded into the other state, change nothing there although they once did.
  public let hasNoEffect: Bool

  @inlinable
  init(_ events: ClosedRange<UInt64>, _ recorded: [Domain.Event], _ basis: Basis, hasNoEffect: Bool) {
    (self.events, self.recorded, self.basis, self.hasNoEffect) = (events, recorded, basis, hasNoEffect)
  }
}
