import Journal
import WireFormat

/// Wraps the events of one command in envelopes, and the envelopes in a batch for the journal.
@usableFromInline
struct EnvelopeBatch: ~Copyable, Sendable {
  /// The batch ready to append.
  @usableFromInline var batch = JournalBatch()
  /// What the app attached to the command whose events are added next.
  @usableFromInline var attributes: CommandAttributes?
  /// What a reader must know of each of that command's events; empty for nothing.
  @usableFromInline var features: [EnvelopeFeatures] = []
  /// How the digests are computed that are recorded.
  @usableFromInline var digestScheme: DigestScheme
  /// The position of this process's start event; 0 until it has written one.
  private var process: UInt64 = 0
  /// The process's start event if the batch is appended.
  private var starting: UInt64 = 0
  /// `starting` before the command being added, and the number of events before it.
  private var startingBefore: UInt64 = 0
  private var countBefore = 0
  /// The correlations of the newest events, so that a command's cause is seldom read from the journal.
  private var remembered = [Correlation](repeating: Correlation(), count: EnvelopeBatch.rememberedCount)
  /// Envelope fields that depend only on the event type, in the order of the types' numbers.
  private var entries: [Entry]
  private let processStart: UInt32?
  /// The envelope of the last event, which the next one changes: making one again counts references to all its parts.
  private var envelope = Envelope(type: 0, at: Moment(wallNanoseconds: 0))
  /// Whether events of its type are still to be read back.
  private var hasUnread = false
  private var encoded = WireWriter()

  /// - Parameter processStart: The number of the event type that records the start of a process, if the domain has one.
  init(_ types: [EventDescriptor], processStart: UInt32?, digestScheme: DigestScheme) {
    self.digestScheme = digestScheme
    entries = types.map {
      Entry(number: $0.number, version: $0.version, rule: $0.unknownReaders)
    }
    .sorted { $0.number < $1.number }
    self.processStart = processStart
  }

  /// Envelope fields that depend only on the event type.
  private struct Entry {
    var number: UInt32
    var version: UInt32
    var rule: UnknownReaderRule
    /// How many events of the type are still to be read back before they are written.
    var unread = EnvelopeBatch.readBackCount
  }

  /// How many events of a type a store reads back.
  private static var readBackCount: Int {
    #if DEBUG
      32
    #else
      1
    #endif
  }

  /// Where the entry for a type stands. O(log n).
  private func place(of type: UInt32) -> Int? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < type { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == type ? low : nil
  }

  /// Whether the event that was added last is to be read back; its type's version.
  @usableFromInline var versionToReadBack: UInt32? { hasUnread ? envelope.version : nil }

  /// Records that an event of the type that was added last can be read back.
  @usableFromInline
  mutating func recordReadBack() {
    guard let place = place(of: envelope.type) else { return }
    entries[place].unread -= 1
    hasUnread = entries[place].unread > 0
  }

  /// The correlation of one event.
  private struct Correlation {
    var sequence: UInt64 = 0
    /// The first of the correlated events; 0 if this one is.
    var first: UInt64 = 0
  }

  private static var rememberedCount: Int { 256 }

  private static func place(of sequence: UInt64) -> Int { Int(sequence % UInt64(rememberedCount)) }

  /// Envelope fields shared by all events of one command.
  @usableFromInline
  struct Origin {
    var moment: Moment
    var cause: UInt64
    /// The first of the correlated events; 0 if the command begins a correlation.
    @usableFromInline var correlation: UInt64
    @usableFromInline var idempotencyKey: [UInt8]
    @usableFromInline var commandFingerprint: [UInt8]
    /// What tells the journal's keys from others, to be recorded with the command's first event; empty for nothing.
    @usableFromInline var keyCheck: [UInt8] = []
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

    /// The correlation of the event at an index within the command.
    func correlation(at index: Int) -> UInt64 {
      correlation != 0 ? correlation : (index == 0 ? 0 : first)
    }
  }

  /// The first of the events that an event is correlated with; `nil` once it is forgotten.
  func correlation(of sequence: UInt64) -> UInt64? {
    let known = remembered[Self.place(of: sequence)]
    guard known.sequence == sequence else { return nil }
    return known.first == 0 ? sequence : known.first
  }

