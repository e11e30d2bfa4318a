import WireFormat

/// What the journal records about one event: who wrote it, when and why, around the domain's body.
///
/// Every domain and event type uses the same wire format, so a program that knows none of the events can still list a
/// journal.
public struct Envelope: Equatable, Sendable {
  /// The event type's number in the catalogue (field 1).
  public var type: UInt32
  /// The version of the body's schema (field 2; omitted on the wire when 1).
  public var version: UInt32 = 1
  /// When the event was decided (fields 3 and 4).
  public var moment: Moment
  /// The event that caused this one; zero for a command from outside (field 5).
  public var cause: UInt64 = 0
  /// The first of the events that this one is correlated with; zero if it is the first (field 6).
  public var correlation: UInt64 = 0
  /// The process that wrote it, as the number of its `process.started` event; zero before the first (field 7).
  public var process: UInt64 = 0
  /// The key under which a repeated command is recognised; empty if the command had none (field 8).
  public var idempotencyKey: [UInt8] = []
  /// What a reader that does not know this type or version must do (field 9).
  public var unknownReaders: UnknownReaderRule = .mustUnderstand
  /// The first bytes of the digest of the state after this event's batch; `nil` if none is recorded. Its field is that of its
  /// scheme: 10, as journals of format 1.0 have, 13 or 18.
  public var digest: RecordedDigest?
  /// The first eight bytes of the command's SHA-256 digest. It distinguishes a repeated command from a different one
  /// under the same idempotency key; empty without a key, or if commands have no encoding (field 11).
  public var commandFingerprint: [UInt8] = []
  /// What a program must know to understand the event (field 12).
  public var features: EnvelopeFeatures = []
  /// What the app attached to the command; `nil` if nothing (fields 14, 16 and 17).
  public var attributes: CommandAttributes?
  /// Identifies the keys that the journal is sealed with: eight bytes, in the first sealed event that a store with these keys
  /// writes; empty in all others (field 19).
  public var keyCheck: [UInt8] = []
  /// The body in wire format (field 15).
  public var body: [UInt8] = []

  /// An envelope with an empty body and version 1.
  public init(type: UInt32, at moment: Moment) {
    self.type = type
    self.moment = moment
  }

  /// Writes the envelope; equal envelopes produce equal bytes.
  public func encode(into writer: inout WireWriter) {
    (digest?.bytes ?? []).withUnsafeBytes { bytes in
      encode(into: &writer, digest: bytes, as: digest?.scheme ?? .merkle) { $0.append(encoded: body) }
    }
  }

  /// Writes the envelope with this digest and body in place of its own, for callers that do not hold them in arrays.
  func encode(
    into writer: inout WireWriter, digest: UnsafeRawBufferPointer, as scheme: DigestScheme,
    body: (inout WireWriter) -> Void
  ) {
    writer.write(1, unsigned: UInt64(type))
    if version != 1 { writer.write(2, unsigned: UInt64(version)) }
    writer.write(3, fixed: moment.wallNanoseconds)
    writer.write(4, unsigned: UInt64(bitPattern: moment.uptimeNanoseconds))
    writer.write(5, unsigned: cause)
    writer.write(6, unsigned: correlation)
    writer.write(7, unsigned: process)
    writer.write(8, bytes: idempotencyKey)
    writer.write(9, unsigned: UInt64(unknownReaders.rawValue))
    if scheme == .canonical { writer.write(10, bytes: digest) }
    writer.write(11, bytes: commandFingerprint)
    writer.write(12, unsigned: features.rawValue)
    if scheme == .merkle { writer.write(13, bytes: digest) }
    if let attributes {
      attributes.encodeOrigin(into: &writer)
      writer.writeUnlessEmpty(15, message: body)
      attributes.encodeRest(into: &writer)
    } else {
      writer.writeUnlessEmpty(15, message: body)
    }
    if scheme == .listed { writer.write(18, bytes: digest) }
    writer.write(19, bytes: keyCheck)
  }
}

/// What a program must know to understand an event, beyond its type and version: bits, each of which stops a program that
/// does not know it.
///
/// Whether an event may be left out (``Envelope/unknownReaders``) does not matter here: a feature may change what the
/// envelope or the state means.
public struct EnvelopeFeatures: OptionSet, Hashable, Sendable {
  /// The bits, as field 12 of an envelope holds them.
  public var rawValue: UInt64

  /// A set with these bits.
  @inlinable
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Some fields of the body hold a ``SealedValue`` in place of their value.
  @inlinable public static var sealedValues: EnvelopeFeatures { EnvelopeFeatures(rawValue: 1) }

  /// The command's idempotency key and fingerprint are HMACs: a program that compares them with others would carry out a
  /// repeated command once more.
  @inlinable public static var sealedCommand: EnvelopeFeatures { EnvelopeFeatures(rawValue: 4) }

  /// The features that this program understands.
  @inlinable public static var known: EnvelopeFeatures { [sealedValues, sealedCommand] }

  /// The features that this program does not understand.
  @inlinable public var unknown: EnvelopeFeatures { subtracting(.known) }

  /// The numbers of the bits, in ascending order.
  public var bits: [Int] { (0..<UInt64.bitWidth).filter { rawValue >> UInt64($0) & 1 == 1 } }

  /// The bits in a sentence, such as `the feature of bit 3` or `the features of bits 3 and 9`.
  public var phrase: String {
    let bits = bits.map(String.init)
    guard bits.count > 1, let last = bits.last else { return "the feature of bit \(bits.first ?? "none")" }
    return "the features of bits \(bits.dropLast().joined(separator: ", ")) and \(last)"
  }
}
