import Journal
import Synchronization
import WireFormat

// Callers compile the steps of appending into their own code, specialised for their machine: otherwise every step would
// look up the machine's types at run time.

extension EventStore {
  /// The outcome of a command before it may be acknowledged.
  @usableFromInline
  struct Outcome: Sendable {
    @usableFromInline var answer: Answer
    /// The state that the answer is based on, including the command's events; `nil` if it is based on none.
    @usableFromInline var version: StateVersion<Machine.State>?
    /// The command's events in the journal; `nil` if there are none.
    @usableFromInline var written: WrittenBatch?
    /// Who acknowledges it: the writer of that moment, because the store may be resumed with another one meanwhile.
    @usableFromInline var journal: JournalWriter

    @inlinable
    init(
      _ result: AppendResult<Machine>, version: StateVersion<Machine.State>?, written: WrittenBatch? = nil,
      by journal: JournalWriter
    ) {
      answer = .result(result)
      self.version = version
      self.written = written
      self.journal = journal
    }

    @inlinable
    init(
      _ error: StoreError<Machine.Rejection>, version: StateVersion<Machine.State>?, by journal: JournalWriter
    ) {
      answer = .failure(Failure(error))
      self.version = version
      written = nil
      self.journal = journal
    }
  }

  /// The answer to the caller.
  @usableFromInline
  enum Answer: Sendable {
    case result(AppendResult<Machine>)
    case failure(Failure)
  }

  /// An error held by reference: errors are large and rare, and every answer is unpacked as if it could be one.
  @usableFromInline
  final class Failure: Sendable {
    @usableFromInline let error: StoreError<Machine.Rejection>

    @inlinable
    init(_ error: StoreError<Machine.Rejection>) { self.error = error }
  }

  /// A decided command: its events encoded after those of earlier commands but not yet written, or none if it adds
  /// nothing to the history.
  @usableFromInline
  struct Draft {
    @usableFromInline let events: [Machine.Event]
    /// The states after all events but the last.
    @usableFromInline let inner: [Machine.State]
    /// The state after the events.
    @usableFromInline let contents: StateVersion<Machine.State>.Contents
    @usableFromInline let origin: EnvelopeBatch.Origin
    /// The events of the first time, if the command is a repetition.
    @usableFromInline let repeated: [AppendedEvent<Machine.Event>]?

    /// A command that adds nothing to the history.
    @inlinable
    init(
      in contents: StateVersion<Machine.State>.Contents, origin: EnvelopeBatch.Origin,
      repeated: [AppendedEvent<Machine.Event>]? = nil
    ) {
      (events, inner) = ([], [])
      self.contents = contents
      self.origin = origin
      self.repeated = repeated
    }

    /// A command whose events are encoded.
    @inlinable
    init(
      _ decided: DecidedEvents<Machine>, contents: StateVersion<Machine.State>.Contents, origin: EnvelopeBatch.Origin
    ) {
      (events, inner) = (decided.events, decided.inner)
      self.contents = contents
      self.origin = origin
      repeated = nil
    }

    /// The answer to a command that adds nothing to the history.
    @inlinable
    func answer(in version: StateVersion<Machine.State>) -> AppendResult<Machine> {
      AppendResult(
        decided: [], inner: [], found: repeated ?? [], before: version, after: version, isRepetition: repeated != nil)
    }
  }

  /// Decides a command and writes its events.
  @inlinable
  func perform(
    _ request: Request, _ writer: inout StoreWriter<Machine>, _ explanation: inout Explanation,
    _ confirm: ([Machine.Event]) -> Bool = { _ in true }
  ) -> Outcome {
    let before = writer.version
    writer.envelopes.begin()
    do throws(StoreError<Machine.Rejection>) {
      let draft = try draft(request, in: before.contents, &writer, &explanation, confirm)
      guard !draft.events.isEmpty else { return Outcome(draft.answer(in: before), version: before, by: writer.journal) }
      let written: WrittenBatch
      do throws(JournalError) {
        written = try writer.journal.write(&writer.envelopes.batch, expecting: before.sequence)
      } catch {
        return Outcome(.journal(error), version: nil, by: writer.journal)
      }
      let after = StateVersion(draft.contents, chain: written.chain)
      return Outcome(
        complete(draft, before: before, after: after, &writer), version: after, written: written, by: writer.journal)
    } catch {
      return Outcome(error, version: error.restsOnState ? before : nil, by: writer.journal)
    }
  }

