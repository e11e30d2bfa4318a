import EventSourcing

/// What a pass over a history has gathered.
@usableFromInline
struct DiagnosisPass<Domain: DiagnosisDomain> {
  @usableFromInline var examination: Domain.Examination
  @usableFromInline var clock = ClockRecord()
  @usableFromInline var last = EventContext(sequence: 0, moment: Moment(wallNanoseconds: 0))
  @usableFromInline var obstacle: HistoryError?
  /// Whether events were imported from a source that shows a part of what happened only, such as a log.
  @usableFromInline var isIncomplete = false
  /// The last event that is missing before the first one; `nil` until one was judged.
  @usableFromInline var opening: UInt64?
  /// The state after the last event that was judged, or of a history that has no events yet, as a new fork has none.
  @usableFromInline var state: Domain.State?

  @usableFromInline
  init(_ examination: Domain.Examination) { self.examination = examination }

  /// Reads a history.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - upper: The last event to look at; `nil` means the end.
  ///   - recorded: What is known of the bytes that it was imported from.
  ///   - body: Receives the number, the time and, if it is of the domain, the content of each event.
  @inlinable
  mutating func read(
    _ history: History<Domain>, upTo upper: UInt64?, _ recorded: RecordedDamage,
    _ body: (UInt64, Moment, Domain.Event?) -> Void = { _, _, _ in }
  ) throws(HistoryError) {
    let bound = recorded.bound(upper)
    var reader = try LogReader(history, upTo: bound)
    try read(&reader, upTo: bound, body)
    guard obstacle == nil, let bound, let found = recorded.obstacle(upper) else { return }
    obstacle = found
    var rest = try LogReader(history, from: bound + 1, upTo: upper, needsStates: false)
    while let item = try rest.next() {
      if case .event(let step) = item { body(step.record.sequence, step.record.envelope.moment, step.record.event) }
    }
  }

  @inlinable
  mutating func read(
    _ reader: inout LogReader<Domain>, upTo upper: UInt64?, _ body: (UInt64, Moment, Domain.Event?) -> Void
  ) throws(HistoryError) {
    let slices = Array(Domain.State.sliceNames.indices)
    var earlier = reader.cursor.reached
    while true {
      let item = try reader.nextAfterFolding(watching: slices, &earlier) { event, known, jump, before, after in
        body(event.sequence, event.moment, known)
        if let jump { observe(jump, at: event.moment) }
        observe(event, known, before: before, after: after)
      }
      switch item {
      case .event(let step)?: body(step.record.sequence, step.record.envelope.moment, step.record.event)
      case .clockJump(let jump)?: if obstacle == nil { observe(jump, at: nil) }
      case .stateUnknown(let error)?: obstacle = error
      case .finding?, .retiredBeginning?: break
      case nil: return end(at: reader.cursor, upTo: upper)
      }
    }
  }

  @inlinable
  mutating func observe(
    _ event: PassedEvent<Domain.Event>, _ known: Domain.Event?, before: borrowing Domain.State,
    after: borrowing Domain.State
  ) {
    let context = EventContext(sequence: event.sequence, moment: event.moment)
    if opening == nil { begin(at: before, context) }
    last = context
    guard let known, Domain.Examination.observes(known) else { return }
    if let attributes = event.attributes {
      if let origin = attributes.origin { examination.observeHandover(by: origin.process) }
      if attributes.isInferred { isIncomplete = true }
    }
    examination.observe(known, context, before: before, after: after)
  }

  @usableFromInline
  mutating func observe(_ jump: ClockJump, at moment: Moment?) {
    examination.observeClockJump(by: jump.nanoseconds, before: jump.sequence)
    clock.add(jump, at: moment)
  }

  /// Tells the examination where the history begins, unless that is its first event.
  @usableFromInline
  mutating func begin(at state: borrowing Domain.State, _ first: EventContext) {
    opening = first.sequence - 1
    guard first.sequence > 1 else { return }
    examination.begin(at: state, EventContext(sequence: first.sequence - 1, moment: first.moment))
  }

  /// Keeps the last state; a history without events is judged by the state that it begins with.
  @inlinable
  mutating func end(at cursor: borrowing HistoryCursor<Domain>, upTo upper: UInt64?) {
    if opening != nil { state = cursor.reached }
    let sequence = cursor.lastDerivable
    guard opening == nil, sequence > 0, sequence <= upper ?? .max, let only = cursor.state else { return }
    last = EventContext(sequence: sequence, moment: last.moment)
    begin(at: only, EventContext(sequence: sequence + 1, moment: last.moment))
    state = only
  }

  /// Everything that was found, in no order.
  @usableFromInline
  func diagnoses() -> [Diagnosis<Domain.Family>] {
    let found = state.map { examination.diagnoses(at: $0, last) } ?? []
    return limited(found) + clock.diagnoses(explaining: found, at: last.moment)
  }

  /// What was found, no more certain than an incomplete history allows: what did not happen is possible at most, and what
  /// stands at the end may have ended.
  private func limited(_ found: [Diagnosis<Domain.Family>]) -> [Diagnosis<Domain.Family>] {
    guard isIncomplete else { return found }
    return found.map { problem in
      var problem = problem
      let most: DiagnosisConfidence =
        problem.restsOnAbsence ? .possible : problem.until == nil ? .likely : problem.confidence
      problem.confidence = min(problem.confidence, most)
      return problem
    }
  }
}
