import Journal
import WireFormat

/// A command that another process handed over.
public struct SpooledCommand<Machine: HandoverDomain>: Sendable {
  /// The change requested.
  public let command: Machine.Command
  /// Recognises the command when it is carried out again after a crash.
  public let idempotencyKey: [UInt8]
  /// The process that made the request, and when.
  public let origin: CommandOrigin
  /// The name of that process.
  public let processName: String
  /// The accounts whose keys seal it; `nil` if it was not sealed.
  let accounts: [UInt64]?

  /// What the events of the command carry: ``origin``, and ``processName`` under the key `process`.
  public var attributes: CommandAttributes {
    CommandAttributes(origin: origin, metadata: [MetadataEntry("process", processName)])
  }
}

/// A command as its file holds it.
struct SpoolPayload {
  var idempotencyKey: [UInt8] = []
  var origin = CommandOrigin(process: 0, at: Moment(wallNanoseconds: 0))
  var processName = ""
  /// The command, plain or sealed.
  var command: [UInt8] = []
  var isSealed = false
  /// The bytes before the command, which are never encrypted: fields 1 to 5, and what newer programs add.
  private(set) var plain: [UInt8] = []

  /// - Throws: What `command` throws.
  init<Failure: Error>(
    idempotencyKey: [UInt8], origin: CommandOrigin, processName: String, isSealed: Bool,
    command: (_ plain: [UInt8]) throws(Failure) -> [UInt8]
  ) throws(Failure) {
    (self.idempotencyKey, self.origin, self.processName) = (idempotencyKey, origin, processName)
    self.isSealed = isSealed
    var writer = WireWriter()
    writer.write(1, bytes: idempotencyKey)
    writer.write(2, unsigned: origin.process)
    writer.write(3, fixed: origin.moment.wallNanoseconds)
    writer.write(4, unsigned: UInt64(bitPattern: origin.moment.uptimeNanoseconds))
    writer.write(5, string: processName)
    plain = writer.bytes
    self.command = try command(plain)
  }

  private init() {}

  var encoded: [UInt8] {
    var writer = WireWriter()
    writer.append(encoded: plain)
    writer.write(isSealed ? 7 : 6) { $0.append(encoded: command) }
    return writer.bytes
  }

  /// - Parameter isSealed: Whether all of the payload is: the sealed command then is its last field.
  /// - Throws: For bytes that are not a command, or exceed a limit.
  init(decoding bytes: [UInt8], isSealed: Bool) throws(WireError) {
    var payload = SpoolPayload()
    var place = 0
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      while let field = try reader.nextField() {
        switch field.number {
        case 1:
          payload.idempotencyKey = try reader.bytes(field)
          guard (1...IdempotencyWindow.maximumKeyLength).contains(payload.idempotencyKey.count) else {
            throw WireError(.outOfRange(field: 1), at: field.offset)
          }
        case 2: payload.origin.process = try reader.unsigned(field)
        case 3: payload.origin.moment.wallNanoseconds = try reader.fixed(field)
        case 4: payload.origin.moment.uptimeNanoseconds = Int64(bitPattern: try reader.unsigned(field))
        case 5:
          payload.processName = try reader.string(field)
          guard CommandAttributes.isKey(payload.processName) else {
            throw WireError(.outOfRange(field: 5), at: field.offset)
          }
        case 6 where !isSealed:
          (payload.command, payload.isSealed, place) = (try reader.bytes(field), false, field.offset)
        case 7:
          (payload.command, payload.isSealed, place) = (try reader.bytes(field), true, field.offset)
          // Only what stands before it is under its tag.
          if isSealed, !reader.rest.isEmpty { throw WireError(.outOfRange(field: 7), at: field.offset) }
        default: try reader.skip(field)
        }
      }
    }
    payload.plain = Array(bytes[..<place])
    guard payload.isSealed || !isSealed else { throw WireError(.missing(field: 7), at: bytes.count) }
    guard !payload.idempotencyKey.isEmpty else { throw WireError(.missing(field: 1), at: bytes.count) }
    guard !payload.processName.isEmpty else { throw WireError(.missing(field: 5), at: bytes.count) }
    self = payload
  }
}
