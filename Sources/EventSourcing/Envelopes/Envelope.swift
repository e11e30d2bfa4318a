import WireFormat

/// What the journal keeps of one event: who wrote it when and why, around the body that the domain defines.
///
/// The envelope's wire format is the same for every domain and every event type, so that a program that knows no event
/// can still list a journal.
public struct Envelope: Equatable, Sendable {
  /// The event type's number in the catalogue (field 1).
  public var type: UInt32
  /// The version of the body's schema (field 2; 1 is left out on the wire).
  public var version: UInt32 = 1
  /// When the event was decided (fields 3 and 4).
  public var moment: Moment
  /// The event that caused this one; zero when a command from outside did (field 5).
  public var cause: UInt64 = 0
  /// The first event of the story this one belongs to; zero when it begins one (field 6).
  public var correlation: UInt64 = 0
  /// The process that wrote it, as the number of its `process.started` event; zero before the first (field 7).
  public var process: UInt64 = 0
  /// The key under which a repeated command is recognised; empty when the command had none (field 8).
  public var idempotencyKey: [UInt8] = []
  /// What a reader must do that does not know this type or version (field 9).
  public var unknownReaders: UnknownReaderRule = .mustUnderstand
  /// The first eight bytes of the state digest after this event's batch; empty when it was not recorded (field 10).
  public var stateDigest: [UInt8] = []
  /// The first eight bytes of the SHA-256 digest of the command, by which a repetition under the same idempotency key
  /// is told from another command; empty without a key, or when commands have no encoding (field 11).
  public var commandFingerprint: [UInt8] = []
  /// The body in wire format (field 15).
  public var body: [UInt8] = []

  /// Creates an envelope around no body.
  public init(type: UInt32, at moment: Moment) {
    self.type = type
    self.moment = moment
  }

  /// Writes the envelope; equal envelopes give equal bytes.
  public func encode(into writer: inout WireWriter) {
    stateDigest.withUnsafeBytes { digest in
      body.withUnsafeBytes { body in encode(into: &writer, stateDigest: digest, body: body) }
    }
  }

  /// Writes the envelope with this digest and this body in place of its own, for whoever has them in no array.
  func encode(into writer: inout WireWriter, stateDigest: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer) {
    writer.write(1, unsigned: UInt64(type))
    if version != 1 { writer.write(2, unsigned: UInt64(version)) }
    writer.write(3, fixed: moment.wallNanoseconds)
    writer.write(4, unsigned: UInt64(bitPattern: moment.uptimeNanoseconds))
    writer.write(5, unsigned: cause)
    writer.write(6, unsigned: correlation)
    writer.write(7, unsigned: process)
    writer.write(8, bytes: idempotencyKey)
    writer.write(9, unsigned: UInt64(unknownReaders.rawValue))
    writer.write(10, bytes: stateDigest)
    writer.write(11, bytes: commandFingerprint)
    writer.write(15, bytes: body)
  }
}
