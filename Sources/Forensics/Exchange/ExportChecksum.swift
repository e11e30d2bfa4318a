import CCrypto

/// A running SHA-256 (FIPS 180-4).
struct ExportChecksum {
  private var context = SHA256_CTX()

  init() {
    SHA256_Init(&context)
  }

  /// Adds bytes.
  mutating func add(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { add($0) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if !bytes.isEmpty { SHA256_Update(&context, bytes.baseAddress, bytes.count) }
  }

  /// Adds an event: the length of its payload in four bytes, the least significant first, and the payload.
  mutating func add(event payload: UnsafeRawBufferPointer) {
    withUnsafeBytes(of: UInt32(payload.count).littleEndian) { add($0) }
    add(payload)
  }

  /// The digest of everything added, in hexadecimal digits.
  var hex: String {
    var (copy, digest) = (context, [UInt8](repeating: 0, count: 32))
    SHA256_Final(&digest, &copy)
    var text: [UInt8] = []
    text.append(hexadecimal: digest)
    return String(decoding: text, as: UTF8.self)
  }
}
