import Journal
import Synchronization
import WireFormat

extension EventStore {
  /// Decides a command in the current state, and appends and publishes the events that it leads to.
  ///
  /// When this returns, the events are durable under the journal's sync policy, and ``state`` has them. A command that
  /// is rejected, or that leads to no event, writes nothing.
  ///
  /// A command with an idempotency key that comes again, with the same contents, is answered with the events of the
  /// first time; the same key with other contents is an error. This holds for the ``recognizedCommandCount`` newest
  /// commands with a key, also after the store was closed and opened again. A command that led to no event is not
  /// remembered: it is decided again.
  ///
  /// - Parameters:
  ///   - command: What is to happen.
  ///   - moment: When, for the events' label.
  ///   - expected: The last event the caller knows of, if the command is to be refused when there are later ones.
  ///   - idempotencyKey: At most ``maximumKeyLength`` bytes that no other command has; empty for none.
  ///   - cause: The event because of which the command is given; 0 when it comes from outside.
  ///   - explanation: Takes the rules that were evaluated, when it records.
  /// - Throws: ``StoreError``.
  @discardableResult
  @inlinable
  public func append(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0, explanation: inout Explanation
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    let request = Request(
      command: command, moment: moment, expected: expected, idempotencyKey: idempotencyKey, cause: cause)
    // The explanation goes in and out as a value: the lock's closure may not hold on to it.
    var steps = explanation
    defer { explanation = steps }
    let result = try writer.withLock { (writer) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> in
      try perform(request, &writer, &steps)
    }
    return result
  }

  /// Decides, appends and publishes without recording which rules were evaluated.
  @discardableResult
  @inlinable
  public func append(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    var explanation = Explanation()
    return try append(
      command, at: moment, expecting: expected, idempotencyKey: idempotencyKey, cause: cause,
      explanation: &explanation)
  }

  // Callers compile what appending does into their own code, for their machine: without that every step would look up
  // the machine's types while it runs.

  @usableFromInline
  struct Request {
    @usableFromInline var command: Machine.Command
    @usableFromInline var moment: Moment
    @usableFromInline var expected: UInt64?
    @usableFromInline var idempotencyKey: [UInt8]
    @usableFromInline var cause: UInt64

    @inlinable
    init(command: Machine.Command, moment: Moment, expected: UInt64?, idempotencyKey: [UInt8], cause: UInt64) {
      self.command = command
      self.moment = moment
      self.expected = expected
      self.idempotencyKey = idempotencyKey
      self.cause = cause
    }

    /// The first eight bytes of the digest of the command's encoding; empty when it has none or no key.
    @inlinable
    func fingerprint() -> [UInt8] {
      guard !idempotencyKey.isEmpty else { return [] }
      var writer = WireWriter()
      Machine.encode(command, into: &writer)
      return writer.bytes.isEmpty ? [] : Digest.sha256(writer.bytes).prefix
    }
  }

  @inlinable
  func perform(
    _ request: Request, _ writer: inout StoreWriter<Machine>, _ explanation: inout Explanation
  ) throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    guard request.idempotencyKey.count <= Self.maximumKeyLength else {
      throw .keyTooLong(bytes: request.idempotencyKey.count)
    }
    let before = writer.version
    let fingerprint = request.fingerprint()
    if !request.idempotencyKey.isEmpty, let entry = writer.window[request.idempotencyKey] {
      guard entry.fingerprint == fingerprint else { throw .keyReused(sequence: entry.first) }
      return AppendResult(events: try events(of: entry), before: before, after: before, isRepetition: true)
    }
    if let expected = request.expected, expected != before.sequence {
      throw .conflict(expected: expected, actual: before.sequence)
    }
    guard request.cause <= before.sequence else { throw .causeUnknown(cause: request.cause, last: before.sequence) }
    let events = try decide(request, in: before.state, &explanation)
    guard !events.isEmpty else {
      return AppendResult(events: [], before: before, after: before, isRepetition: false)
    }
    let state = writer.fold(events, at: request.moment)
    let origin = EnvelopeBatch.Origin(
      moment: request.moment, cause: request.cause, correlation: try story(of: request.cause, writer),
      idempotencyKey: request.idempotencyKey, commandFingerprint: fingerprint,
      first: before.sequence + 1)
    let digest = options.recordsStateDigest ? writer.digester.digest(of: state).combined.prefix : []
    do throws(JournalError) {
      try writer.append(events, from: origin, stateDigest: digest, to: journal)
    } catch {
      throw .journal(error)
    }
    var placed: [AppendedEvent<Machine.Event>] = []
    placed.reserveCapacity(events.count)
    var sequence = before.sequence
    for event in events {
      sequence += 1
      placed.append(AppendedEvent(sequence: sequence, event: event))
      if !request.idempotencyKey.isEmpty {
        writer.window.note(key: request.idempotencyKey, fingerprint: fingerprint, sequence: sequence)
      }
    }
    let after = StateVersion(
      state: state, sequence: before.sequence + UInt64(events.count), chain: journal.lastChain)
    writer.version = after
    publish(after)
    return AppendResult(events: placed, before: before, after: after, isRepetition: false)
  }

  @inlinable
  func decide(
    _ request: Request, in state: Machine.State, _ explanation: inout Explanation
  ) throws(StoreError<Machine.Rejection>) -> [Machine.Event] {
    do throws(Machine.Rejection) {
      return try Machine.decide(request.command, in: state, at: request.moment, explanation: &explanation)
    } catch {
      throw .rejected(error)
    }
  }

  /// The first event of the story to which `cause` belongs; 0 when there is no cause.
  @usableFromInline
  func story(
    of cause: UInt64, _ writer: borrowing StoreWriter<Machine>
  ) throws(StoreError<Machine.Rejection>) -> UInt64 {
    guard cause > 0 else { return 0 }
    if let story = writer.envelopes.story(of: cause) { return story }
    var story = cause
    try read(after: cause - 1, upTo: cause) { record in
      if record.envelope.correlation != 0 { story = record.envelope.correlation }
    }
    return story
  }

  /// The events that a command led to the first time.
  @usableFromInline
  func events(
    of entry: IdempotencyWindow.Entry
  ) throws(StoreError<Machine.Rejection>) -> [AppendedEvent<Machine.Event>] {
    var events: [AppendedEvent<Machine.Event>] = []
    try read(after: entry.first - 1, upTo: entry.last) { record in
      if let event = record.event { events.append(AppendedEvent(sequence: record.sequence, event: event)) }
    }
    return events
  }

  private func read(
    after start: UInt64, upTo end: UInt64, _ body: (RecordedEvent<Machine.Event>) -> Void
  ) throws(StoreError<Machine.Rejection>) {
    do throws(HistoryError) {
      try forEachEvent(after: start, upTo: end, body)
    } catch {
      throw .history(error)
    }
  }

  @inlinable
  func publish(_ version: StateVersion<Machine.State>) {
    published.publish(version)
    wake()
  }
}
