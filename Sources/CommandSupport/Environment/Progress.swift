import CommandLineInterface
import Journal
import PlainText
import Synchronization

/// A command's progress, in one line of a terminal that is cleared before anything else is shown.
///
/// It appears once a command has taken a second. Any thread may note work; the clock is read once per so much work, and
/// the line is written at most ten times a second.
package final class Progress: Sendable {
  /// What work is counted in.
  package enum Unit: Sendable {
    case bytes
    case items(String)
  }

  private struct Line {
    var label = ""
    var unit = Unit.bytes
    var total: UInt64?
    /// When work began whose end is estimated; `nil` where it is not.
    var begunAt: UInt64?
    var failures = 0
    var drawnAt: UInt64?
    var isShown = false
    var hasEnded = false
  }

  private static let delayNanoseconds: UInt64 = 1_000_000_000
  private static let intervalNanoseconds: UInt64 = 100_000_000

  private let columns: Int
  /// Number of bytes between two readings of the clock.
  private let stride: UInt64
  private let now: @Sendable () -> UInt64
  private let write: @Sendable (String) -> Void
  private let startedAt: UInt64
  private let done = Atomic<UInt64>(0)
  /// Amount of work before the clock is read again.
  private let next = Atomic<UInt64>(0)
  private let line = Lock(Line())

  /// The line is not shown yet.
  ///
  /// - Parameters:
  ///   - columns: The terminal's.
  ///   - stride: Number of bytes between two readings of the clock.
  ///   - now: Nanoseconds of a monotonic clock.
  ///   - write: Writes to the terminal.
  init(
    columns: Int, stride: UInt64 = 1 << 18, now: @escaping @Sendable () -> UInt64,
    write: @escaping @Sendable (String) -> Void
  ) {
    self.columns = columns
    self.stride = stride
    self.now = now
    self.write = write
    startedAt = now()
  }

  /// Begins another part of the work.
  ///
  /// - Parameters:
  ///   - total: Amount of work; `nil` if unknown.
  ///   - estimates: Whether the line says how much failed, and how long the rest will take.
  package func begin(_ label: String, total: UInt64?, in unit: Unit = .bytes, estimates: Bool = false) {
    line.withLock { line in
      (line.label, line.unit, line.total) = (label, unit, total)
      (line.begunAt, line.failures) = (estimates ? now() : nil, 0)
      done.store(0, ordering: .relaxed)
      next.store(stride(of: unit), ordering: .relaxed)
    }
  }

  /// Notes work that was done.
  package func note(_ count: Int) {
    let done = done.wrappingAdd(UInt64(clamping: count), ordering: .relaxed).newValue
    guard done >= next.load(ordering: .relaxed) else { return }
    draw(done)
  }

  /// Notes work that failed, for a line that says so.
  package func noteFailures(_ count: Int) {
    if count > 0 { line.withLock { $0.failures += count } }
  }

  /// Clears the line until more work is noted.
  package func clear() {
    line.withLock { erase(&$0) }
  }

  /// Clears the line for good, because results are shown.
  package func end() {
    line.withLock { line in
      erase(&line)
      line.hasEnded = true
    }
  }

  private func stride(of unit: Unit) -> UInt64 {
    switch unit {
    case .bytes: stride
    case .items: 1
    }
  }

  private func erase(_ line: inout Line) {
    guard line.isShown else { return }
    write("\r\u{1B}[K")
    line.isShown = false
  }

  private func draw(_ done: UInt64) {
    line.withLock { line in
      next.store(done + stride(of: line.unit), ordering: .relaxed)
      let now = now()
      guard !line.hasEnded, now &- startedAt >= Self.delayNanoseconds else { return }
      if let drawnAt = line.drawnAt, now &- drawnAt < Self.intervalNanoseconds { return }
      line.drawnAt = now
      line.isShown = true
      write("\r" + TerminalText.truncated(Self.text(done, line, now), to: columns - 1) + "\u{1B}[K")
    }
  }

  private static func text(_ done: UInt64, _ line: Line, _ now: UInt64) -> String {
    guard let total = line.total, total > 0 else { return "\(line.label): \(amount(done, line.unit))" }
    // What is read twice counts twice.
    let share = min(UInt64(Double(done) / Double(total) * 100), 100)
    let text = "\(line.label): \(share) % of \(amount(total, line.unit))"
    guard let begunAt = line.begunAt, done > 0 else { return text }
    let rest = Double(now &- begunAt) / Double(done) * Double(total - min(done, total))
    return text + (line.failures > 0 ? ", \(line.failures.grouped) failed" : "")
      + ", \(span(UInt64(rest / 1_000_000_000))) left"
  }

  private static func span(_ seconds: UInt64) -> String {
    seconds < 60
      ? "\(seconds) s" : seconds < 3_600 ? "\(seconds / 60) min" : "\(seconds / 3_600) h \(seconds / 60 % 60) min"
  }

  private static func amount(_ count: UInt64, _ unit: Unit) -> String {
    switch unit {
    case .items(let name): "\(count.grouped) \(name)"
    case .bytes:
      count < 10 << 20 ? "\((count >> 10).grouped) KiB" : "\((count >> 20).grouped) MiB"
    }
  }
}

extension Progress? {
  /// A file system whose reads are noted where a line shows them.
  func noting(_ fileSystem: any FileSystem) -> any FileSystem {
    guard let self else { return fileSystem }
    return CountingFileSystem(fileSystem) { self.note($0) }
  }
}
