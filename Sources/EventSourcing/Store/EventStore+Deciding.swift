import Journal
import Synchronization
import WireFormat

// Callers compile what appending does into their own code, for their machine: without that every step would look up
// the machine's types while it runs.

extension EventStore {
  /// What a command leads to, before anybody may be told.
  @usableFromInline
  struct Outcome: Sendable {
    @usableFromInline var answer: Result<AppendResult<Machine>, StoreError<Machine.Rejection>>
    /// The state that the answer rests on, with the command's events; `nil` for an answer that rests on none.
    @usableFromInline var version: StateVersion<Machine.State>?
    /// The command's events in the journal, if there are any.
    @usableFromInline var written: WrittenBatch?

    @inlinable
    init(
      _ answer: Result<AppendResult<Machine>, StoreError<Machine.Rejection>>, version: StateVersion<Machine.State>?,
      written: WrittenBatch? = nil
    ) {
      self.answer = answer
      self.version = version
      self.written = written
    }
  }

  /// A command whose events are encoded behind those of earlier ones, and not written.
  @usableFromInline
  struct Draft {
    @usableFromInline let events: [Machine.Event]
    /// The state behind the events.
    @usableFromInline let contents: StateVersion<Machine.State>.Contents
    @usableFromInline let origin: EnvelopeBatch.Origin

    @inlinable
    init(events: [Machine.Event], contents: StateVersion<Machine.State>.Contents, origin: EnvelopeBatch.Origin) {
      self.events = events
      self.contents = contents
      self.origin = origin
    }
  }

  /// What deciding a command gave.
  @usableFromInline
  enum Decision {
    /// It adds nothing to the history.
    case answer(events: [AppendedEvent<Machine.Event>], isRepetition: Bool)
    case draft(Draft)
  }

  /// Decides a command and writes its events.
  @inlinable
  func perform(
    _ request: Request, _ writer: inout StoreWriter<Machine>, _ explanation: inout Explanation
  ) -> Outcome {
    let before = writer.version
    writer.envelopes.begin()
    do throws(StoreError<Machine.Rejection>) {
      switch try draft(request, in: before.contents, &writer, &explanation) {
      case .answer(let events, let isRepetition):
        let result = AppendResult<Machine>(events: events, before: before, after: before, isRepetition: isRepetition)
        return Outcome(.success(result), version: before)
      case .draft(let draft):
        let written: WrittenBatch
        do throws(JournalError) {
          written = try journal.write(&writer.envelopes.batch, expecting: before.sequence)
        } catch {
          return Outcome(.failure(.journal(error)), version: nil)
        }
        let after = StateVersion(draft.contents, chain: written.chain)
        let result = complete(draft, before: before, after: after, &writer)
        return Outcome(.success(result), version: after, written: written)
      }
    } catch {
      return Outcome(.failure(error), version: error.restsOnState ? before : nil)
    }
  }

  /// Decides a command behind an event, and encodes its events.
  @inlinable
  func draft(
    _ request: Request, in contents: StateVersion<Machine.State>.Contents, _ writer: inout StoreWriter<Machine>,
    _ explanation: inout Explanation
  ) throws(StoreError<Machine.Rejection>) -> Decision {
    let sequence = contents.sequence
    guard request.idempotencyKey.count <= Self.maximumKeyLength else {
      throw .keyTooLong(bytes: request.idempotencyKey.count)
    }
    let fingerprint = request.fingerprint()
    if !request.idempotencyKey.isEmpty, let entry = writer.window[request.idempotencyKey] {
      guard entry.fingerprint == fingerprint else { throw .keyReused(sequence: entry.first) }
      return .answer(events: try events(of: entry), isRepetition: true)
    }
    if let expected = request.expected, expected != sequence {
      throw .conflict(expected: expected, actual: sequence)
    }
    guard request.cause <= sequence else { throw .causeUnknown(cause: request.cause, last: sequence) }
    let events = try decide(request, in: contents, &explanation)
    guard !events.isEmpty else { return .answer(events: [], isRepetition: false) }
    let origin = EnvelopeBatch.Origin(
      moment: request.moment, cause: request.cause, correlation: try story(of: request.cause, writer),
      idempotencyKey: request.idempotencyKey, commandFingerprint: fingerprint, first: sequence + 1)
    let draft = Draft(events: events, contents: Self.fold(events, behind: contents, at: request.moment), origin: origin)
    let digest = options.recordsStateDigest ? writer.digester.combined(of: draft.contents).prefix : []
    do throws(JournalError) {
      try writer.encode(events, from: origin, stateDigest: digest)
    } catch {
      throw .journal(error)
    }
    return .draft(draft)
  }