  /// Decides a command as the successor of `version` and encodes its events.
  @inlinable
  func draft(
    _ request: Request, in contents: StateVersion<Machine.State>.Contents, _ writer: inout StoreWriter<Machine>,
    _ explanation: inout Explanation, _ confirm: ([Machine.Event]) -> Bool = { _ in true }
  ) throws(StoreError<Machine.Rejection>) -> Draft {
    if writer.phase == .suspended { throw .journal(.suspended) }
    guard !writer.lacksKeys else { throw .sealing(.withoutKeys) }
    let sequence = contents.sequence
    guard request.idempotencyKey.count <= Self.maximumKeyLength else {
      throw .keyTooLong(bytes: request.idempotencyKey.count)
    }
    if request.attributes != nil || writer.envelopes.attributes != nil {
      if let problem = request.attributes?.problem { throw .attributes(problem) }
      writer.envelopes.attributes = request.attributes
    }
    let fingerprint = request.fingerprint()
    var origin = EnvelopeBatch.Origin(
      moment: request.moment, cause: request.cause, correlation: 0, idempotencyKey: request.idempotencyKey,
      commandFingerprint: fingerprint, first: sequence + 1)
    if let sealing = options.sealing {
      (origin.idempotencyKey, origin.commandFingerprint) = try Self.codes(
        sealing, key: request.idempotencyKey, fingerprint: fingerprint)
    }
    if !request.idempotencyKey.isEmpty, let entry = entry(of: request, origin, writer) {
      guard entry.fingerprint == fingerprint || entry.fingerprint == origin.commandFingerprint else {
        throw .keyReused(sequence: entry.first)
      }
      return Draft(in: contents, origin: origin, repeated: try events(of: entry))
    }
    if let expected = request.expected, expected != sequence {
      throw .conflict(expected: expected, actual: sequence)
    }
    guard request.cause <= sequence else { throw .causeUnknown(cause: request.cause, last: sequence) }
    var decided = try decide(request, in: contents, &explanation)
    precondition(
      decided.next.sequence == sequence + 1 + UInt64(decided.events.count) && decided.next.moment == request.moment,
      "a decider returned events that it decided at another position than it was given")
    guard let last = decided.last else { return Draft(in: contents, origin: origin) }
    if let sealing = options.sealing {
      decided = try Self.seal(
        decided, sealing, in: contents, at: request.moment, hasKey: !origin.idempotencyKey.isEmpty,
        features: &writer.envelopes.features)
    }
    if request.cause > 0 { origin.correlation = try story(of: request.cause, writer) }
    guard confirm(decided.events) else { return Draft(in: contents, origin: origin) }
    let after = StateVersion<Machine.State>.Contents(state: decided.state, sequence: last)
    let digest = options.recordsStateDigest ? writer.digester.combined(of: after) : nil
    do throws(JournalError) {
      try writer.encode(decided.events, from: origin, merkleDigest: digest)
    } catch {
      throw .journal(error)
    }
    return Draft(decided, contents: after, origin: origin)
  }

  /// The outcome of a command that has the request's key. Commands that were appended before the store had keys to seal with
  /// are recorded under the key itself.
  @inlinable
  func entry(
    of request: Request, _ origin: EnvelopeBatch.Origin, _ writer: borrowing StoreWriter<Machine>
  ) -> IdempotencyWindow.Entry? {
    writer.window[origin.idempotencyKey] ?? (options.sealing == nil ? nil : writer.window[request.idempotencyKey])
  }

  /// Finishes a command whose events were written.
  @inlinable
  func complete(
    _ draft: Draft, before: StateVersion<Machine.State>, after: StateVersion<Machine.State>,
    _ writer: inout StoreWriter<Machine>
  ) -> AppendResult<Machine> {
    let origin = draft.origin
    writer.envelopes.noteAppended(draft.events.count, from: origin)
    if !origin.idempotencyKey.isEmpty {
      for index in draft.events.indices {
        writer.window.note(
          key: origin.idempotencyKey, fingerprint: origin.commandFingerprint,
          sequence: before.sequence + 1 + UInt64(index), isSealed: options.sealing != nil)
      }
    }
    writer.version = after
    if after.sequence >= writer.keyframes.spacing.due { writeKeyframe(&writer) }
    return AppendResult(
      decided: draft.events, inner: draft.inner, found: [], before: before, after: after, isRepetition: false)
  }

  @inlinable
  func decide(
    _ request: Request, in contents: StateVersion<Machine.State>.Contents, _ explanation: inout Explanation
  ) throws(StoreError<Machine.Rejection>) -> DecidedEvents<Machine> {
    let next = EventContext(sequence: contents.sequence + 1, moment: request.moment)
    do throws(Machine.Rejection) {
      return try contents.withState { (state) throws(Machine.Rejection) in
        try Machine.decide(request.command, in: state, at: next, explanation: &explanation)
      }
    } catch {
      throw .rejected(error)
    }
  }

  /// The first event of the story that the event `cause` belongs to. For a retired cause, no earlier event is known.
  @usableFromInline
  func story(
    of cause: UInt64, _ writer: borrowing StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) -> UInt64 {
    if let story = writer.envelopes.story(of: cause) { return story }
    var story = cause
    try read(after: cause - 1, upTo: cause) { (record) throws(HistoryError) in
      switch record.content {
      case .lost, .foreign: throw record.obstacle ?? .damaged(lastDerivable: cause - 1, nil)
      case .known, .otherDomain, .migration, .unknownType, .unknownVersion, .unknownFeatures, .undecodable: break
      }
      if record.envelope.correlation != 0 { story = record.envelope.correlation }
    }
    return story
  }

  /// The events a command produced the first time, as far as the journal still keeps them.
  @usableFromInline
  func events(
    of entry: IdempotencyWindow.Entry
  ) throws(StoreError<Machine.Rejection>) -> [AppendedEvent<Machine.Event>] {
    var events: [AppendedEvent<Machine.Event>] = []
    try read(after: entry.first - 1, upTo: entry.last) { (record) throws(HistoryError) in
      guard let event = record.event else {
        // The answer needs all of them, including those that a state may leave out.
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
