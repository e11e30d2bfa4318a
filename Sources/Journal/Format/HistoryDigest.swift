import Cryptography

/// The running SHA-256 of a history, as ``JournalWriter`` keeps it in anchors, footers and segment headers.
///
/// D₀ is 32 zero bytes. At each step that follows at least one event, D becomes SHA-256(D ‖ for each event since the
/// last step, in order: bytes 12 ..< 16 + length of its frame). A step without events in between changes nothing. Where a
/// segment begins with a catalogue, one more step adds the catalogue's SHA-256: see ``SegmentHeader/beginDigest()``.
final class HistoryDigest {
  /// D₀.
  static let initial = [UInt8](repeating: 0, count: 32)

  /// D as of the last step.
  private(set) var current: [UInt8]
  private var hasEvents = false
  private var running = RunningSHA256()
  // Gathered, because many blocks are digested faster in one call than one at a time.
  private let staging = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
  private var staged = 0

  /// Starts after a step that gave `current`, which must have 32 bytes.
  init(_ current: [UInt8] = HistoryDigest.initial) {
    self.current = current
    restart()
  }

  deinit {
    staging.deallocate()
  }

  private func restart() {
    hasEvents = false
    staged = 0
    running = RunningSHA256()
    current.withUnsafeBytes { update($0) }
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
    running.add(bytes)
  }

  /// The value of D after a step here; the step is not taken.
  func value() -> [UInt8] {
    flush()
    guard hasEvents else { return current }
    return running.digest
  }

  /// Takes a step and returns D.
  func step() -> [UInt8] {
    guard hasEvents else { return current }
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
