import Journal
import Synchronization
import WireFormat

// Callers compile the steps of appending into their own code, specialised for their machine: otherwise every step would
// look up the machine's types at run time.

extension EventStore {
  /// What a command led to, before it may be acknowledged: the answer to the caller; its events in the journal, if there are
  /// any; and who acknowledges them, because the store may be resumed with another writer meanwhile.
  ///
  /// A tuple, because its parts go separate ways: each copy of a structure would count references to all of them.
  @usableFromInline
  typealias Outcome = (result: AppendResult<Machine>, written: WrittenBatch?, journal: JournalWriter)

  /// A decided command, whose events are encoded after those of earlier commands but not yet written. The chain
  /// after them is yet to come.
  @usableFromInline
  typealias Draft = (result: AppendResult<Machine>, origin: EnvelopeBatch.Origin)

  /// Why a command led to nothing, before the caller may be informed. Held by reference: errors are large and rare.
  @usableFromInline
  final class Failure: Error {
    @usableFromInline let error: StoreError<Machine.Rejection>
    /// The state that the refusal is based on; `nil` if it is based on none.
    @usableFromInline let version: StateVersion<Machine.State>?
    @usableFromInline let journal: JournalWriter

    @inlinable
    init(_ error: StoreError<Machine.Rejection>, in version: StateVersion<Machine.State>, by journal: JournalWriter) {
      self.error = error
      self.version = error.restsOnState ? version : nil
      self.journal = journal
    }
  }

  /// Decides a command and writes its events.
  @inlinable
  func perform(
    _ request: Request, _ writer: inout StoreWriter<Machine>, _ explanation: inout Explanation,
    _ confirm: ([Machine.Event]) -> Bool = { _ in true }
  ) throws(Failure) -> Outcome {
    let before = writer.version
    writer.envelopes.begin()
    let (result, origin) = try refusing(in: before, by: writer.journal) { () throws(StoreError<Machine.Rejection>) in
      try draft(request, in: before, &writer, &explanation, confirm)
    }
    guard result.hasAppended else { return (result, nil, writer.journal) }
    let written = try refusing(in: before, by: writer.journal) { () throws(StoreError<Machine.Rejection>) in
      do throws(JournalError) {
        return try writer.journal.write(&writer.envelopes.batch, expecting: before.sequence)
      } catch {
        throw .journal(error)
      }
    }
    complete(result, origin, chain: written.chain, &writer)
    return (result, written, writer.journal)
  }

  /// Adds to an error what it is based on.
  @inlinable @inline(__always)
  func refusing<Value>(
    in version: StateVersion<Machine.State>, by journal: JournalWriter,
    _ body: () throws(StoreError<Machine.Rejection>) -> Value
  ) throws(Failure) -> Value {
    do throws(StoreError<Machine.Rejection>) {
      return try body()
    } catch {
      throw Failure(error, in: version, by: journal)
    }
  }

  /// Decides a command as the successor of `version` and encodes its events.
  @inlinable
  func draft(
    _ request: Request, in version: StateVersion<Machine.State>, _ writer: inout StoreWriter<Machine>,
    _ explanation: inout Explanation, _ confirm: ([Machine.Event]) -> Bool = { _ in true }
  ) throws(StoreError<Machine.Rejection>) -> Draft {
    if writer.phase == .suspended { throw .journal(.suspended) }
    guard !writer.lacksKeys else { throw .sealing(.withoutKeys) }
    let sequence = version.sequence
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
      return (AppendResult(in: version, repeating: try events(of: entry)), origin)
    }
    if let expected = request.expected, expected != sequence {
      throw .conflict(expected: expected, actual: sequence)
    }
    if !request.expectedVersions.isEmpty { try require(request.expectedVersions, &writer) }
    guard request.cause <= sequence else { throw .causeUnknown(cause: request.cause, last: sequence) }
    var decided = try decide(request, in: version.contents, &explanation)
    guard decided.next.sequence == sequence + 1 + UInt64(decided.events.count), decided.next.moment == request.moment
    else {
      throw .journal(
        JournalError(
          .outOfRange, "the rules returned events that they decided at another position than they were given",
          remedy: "begin DecidedEvents with the arguments of 'decide'"))
    }
    guard let last = decided.last else { return (AppendResult(in: version), origin) }
    if !request.expectedVersions.isEmpty { try require(request.expectedVersions, of: decided.events, writer) }
    if let sealing = options.sealing {
      decided = try Self.seal(
        decided, sealing, in: version.contents, at: request.moment, hasKey: !origin.idempotencyKey.isEmpty,
        features: &writer.envelopes.features)
    }
    if request.cause > 0 { origin.correlation = try correlation(of: request.cause, writer) }
    guard confirm(decided.events) else { return (AppendResult(in: version), origin) }
    if let sealing = options.sealing, writer.window.keyCheck.isEmpty, writer.mayRecordKeys,
      writer.envelopes.features.contains(where: { !$0.isEmpty })
    {
      origin.keyCheck = try Self.keyCheck(of: sealing)
    }
    let after = StateVersion<Machine.State>.Contents(state: decided.state, sequence: last)
    let digest =
      options.recordsStateDigest ? writer.digester.combined(of: after, as: writer.envelopes.digestScheme) : nil
    do throws(JournalError) {
      try writer.encode(decided.events, from: origin, digest: digest)
    } catch {
      throw .journal(error)
    }
    let (events, inner) = decided.removeAll()
    return (AppendResult(events, inner: inner, before: version, after: StateVersion(after)), origin)
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
    _ result: borrowing AppendResult<Machine>, _ origin: borrowing EnvelopeBatch.Origin, chain: UInt32,
    _ writer: inout StoreWriter<Machine>
  ) {
    result.after.contents.chain = chain
    writer.envelopes.recordAppended(result.decided.count, from: origin)
    if !origin.keyCheck.isEmpty { writer.window.keyCheck = origin.keyCheck }
    if !origin.idempotencyKey.isEmpty {
      for index in result.decided.indices {
        writer.window.record(
          key: origin.idempotencyKey, fingerprint: origin.commandFingerprint,
          sequence: result.before.sequence + 1 + UInt64(index), isSealed: options.sealing != nil)
      }
    }
    if writer.entities != nil { writer.recordEntities(of: result) }
    writer.version = result.after
    if writer.version.sequence >= writer.keyframes.spacing.due { writeKeyframe(&writer) }
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

  /// The first of the events that the event `cause` is correlated with. For a retired cause, no earlier event is known.
  @usableFromInline
  func correlation(
    of cause: UInt64, _ writer: borrowing StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) -> UInt64 {
    if let known = writer.envelopes.correlation(of: cause) { return known }
    var first = cause
    try read(after: cause - 1, upTo: cause) { (record) throws(HistoryError) in
      switch record.content {
      case .lost, .foreign: throw record.obstacle ?? .damaged(lastDerivable: cause - 1, nil)
      case .known, .otherDomain, .migration, .unknownType, .unknownVersion, .unknownFeatures, .undecodable: break
      }
      if record.envelope.correlation != 0 { first = record.envelope.correlation }
    }
    return first
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
