import EventSourcing

extension CounterfactualPass {
  /// The events of a decision from the first one on whose cause is absent.
  @usableFromInline
  struct Orphan {
    let cause: UInt64
    let first: UInt64
    var last: UInt64
    var events: [Domain.Event]

    @usableFromInline
    init(_ read: ReadEvent<Domain.Event>) {
      (cause, first, last) = (read.cause, read.sequence, read.sequence)
      events = read.event.map { [$0] } ?? []
    }

    @usableFromInline
    mutating func add(_ read: ReadEvent<Domain.Event>) {
      last = read.sequence
      if let event = read.event { events.append(event) }
    }

    /// What to say of the decision, where `found` is known of it: another decision or effect says more than a cause.
    @usableFromInline
    func affected(or found: AffectedDecision<Domain>?) -> AffectedDecision<Domain> {
      switch found?.basis {
      case .redecided?, .refolded?: return found ?? affected(or: nil)
      case .possible?, .orphaned?, nil:
        return AffectedDecision(
          found?.events ?? first...last, found?.recorded ?? events, .orphaned(cause: cause),
          hasNoEffect: found?.hasNoEffect ?? false)
      }
    }
  }
}
