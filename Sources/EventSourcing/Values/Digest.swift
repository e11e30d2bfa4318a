import Cryptography
import WireFormat

/// A SHA-256 digest, stored in four words so that it can be kept and compared without allocating.
///
/// ```swift
/// Digest.sha256([]).hex  // e3b0c442 98fc1c14 ... without the spaces
/// ```
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The length of a digest, 32.
  public static let byteCount = 32

  /// The 32 bytes, eight per word, the first byte most significant.
  private let words: InlineWords

  private struct InlineWords: Hashable, Sendable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    var third: UInt64 = 0
    var fourth: UInt64 = 0
  }

  /// The digest with the given bytes; `nil` unless there are exactly 32.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Digest.byteCount else { return nil }
    var words = [UInt64](repeating: 0, count: 4)
    for (index, byte) in bytes.enumerated() {
      words[index / 8] = words[index / 8] << 8 | UInt64(byte)
    }
    self.words = InlineWords(first: words[0], second: words[1], third: words[2], fourth: words[3])
  }

  /// The digest with these words, the first byte most significant.
  init(inOrder words: (UInt64, UInt64, UInt64, UInt64)) {
    self.init(words: InlineWords(first: words.0, second: words.1, third: words.2, fourth: words.3))
  }

  /// The bytes as words, the first byte most significant.
  @usableFromInline var inOrder: (UInt64, UInt64, UInt64, UInt64) {
    (words.first, words.second, words.third, words.fourth)
  }

  private init(words: InlineWords) {
    self.words = words
  }

  /// The digest stored in the 32 bytes at `place`.
  init(_ bytes: [UInt8], at place: Int) {
    func word(_ index: Int) -> UInt64 {
      bytes[(place + index * 8)..<(place + index * 8 + 8)].reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(words: InlineWords(first: word(0), second: word(1), third: word(2), fourth: word(3)))
  }

  /// Overwrites the 32 bytes at `place`.
  func write(to bytes: inout [UInt8], at place: Int) {
    withBytes { source in
      bytes.withUnsafeMutableBytes { target in
        UnsafeMutableRawBufferPointer(rebasing: target[place..<(place + Digest.byteCount)]).copyMemory(from: source)
      }
    }
  }

  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    // Four words without padding, each stored with its first byte first.
    let all = (words.first.bigEndian, words.second.bigEndian, words.third.bigEndian, words.fourth.bigEndian)
    return withUnsafeBytes(of: all, body)
  }

  /// The SHA-256 digest of `bytes` (FIPS 180-4). O(n).
  public static func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
    var running = RunningSHA256()
    running.add(bytes)
    return Digest(running)
  }

  /// The SHA-256 digest of the bytes written.
  @usableFromInline
  static func sha256(_ message: borrowing WireWriter) -> Digest {
    message.withBytes { sha256($0) }
  }

  /// The digest of everything that `running` was given.
  @usableFromInline
  init(_ running: consuming RunningSHA256) {
    self = withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { output in
      running.finish(into: output)
      func word(_ index: Int) -> UInt64 {
        UInt64(bigEndian: output.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
      }
      return Digest(words: InlineWords(first: word(0), second: word(1), third: word(2), fourth: word(3)))
    }
  }

  /// The SHA-256 digest of `bytes`. O(n).
  public static func sha256(_ bytes: [UInt8]) -> Digest {
    bytes.withUnsafeBytes { sha256($0) }
  }

  /// All 32 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Digest.byteCount)
    append(to: &bytes)
    return bytes
  }

  /// Appends all 32 bytes.
  @usableFromInline
  func append(to bytes: inout [UInt8]) {
    withBytes { bytes.append(contentsOf: $0) }
  }

  /// The first eight bytes: the part of a state digest that an ``Envelope`` keeps.
  public var prefix: [UInt8] { withPrefix { [UInt8]($0) } }

  /// Passes the first eight bytes to `body`.
  func withPrefix<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: words.first.bigEndian, body)
  }

  /// Whether the digest begins with `prefix`, at most 32 bytes. Every digest begins with an empty prefix.
  public func begins(with prefix: some Collection<UInt8>) -> Bool {
    prefix.count <= Digest.byteCount && withBytes { $0.starts(with: prefix) }
  }

  /// The same for bytes in place: not generic, because a check asks it for every command.
  @usableFromInline
  func begins(with prefix: UnsafeRawBufferPointer) -> Bool {
    if prefix.count == MemoryLayout<UInt64>.size {
      return UInt64(bigEndian: prefix.loadUnaligned(as: UInt64.self)) == words.first
    }
    return prefix.count <= Digest.byteCount
      && withBytes { UnsafeRawBufferPointer(rebasing: $0[..<prefix.count]).elementsEqual(prefix) }
  }

  /// All 64 hexadecimal digits, in lower case; the same as ``description``.
  public var hex: String { Digest.hex(bytes) }

  /// The first 12 hexadecimal digits: enough to tell two states apart on a screen.
  public var shortHex: String { Digest.hex(bytes.prefix(6)) }

  /// ``hex``.
  public var description: String { hex }

  /// Any bytes as hexadecimal digits in lower case.
  public static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits: [Character] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a", "b", "c", "d", "e", "f"]
    var text = ""
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }
}
