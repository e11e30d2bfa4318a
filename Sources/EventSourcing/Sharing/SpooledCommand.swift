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
  /// The accounts whose keys seal it; empty if it was not sealed.
  let accounts: [UInt64]

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

  init() {}

  var encoded: [UInt8] {
    var writer = WireWriter()
    writer.write(1, bytes: idempotencyKey)
    writer.write(2, unsigned: origin.process)
    writer.write(3, fixed: origin.moment.wallNanoseconds)
    writer.write(4, unsigned: UInt64(bitPattern: origin.moment.uptimeNanoseconds))
    writer.write(5, string: processName)
    writer.write(isSealed ? 7 : 6) { $0.append(encoded: command) }
    return writer.bytes
  }

  /// - Throws: For bytes that are not a command, or exceed a limit.
  init(decoding bytes: [UInt8]) throws(WireError) {
    var payload = SpoolPayload()
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
        case 6: (payload.command, payload.isSealed) = (try reader.bytes(field), false)
        case 7: (payload.command, payload.isSealed) = (try reader.bytes(field), true)
        default: try reader.skip(field)
        }
      }
    }
    guard !payload.idempotencyKey.isEmpty else { throw WireError(.missing(field: 1), at: bytes.count) }
    guard !payload.processName.isEmpty else { throw WireError(.missing(field: 5), at: bytes.count) }
    self = payload
  }
}
