import EventSourcing

/// A decision that would be another one in the imagined history, or of which that is not known.
@usableFromInline
struct Redeciding<Domain: RedecidingDomain>: Sendable {
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

  /// Makes the decision again; `nil` where it stays what it was.
  ///
  /// - Parameters:
  ///   - events: Its events.
  ///   - real: The state before it in the real history.
  ///   - imagined: The state before it in the imagined history.
  ///   - first: Its first event in the real history.
  ///   - firstImagined: The same in the imagined history.
  ///   - moment: When it was made.
  @inlinable
  init?(
    _ events: [Domain.Event], real: borrowing Domain.State, imagined: borrowing Domain.State, first: UInt64,
    firstImagined: UInt64, at moment: Moment
  ) {
    guard !events.isEmpty else { return nil }
    var basis: AffectedDecision<Domain>.Basis?
    if let command = Domain.command(leadingTo: events, in: real, at: moment) {
      let redone = Self.decide(command, in: imagined, at: EventContext(sequence: firstImagined, moment: moment))
      if redone == .events(events) { return nil }
      let original = Self.decide(command, in: real, at: EventContext(sequence: first, moment: moment))
      if original == .events(events) { basis = .redecided(redone) }
    }
    (self.real, self.imagined) = (copy real, copy imagined)
    (self.first, last) = (first, first + UInt64(events.count) - 1)
    (self.events, self.basis) = (events, basis)
    isRest = false
  }

  /// What is left of a decision behind an event that is no longer in its place. It is not made again: with that event, its
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
  ///   - standing: What is known of the differences between the two histories.
  @inlinable
  func affected(
    later: borrowing Domain.State, imaginedLater: borrowing Domain.State, _ numbering: Renumbering,
    _ differ: StateDiffer, _ standing: inout StandingDifference<Domain>
  ) -> AffectedDecision<Domain>? {
    let range = first...last
    let now = differ.changes(from: imagined, to: imaginedLater).changes
    // A decision that is known to be another one needs no comparison where it has an effect.
    let before = basis != nil && !now.isEmpty ? [] : differ.changes(from: real, to: later).changes
    let hasNoEffect = now.isEmpty && !before.isEmpty
    func result(_ basis: AffectedDecision<Domain>.Basis) -> AffectedDecision<Domain> {
      AffectedDecision(range, events, basis, hasNoEffect: hasNoEffect)
    }
    if let basis { return result(basis) }
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
