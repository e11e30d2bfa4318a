/// Where text goes: a descriptor, through a buffer of 64 KiB, or memory.
///
/// When whoever reads is gone, writing does nothing any more and ``isClosed`` says so, so that a command can stop early.
final class TextOutput {
  /// The size from which the buffer is written out.
  static let bufferSize = 65_536

  private let descriptor: Int32?
  private let flushesEveryLine: Bool
  private var buffer: [UInt8] = []
  /// Whether nobody takes text any more.
  private(set) var isClosed = false
  /// Why the device took no more text; `nil` while it does, or when the reader has just gone away.
  private(set) var failure: String?

  /// Whether anything was written.
  private(set) var hasContent = false

  /// Creates an output to a descriptor. To a terminal every line goes out at once.
  init(descriptor: Int32, isTerminal: Bool) {
    self.descriptor = descriptor
    flushesEveryLine = isTerminal
  }

  /// Creates an output that keeps everything in memory.
  init() {
    descriptor = nil
    flushesEveryLine = false
  }

  /// Everything written to memory.
  var text: String { String(decoding: buffer, as: UTF8.self) }

  /// Whether whoever read the other end of a pipe is gone, before anything is written to it.
  var isReaderGone: Bool { descriptor.map { Platform.isReaderGone($0) } ?? false }

  /// Writes text and ends the line.
  func line(_ text: String = "") {
    write(text)
    write("\n")
    if flushesEveryLine { flush() }
  }

  /// Writes text as it is.
  func write(_ text: String) {
    guard !isClosed else { return }
    hasContent = true
    buffer.append(contentsOf: text.utf8)
    if descriptor != nil, buffer.count >= Self.bufferSize { flush() }
  }

  /// Writes out what is in the buffer.
  func flush() {
    guard let descriptor, !buffer.isEmpty, !isClosed else { return }
    switch buffer.withUnsafeBytes({ Platform.write($0, to: descriptor) }) {
    case .written: break
    case .readerIsGone: isClosed = true
    case .failed(let number):
      isClosed = true
      failure = Platform.message(ofError: number)
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
