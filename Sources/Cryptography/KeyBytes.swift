#if canImport(Darwin)
  import Darwin
#else
  import CCrypto
#endif

/// The bytes of a secret key: one copy at one place in memory, cleared when its last owner lets go of it, and never printed.
///
/// Unchecked because of the pointer: what it points to is written only before `init` returns and by `deinit`.
package final class KeyBytes: @unchecked Sendable, Equatable, CustomStringConvertible, CustomReflectable {
  private let bytes: UnsafeMutableRawBufferPointer

  /// Takes the key that `fill` writes into memory that holds zeros.
  package init<Failure: Error>(
    count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    bytes = .allocate(byteCount: count, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    try fill(bytes)
  }

  /// Copies a key, of which the caller's copy remains.
  package convenience init(copying key: some Collection<UInt8>) {
    self.init(count: key.count) { $0.copyBytes(from: key) }
  }

  deinit {
    Self.clear(bytes)
    bytes.deallocate()
  }

  /// How many bytes the key has.
  package var count: Int { bytes.count }

  /// Lends the bytes. The pointer is valid only within `body`.
  package func withUnsafeBytes<Value, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try body(UnsafeRawBufferPointer(bytes))
  }

  /// Overwrites memory with zeros in a way that no compiler leaves out.
  package static func clear(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    #if canImport(Darwin)
      memset_s(start, bytes.count, 0, bytes.count)
    #else
      OPENSSL_cleanse(start, bytes.count)
    #endif
  }

  /// Whether two keys are the same, in a time that depends only on their length.
  package static func == (one: KeyBytes, other: KeyBytes) -> Bool {
    one.count == other.count && zip(one.bytes, other.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  package var description: String { "(key)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
