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