  /// Discards events that were not appended.
  @usableFromInline
  mutating func begin() {
    batch.removeAll()
    starting = process
    startingBefore = process
    countBefore = 0
  }

  /// Whether no event waits to be written.
  @usableFromInline var isEmpty: Bool { batch.isEmpty }

  /// Whether the batch is large enough to write.
  @usableFromInline var isFull: Bool { batch.encodedLength > 256 << 10 || batch.count >= 1024 }

  /// Ends one command: the events added next belong to another command and form their own batch.
  @usableFromInline
  mutating func endCommand() {
    batch.endBatch()
    startingBefore = starting
    countBefore = batch.count
  }

  /// Removes the events of a command that was not ended.
  @usableFromInline
  mutating func removeUnended() {
    batch.removeUnended()
    starting = startingBefore
  }

  /// Adds an event.
  ///
  /// - Parameters:
  ///   - cause: The index of the event in the same command that led to it; `nil` if the command's own cause applies.
  ///   - digest: The digest of the state after the event, if the event records it.
  ///   - body: Writes the event's body.
  @usableFromInline
  mutating func add(
    type: UInt32, from origin: borrowing Origin, because cause: Int?, digest: Digest?,
    body: (inout WireWriter) -> Void
  ) throws(JournalError) {
    let index = batch.count - countBefore
    if type == processStart { starting = origin.first + UInt64(index) }
    if index == 0 { adopt(origin) } else if !envelope.keyCheck.isEmpty { envelope.keyCheck = [] }
    if type != envelope.type { try adopt(type) }
    envelope.cause = cause.map { origin.first + UInt64($0) } ?? origin.cause
    envelope.correlation = origin.correlation(at: index)
    envelope.process = starting
    envelope.features = index < features.count ? features[index] : []
    Self.encode(envelope, digest, as: digestScheme, into: &encoded, body: body)
    try Self.append(encoded, to: &batch, label: origin.moment.wallNanoseconds)
  }

  /// Adopts what all events of a command have in common.
  private mutating func adopt(_ origin: borrowing Origin) {
    envelope.moment = origin.moment
    // Most commands have none of these.
    if !(origin.idempotencyKey.isEmpty && envelope.idempotencyKey.isEmpty) {
      envelope.idempotencyKey = origin.idempotencyKey
      envelope.commandFingerprint = origin.commandFingerprint
    }
    if attributes != nil || envelope.attributes != nil { envelope.attributes = attributes }
    if !(origin.keyCheck.isEmpty && envelope.keyCheck.isEmpty) { envelope.keyCheck = origin.keyCheck }
  }

  /// Adopts what all events of a type have in common.
  ///
  /// - Throws: `outOfRange` for a type that the catalogue lacks: nothing could read the event.
  private mutating func adopt(_ type: UInt32) throws(JournalError) {
    guard let entry = place(of: type).map({ entries[$0] }) else {
      throw JournalError(
        .outOfRange, "an event has the type \(type), which the catalogue of its domain does not list",
        remedy: "list the type in 'types', and give it fields only within the call of 'event'")
    }
    envelope.type = type
    envelope.version = entry.version
    envelope.unknownReaders = entry.rule
    hasUnread = entry.unread > 0
  }

  private static func encode(
    _ envelope: Envelope, _ digest: Digest?, as scheme: DigestScheme, into writer: inout WireWriter,
    body: (inout WireWriter) -> Void
  ) {
    writer.removeAll()
    if let digest {
      digest.withPrefix { envelope.encode(into: &writer, digest: $0, as: scheme, body: body) }
    } else {
      envelope.encode(into: &writer, digest: UnsafeRawBufferPointer(start: nil, count: 0), as: scheme, body: body)
    }
  }

  private static func append(
    _ envelope: borrowing WireWriter, to batch: inout JournalBatch, label: Int64
  ) throws(JournalError) {
    try envelope.withBytes { (bytes) throws(JournalError) in try batch.append(payload: bytes, label: label) }
  }

  /// Records that `count` events are now in the journal.
  @usableFromInline
  mutating func recordAppended(_ count: Int, from origin: borrowing Origin) {
    process = starting
    for index in max(0, count - Self.rememberedCount)..<count {
      let sequence = origin.first + UInt64(index)
      remembered[Self.place(of: sequence)] = Correlation(sequence: sequence, first: origin.correlation(at: index))
    }
  }
}
