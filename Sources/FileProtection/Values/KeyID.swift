/// The name of a key in the headers of what it encrypts. Says nothing about the key or its owner.
public struct KeyID: Hashable, Sendable, CustomStringConvertible {
  /// The length, 16 bytes.
  public static let byteCount = 16

  /// The 16 bytes.
  public let bytes: [UInt8]

  /// `nil` unless there are 16 bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// The bytes as hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
