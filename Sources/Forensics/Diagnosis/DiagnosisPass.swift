import EventSourcing

/// What a pass over a history has gathered.
@usableFromInline
struct DiagnosisPass<Domain: DiagnosisDomain> {
  @usableFromInline var examination: Domain.Examination
  @usableFromInline var clock = ClockRecord()
  @usableFromInline var last = EventContext(sequence: 0, moment: Moment(wallNanoseconds: 0))
  @usableFromInline var obstacle: HistoryError?
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
        if let event = step.record.event { examination.observe(event, context, before: before, after: after) }
      }
      guard isJudged != nil else { return }
      last = context
      newest = step
    case .clockJump(let jump): pending = jump
    case .stateUnknown(let error): obstacle = error
    case .finding, .retiredBeginning: break
    }
  }

  /// Everything that was found, in no order.
  @usableFromInline
  func diagnoses() -> [Diagnosis<Domain.Family>] {
    let found = newest?.after.map { examination.diagnoses(at: $0, last) } ?? []
    return found + clock.diagnoses(explaining: found)
  }
}
