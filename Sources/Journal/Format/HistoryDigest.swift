import CCrypto

/// The running SHA-256 of a history, as ``JournalWriter`` keeps it in anchors, footers and segment headers.
///
/// D₀ is 32 zero bytes. At each step that follows at least one event, D becomes SHA-256(D ‖ for each event since the
/// last step, in order: bytes 12 ..< 16 + length of its frame). A step without events in between changes nothing.
final class HistoryDigest {
  /// D₀.
  static let initial = [UInt8](repeating: 0, count: 32)

  /// D as of the last step.
  private(set) var current: [UInt8]
  private var hasEvents = false
  private let context: OpaquePointer?
  private(set) var isUsable: Bool
  // Gathered, because libcrypto takes longer for a call than for the bytes of a small event.
  private let staging = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
  private var staged = 0

  /// Starts after a step that gave `current`, which must have 32 bytes.
  init(_ current: [UInt8] = HistoryDigest.initial) {
    self.current = current
    context = EVP_MD_CTX_new()
    isUsable = context != nil
    restart()
  }

  deinit {
    EVP_MD_CTX_free(context)
    staging.deallocate()
  }

  private func restart() {
    hasEvents = false
    staged = 0
    guard isUsable else { return }
    isUsable = EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
    guard isUsable else { return }
    isUsable = current.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) } == 1
  }

  /// Adds one event: bytes 12 ..< 16 + length of its frame.
  func add(_ bytes: UnsafeRawBufferPointer) {
    hasEvents = true
    if bytes.count > staging.count - staged { flush() }
    guard bytes.count <= staging.count, let address = staging.baseAddress, let source = bytes.baseAddress else {
      update(bytes)
      return
    }
    (address + staged).copyMemory(from: source, byteCount: bytes.count)
    staged += bytes.count
  }

  private func flush() {
    update(UnsafeRawBufferPointer(rebasing: staging[..<staged]))
    staged = 0
  }

  private func update(_ bytes: UnsafeRawBufferPointer) {
    guard isUsable, bytes.count > 0 else { return }
    isUsable = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
  }

  /// The value of D after a step here; the step is not taken.
  func value() -> [UInt8] {
    flush()
    guard hasEvents, isUsable else { return current }
    let copy = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(copy) }
    var result = [UInt8](repeating: 0, count: 32)
    isUsable =
      EVP_MD_CTX_copy_ex(copy, context) == 1
      && result.withUnsafeMutableBytes { EVP_DigestFinal_ex(copy, $0.baseAddress, nil) } == 1
    return result
  }

  /// Takes a step and returns D.
  func step() -> [UInt8] {
    guard hasEvents, isUsable else { return current }
    current = value()
    restart()
    return current
  }

  /// Forgets everything and continues from a known D.
  func restart(from known: [UInt8]) {
    current = known
    restart()
  }
}
