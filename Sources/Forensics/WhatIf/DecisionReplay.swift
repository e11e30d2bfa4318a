import EventSourcing

/// A decision that would be another one in the imagined history, or of which that is not known.
///
/// A class, because it is moved about and holds two states.
@usableFromInline
final class DecisionReplay<Domain: RedecidingDomain>: Sendable {
  /// The state before it in the real history.
  @usableFromInline let real: Domain.State
  /// The state before it in the imagined history.
  @usableFromInline let imagined: Domain.State
  /// Its first event in the real history.
  @usableFromInline let first: UInt64
  /// Its last event there.
  @usableFromInline let last: UInt64
  /// Its events.
  @usableFromInline let events: [Domain.Event]
  /// What it would be, if its command is known.
  @usableFromInline let basis: AffectedDecision<Domain>.Basis?
  /// Whether these are only the last events of a decision, so that each difference from the real state is one of its own.
  @usableFromInline let isRest: Bool

  /// A decision that is another one if `basis` says so, or may be.
  @inlinable
  init(
    _ events: [Domain.Event], _ basis: AffectedDecision<Domain>.Basis?, real: borrowing Domain.State,
    imagined: borrowing Domain.State, first: UInt64
  ) {
    (self.real, self.imagined) = (copy real, copy imagined)
    (self.first, last) = (first, first + UInt64(events.count) - 1)
    (self.events, self.basis) = (events, basis)
    isRest = false
  }

  /// What comes of making a decision again.
  @usableFromInline
  enum Result {
    /// The same events.
    case same
    /// Something else.
    case other(AffectedDecision<Domain>.Outcome)
    /// The command is not known.
    case unknown
  }

  /// Makes a decision again.
  ///
  /// - Parameters:
  ///   - events: Its events.
  ///   - real: The state before it in the real history.
  ///   - imagined: The state before it in the imagined history.
  ///   - first: Its first event in the real history.
  ///   - firstImagined: The same in the imagined history.
  ///   - moment: When it was made.
  @inlinable
  static func redecide(
    _ events: [Domain.Event], real: borrowing Domain.State, imagined: borrowing Domain.State, first: UInt64,
    firstImagined: UInt64, at moment: Moment
  ) -> Result {
    guard let command = Domain.command(leadingTo: events, in: real, at: moment) else { return .unknown }
    let redone = decide(command, in: imagined, at: EventContext(sequence: firstImagined, moment: moment))
    if redone == .events(events) { return .same }
    let original = decide(command, in: real, at: EventContext(sequence: first, moment: moment))
    return original == .events(events) ? .other(redone) : .unknown
  }

  /// What is left of a decision after an event that is no longer in its place. It is not made again: with that event, its
  /// command is another one too.
  @usableFromInline
  init(
    restFrom first: UInt64, to last: UInt64, _ events: [Domain.Event], real: Domain.State, imagined: Domain.State
  ) {
    (self.real, self.imagined, self.first, self.last) = (real, imagined, first, last)
    (self.events, basis, isRest) = (events, nil, true)
  }

  @inlinable
  static func decide(
    _ command: Domain.Command, in state: Domain.State, at next: EventContext
  ) -> AffectedDecision<Domain>.Outcome {
    var explanation = Explanation()
    do throws(Domain.Rejection) {
      return .events(try Domain.decide(command, in: state, at: next, explanation: &explanation).events)
    } catch {
      return .refused(rule: Domain.rule(of: error), reason: "\(error)")
    }
  }

  /// Compares what the events change, where the command does not tell, or tells that they would not have happened; `nil`
  /// where the decision is not affected.
  ///
  /// - Parameters:
  ///   - later: The state after it in the real history.
  ///   - imaginedLater: The state after its events in the imagined history.
  ///   - changed: The slices that its events may have changed in either.
  ///   - standing: What is known of the differences between the two histories.
  @inlinable
  func affected(
    later: borrowing Domain.State, imaginedLater: borrowing Domain.State, _ changed: ChangedSlices,
    _ numbering: Renumbering, _ differ: StateDiffer, _ standing: inout StandingDifference<Domain>
  ) -> AffectedDecision<Domain>? {
    let range = first...last
    if let basis {
      // One that has an effect needs no comparison with the effect it had.
      let hasEffect = differ.findsChange(from: imagined, to: imaginedLater, among: changed)
      let hadEffect = hasEffect ? true : differ.findsChange(from: real, to: later, among: changed)
      return AffectedDecision(range, events, basis, hasNoEffect: !hasEffect && hadEffect)
    }
    let slices = Domain.State.sliceNames.indices.lazy.filter { changed.contains($0) }
    let now = differ.changes(from: imagined, to: imaginedLater, inSlices: slices).changes
    let before = differ.changes(from: real, to: later, inSlices: slices).changes
    func result(_ basis: AffectedDecision<Domain>.Basis) -> AffectedDecision<Domain> {
      AffectedDecision(range, events, basis, hasNoEffect: now.isEmpty && !before.isEmpty)
    }
    let isSame =
      before.count == now.count
      && zip(before, now).allSatisfy { one, other in
        one.path == other.path && numbering.isSame(one.before, other.before)
          && numbering.isSame(one.after, other.after)
      }
    guard isSame else { return result(.refolded) }
    let different = standing.first(concerning: isRest ? [] : events, from: real, to: imagined, numbering, differ)
    return different.map { result(.possible(path: $0.path)) }
  }
}

extension Renumbering {
  /// Whether a state of the real history and one of the imagined history mean the same. Every value is compared: equal
  /// numbers can be those of different events.
  @usableFromInline
  func isSame<State: MachineState>(_ real: State, _ imagined: State) -> Bool {
    State.sliceNames.indices.allSatisfy { slice in
      real.tree(ofSlice: slice).leaves(under: "").elementsEqual(imagined.tree(ofSlice: slice).leaves(under: "")) {
        $0.path == $1.path && isSame($0.value, $1.value)
      }
    }
  }

  /// Whether a value of the real history and one of the imagined history mean the same: numbers of events differ although
  /// the events do not.
  @usableFromInline
  func isSame(_ real: StateValue?, _ imagined: StateValue?) -> Bool {
    guard case .sequence(let number)? = real, case .sequence(let other)? = imagined else { return real == imagined }
    return switch place(of: number) {
    case .event(let place): place == other
    case .absent: false
    case .forgotten: other != 0
    }
  }
}