  /// Folds events into a copy of the state.
  @inlinable
  static func fold(
    _ events: [Machine.Event], behind contents: StateVersion<Machine.State>.Contents, at moment: Moment
  ) -> StateVersion<Machine.State>.Contents {
    var state = contents.state
    var sequence = contents.sequence
    for event in events {
      sequence += 1
      Machine.reduce(into: &state, event, EventContext(sequence: sequence, moment: moment))
    }
    return StateVersion<Machine.State>.Contents(state: state, sequence: sequence)
  }

  /// Takes over a command whose events were written.
  @inlinable
  func complete(
    _ draft: Draft, before: StateVersion<Machine.State>, after: StateVersion<Machine.State>,
    _ writer: inout StoreWriter<Machine>
  ) -> AppendResult<Machine> {
    let origin = draft.origin
    writer.envelopes.noteAppended(draft.events.count, from: origin)
    var placed: [AppendedEvent<Machine.Event>] = []
    placed.reserveCapacity(draft.events.count)
    var sequence = before.sequence
    for event in draft.events {
      sequence += 1
      placed.append(AppendedEvent(sequence: sequence, event: event))
      if !origin.idempotencyKey.isEmpty {
        writer.window.note(
          key: origin.idempotencyKey, fingerprint: origin.commandFingerprint, sequence: sequence)
      }
    }
    writer.version = after
    if after.sequence >= writer.keyframes.spacing.due { writeKeyframe(&writer) }
    return AppendResult(events: placed, before: before, after: after, isRepetition: false)
  }

  @inlinable
  func decide(
    _ request: Request, in contents: StateVersion<Machine.State>.Contents, _ explanation: inout Explanation
  ) throws(StoreError<Machine.Rejection>) -> [Machine.Event] {
    do throws(Machine.Rejection) {
      return try contents.withState { (state) throws(Machine.Rejection) in
        try Machine.decide(request.command, in: state, at: request.moment, explanation: &explanation)
      }
    } catch {
      throw .rejected(error)
    }
  }

  /// The first event of the story to which `cause` belongs; 0 when there is no cause. Of a cause that was retired no
  /// earlier one is known.
  @usableFromInline
  func story(
    of cause: UInt64, _ writer: borrowing StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) -> UInt64 {
    guard cause > 0 else { return 0 }
    if let story = writer.envelopes.story(of: cause) { return story }
    var story = cause
    try read(after: cause - 1, upTo: cause) { (record) throws(HistoryError) in
      switch record.content {
      case .lost, .foreign: throw record.obstacle ?? .damaged(lastDerivable: cause - 1, nil)
      case .known, .unknownType, .unknownVersion, .undecodable: break
      }
      if record.envelope.correlation != 0 { story = record.envelope.correlation }
    }
    return story
  }

  /// The events that a command led to the first time, as far as the journal still keeps them.
  @usableFromInline
  func events(
    of entry: IdempotencyWindow.Entry
  ) throws(StoreError<Machine.Rejection>) -> [AppendedEvent<Machine.Event>] {
    var events: [AppendedEvent<Machine.Event>] = []
    try read(after: entry.first - 1, upTo: entry.last) { (record) throws(HistoryError) in
      guard let event = record.event else {
        // The answer needs all of them, also those that a state may leave out.
        throw record.content.obstacle(
          at: record.sequence, type: record.envelope.type, version: record.envelope.version, rule: .mustUnderstand)
          ?? .damaged(lastDerivable: record.sequence - 1, nil)
      }
      events.append(AppendedEvent(sequence: record.sequence, event: event))
    }
    return events
  }

  private func read(
    after start: UInt64, upTo end: UInt64, _ body: (RecordedEvent<Machine.Event>) throws(HistoryError) -> Void
  ) throws(StoreError<Machine.Rejection>) {
    do throws(HistoryError) {
      try forEachEvent(after: start, upTo: end, skipsRetired: true, body)
    } catch {
      throw .history(error)
    }
  }
}
