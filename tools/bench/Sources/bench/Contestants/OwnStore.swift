import EventSourcing
import WireFormat

/// A store as its user would write it on another engine: each command is decided in the current state, and its events are
/// encoded with their type and time, appended in one transaction, and folded. Reading decodes the same fields and folds
/// them by the same rules. It keeps no digests.
struct OwnStore<Machine: Decider> {
  private(set) var state = Machine.initialState
  private var sequence: UInt64 = 0
  /// The version that each type of event is written in.
  private let versions: [UInt32: UInt32]
  private var writer = WireWriter()
  private var body = WireWriter()
  private var bytes: [UInt8] = []
  private var sizes: [UInt32] = []

  init() {
    versions = Dictionary(uniqueKeysWithValues: Machine.Event.catalog.entries.map { ($0.number, $0.version) })
  }

  /// Decides a command, and appends and folds its events.
  ///
  /// - Returns: The last event's number.
  @discardableResult
  mutating func append(_ command: Machine.Command, at moment: Moment, to log: PeerLog) throws -> UInt64 {
    try append(command, at: moment) { _, _, bytes, sizes in try log.append(bytes, sizes: sizes) }
  }

  /// Decides a command, and folds its events after they were written.
  ///
  /// - Parameter write: Receives the first event's number, the events, and what is written of them, one behind the other.
  /// - Returns: The last event's number.
  @discardableResult
  mutating func append(
    _ command: Machine.Command, at moment: Moment,
    _ write: (UInt64, [Machine.Event], UnsafeRawBufferPointer, UnsafeBufferPointer<UInt32>) throws -> Void
  ) throws -> UInt64 {
    var explanation = Explanation()
    let decided = try Machine.decide(
      command, in: state, at: EventContext(sequence: sequence + 1, moment: moment), explanation: &explanation)
    guard let last = decided.last else { return sequence }
    bytes.removeAll(keepingCapacity: true)
    sizes.removeAll(keepingCapacity: true)
    for event in decided.events {
      encode(event, moment)
      let start = bytes.count
      writer.withBytes { bytes.append(contentsOf: $0) }
      sizes.append(UInt32(bytes.count - start))
    }
    try bytes.withUnsafeBytes { bytes in
      try sizes.withUnsafeBufferPointer { try write(sequence + 1, decided.events, bytes, $0) }
    }
    state = decided.state
    sequence = last
    return last
  }

  private mutating func encode(_ event: Machine.Event, _ moment: Moment) {
    writer.removeAll()
    body.removeAll()
    event.encodeBody(into: &body)
    writer.write(1, unsigned: UInt64(event.type))
    if let version = versions[event.type], version != 1 { writer.write(2, unsigned: UInt64(version)) }
    writer.write(3, fixed: moment.wallNanoseconds)
    writer.write(4, unsigned: UInt64(bitPattern: moment.uptimeNanoseconds))
    body.withBytes { writer.write(15, bytes: $0) }
  }

  /// Reads all events of a log, decodes them and folds them.
  mutating func replay(_ log: PeerLog) throws -> Int {
    var count = 0
    try log.forEach { number, bytes in
      try fold(number, bytes)
      count += 1
    }
    return count
  }

  private mutating func fold(_ number: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
    guard number == sequence + 1 else { throw Failure("event \(number) follows event \(sequence)") }
    try take(number, bytes)
  }

  /// Decodes an event and folds it, whichever was the last.
  mutating func take(_ number: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
    var reader = WireReader(bytes)
    let type = try reader.unsigned(ifNext: 1) ?? 0
    let version = try reader.unsigned(ifNext: 2) ?? 1
    var moment = Moment(wallNanoseconds: try reader.fixed(ifNext: 3) ?? 0)
    if let uptime = try reader.unsigned(ifNext: 4) { moment.uptimeNanoseconds = Int64(bitPattern: uptime) }
    // An event may be all defaults, and then has no bytes.
    var body = UnsafeRawBufferPointer(rebasing: bytes[..<0])
    while let field = try reader.nextField() {
      if field.number == 15 { body = try reader.rawBytes(field) } else { try reader.skip(field) }
    }
    var fields = WireReader(body)
    guard
      let event = try Machine.Event.decode(
        type: UInt32(clamping: type), version: UInt32(clamping: version), body: &fields)
    else { throw Failure("event \(number) has the unknown type \(type)") }
    Machine.reduce(into: &state, event, EventContext(sequence: number, moment: moment))
    sequence = number
  }
}
