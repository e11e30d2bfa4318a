import EventSourcing

/// What a pass over a history has gathered.
@usableFromInline
struct DiagnosisPass<Domain: DiagnosisDomain> {
  @usableFromInline var examination: Domain.Examination
  @usableFromInline var clock = ClockRecord()
  @usableFromInline var last = EventContext(sequence: 0, moment: Moment(wallNanoseconds: 0))
  @usableFromInline var obstacle: HistoryError?
  /// The last event that is missing before the first one; `nil` until one was judged.
  @usableFromInline var opening: UInt64?
  /// The state of a history that has no events yet, as a new fork has none.
  @usableFromInline var onlyState: Domain.State?
  /// The jump before the next event.
  @usableFromInline var pending: ClockJump?
  /// The last event that was judged, with the states around it.
  @usableFromInline var newest: HistoryStep<Domain>?

  @usableFromInline
  init(_ examination: Domain.Examination) { self.examination = examination }

  /// Takes note of the next item of a log.
  @inlinable
  mutating func note(_ item: LogItem<Domain>) {
    switch item {
    case .event(let step):
      let context = EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment)
      if let jump = pending {
        examination.noteClockJump(by: jump.nanoseconds, before: jump.sequence)
        clock.note(jump)
        pending = nil
      }
      let isJudged: Void? = step.withStates { before, after in
        if opening == nil { begin(at: before, context) }
        guard let event = step.record.event else { return }
        if let origin = step.record.envelope.attributes?.origin { examination.noteHandover(by: origin.process) }
        examination.observe(event, context, before: before, after: after)
      }
      guard isJudged != nil else { return }
      last = context
      newest = step
    case .clockJump(let jump): pending = jump
    case .stateUnknown(let error): obstacle = error
    case .finding, .retiredBeginning: break
    }
  }

  /// Tells the examination where the history begins, unless that is its first event.
  @usableFromInline
  mutating func begin(at state: borrowing Domain.State, _ first: EventContext) {
    opening = first.sequence - 1
    guard first.sequence > 1 else { return }
    examination.begin(at: state, EventContext(sequence: first.sequence - 1, moment: first.moment))
  }

  /// Judges a history without events by the state that it begins with.
  @usableFromInline
  mutating func end(at state: Domain.State?, after sequence: UInt64, upTo upper: UInt64?) {
    guard opening == nil, sequence > 0, sequence <= upper ?? .max, let state else { return }
    last = EventContext(sequence: sequence, moment: last.moment)
    begin(at: state, EventContext(sequence: sequence + 1, moment: last.moment))
    onlyState = state
  }

  /// Everything that was found, in no order.
  @usableFromInline
  func diagnoses() -> [Diagnosis<Domain.Family>] {
    let found = (newest?.after ?? onlyState).map { examination.diagnoses(at: $0, last) } ?? []
    return found + clock.diagnoses(explaining: found)
  }
}
