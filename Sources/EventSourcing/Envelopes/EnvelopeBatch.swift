import Journal
import WireFormat

/// Puts the events of one command into envelopes, and the envelopes into a batch for the journal.
@usableFromInline
struct EnvelopeBatch: ~Copyable, Sendable {
  /// Where the body of the next event is encoded.
  @usableFromInline var body = WireWriter()
  /// What is ready to be appended.
  @usableFromInline var batch = JournalBatch()
  /// The position of this process's start; 0 until it has written one.
  private var process: UInt64 = 0
  /// The same, if the batch is appended.
  private var starting: UInt64 = 0
  /// The same before the command whose events are being added, and how many events there were.
  private var startingBefore: UInt64 = 0
  private var countBefore = 0
  /// The stories of the newest events, so that a command's cause need not be read from the journal, mostly.
  private var stories = [Story](repeating: Story(), count: EnvelopeBatch.rememberedStoryCount)
  /// What the envelope says of the events' types, in the order of their numbers.
  private let entries: [Entry]
  private let processStart: UInt32?
  private var envelope = WireWriter()

  /// - Parameter processStart: The number of the event type that says that a process has started, if there is one.
  init(_ catalog: EventCatalog, processStart: UInt32?) {
    entries = catalog.entries.map { Entry(number: $0.number, version: $0.version, rule: $0.unknownReaders) }
      .sorted { $0.number < $1.number }
    self.processStart = processStart
  }

  /// What the envelope says of a type.
  private struct Entry {
    var number: UInt32
    var version: UInt32
    var rule: UnknownReaderRule
  }

  /// What is known of a type. O(log n).
  private func entry(of type: UInt32) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < type { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == type ? entries[low] : nil
  }

  /// To which story an event belongs.
  private struct Story {
    var sequence: UInt64 = 0
    var correlation: UInt64 = 0
  }

  private static var rememberedStoryCount: Int { 256 }

  private static func place(of sequence: UInt64) -> Int { Int(sequence % UInt64(rememberedStoryCount)) }

  /// What is the same in all events of one command.
  @usableFromInline
  struct Origin {
    var moment: Moment
    var cause: UInt64
    /// The first event of the story; 0 when the command begins one.
    @usableFromInline var correlation: UInt64
    @usableFromInline var idempotencyKey: [UInt8]
    @usableFromInline var commandFingerprint: [UInt8]
    /// The position of the command's first event.
    @usableFromInline var first: UInt64

    @usableFromInline
    init(
      moment: Moment, cause: UInt64, correlation: UInt64, idempotencyKey: [UInt8], commandFingerprint: [UInt8],
      first: UInt64
    ) {
      self.moment = moment
      self.cause = cause
      self.correlation = correlation
      self.idempotencyKey = idempotencyKey
      self.commandFingerprint = commandFingerprint
      self.first = first
    }

    /// The story of the event at an index of the command.
    func story(at index: Int) -> UInt64 {
      correlation != 0 ? correlation : (index == 0 ? 0 : first)
    }
  }

  /// The first event of the story to which an event belongs; `nil` when that is not remembered.
  func story(of sequence: UInt64) -> UInt64? {
    let story = stories[Self.place(of: sequence)]
    guard story.sequence == sequence else { return nil }
    return story.correlation == 0 ? sequence : story.correlation
  }

  /// Forgets events that were not appended.
  @usableFromInline
  mutating func begin() {
    batch.removeAll()
    starting = process
    startingBefore = process
    countBefore = 0
  }

  /// Whether there is nothing to be written.
  @usableFromInline var isEmpty: Bool { batch.isEmpty }

  /// Whether enough commands are together for one call.
  @usableFromInline var isFull: Bool { batch.encodedLength > 256 << 10 || batch.count >= 1024 }

  /// Ends the events of one command: what is added from here on is another one's, and a batch of its own.
  @usableFromInline
  mutating func endCommand() {
    batch.endBatch()
    startingBefore = starting
    countBefore = batch.count
  }

  /// Takes out the events of a command that was not ended.
  @usableFromInline
  mutating func removeUnended() {
    batch.removeUnended()
    starting = startingBefore
  }

  /// Adds the event whose body is in ``body``.
  ///
  /// - Parameters:
  ///   - cause: The index of the event of the same command that led to it; `nil` where the command's own cause did.
  ///   - digest: That of the state after the event, if the event records it.
  @usableFromInline
  mutating func add(
    type: UInt32, from origin: borrowing Origin, because cause: Int?, stateDigest digest: Digest?
  ) throws(JournalError) {
    let index = batch.count - countBefore
    if type == processStart { starting = origin.first + UInt64(index) }
    var envelope = Envelope(type: type, at: origin.moment)
    if let entry = entry(of: type) {
      envelope.version = entry.version
      envelope.unknownReaders = entry.rule
    }
    envelope.cause = cause.map { origin.first + UInt64($0) } ?? origin.cause
    envelope.correlation = origin.story(at: index)
    envelope.process = starting
    envelope.idempotencyKey = origin.idempotencyKey
    envelope.commandFingerprint = origin.commandFingerprint
    Self.encode(envelope, stateDigest: digest, body: body, into: &self.envelope)
    try Self.append(self.envelope, to: &batch, label: origin.moment.wallNanoseconds)
  }

  private static func encode(
    _ envelope: Envelope, stateDigest digest: Digest?, body: borrowing WireWriter, into writer: inout WireWriter
  ) {
    writer.removeAll()
    body.withBytes { body in
      if let digest {
        digest.withPrefix { envelope.encode(into: &writer, stateDigest: $0, body: body) }
      } else {
        envelope.encode(into: &writer, stateDigest: UnsafeRawBufferPointer(start: nil, count: 0), body: body)
      }
    }
  }

  private static func append(
    _ envelope: borrowing WireWriter, to batch: inout JournalBatch, label: Int64
  ) throws(JournalError) {
    try envelope.withBytes { (bytes) throws(JournalError) in try batch.append(payload: bytes, label: label) }
  }

  /// Notes that the events, of which there were so many, are in the journal.
  @usableFromInline
  mutating func noteAppended(_ count: Int, from origin: borrowing Origin) {
    process = starting
    for index in 0..<count {
      let sequence = origin.first + UInt64(index)
      stories[Self.place(of: sequence)] = Story(sequence: sequence, correlation: origin.story(at: index))
    }
  }
}
