/// A process that this one started and talks to in lines.
package final class ChildProcess {
  /// The process's number.
  package let pid: Int32
  private var input: Int32
  private let output: LineReader
  private var status: Int32?

  /// Starts a program.
  ///
  /// - Throws: ``ProcessFailure`` when it cannot be started.
  package init(_ path: String, _ arguments: [String]) throws(ProcessFailure) {
    guard let started = Platform.spawn(path, arguments) else {
      throw ProcessFailure("\(path) cannot be started")
    }
    pid = started.pid
    input = started.input
    output = LineReader(started.output)
  }

  deinit {
    if status == nil {
      Platform.kill(pid)
      _ = Platform.wait(pid)
    }
    closeInput()
    Platform.shut(output.descriptor)
  }

  /// The next whole line that it printed; `nil` when none came in time, or none will come.
  package func nextLine(withinMicroseconds limit: UInt64) -> String? { output.next(withinMicroseconds: limit) }

  /// Whether it will print nothing more.
  package var isSilent: Bool { output.isAtEnd }

  /// Gives it a line to read.
  package func send(_ line: String) { Platform.tell(line, to: input) }

  /// Lets it read the end of its input.
  package func closeInput() {
    if input >= 0 { Platform.shut(input) }
    input = -1
  }

  /// Lets it live for a while and kills it. Passes each line that it printed to `note`, and whether it is still alive.
  ///
  /// - Throws: ``ProcessFailure`` if it ended by itself, and what `note` throws.
  package func live(
    forMicroseconds life: UInt64, as name: String, _ note: (String, _ isAlive: Bool) throws(ProcessFailure) -> Void
  ) throws(ProcessFailure) {
    let end = Platform.monotonicNanoseconds + life * 1000
    while !isSilent {
      let now = Platform.monotonicNanoseconds
      guard now < end else { break }
      if let line = nextLine(withinMicroseconds: (end - now) / 1000) { try note(line, true) }
    }
    kill()
    for line in remainingLines() { try note(line, false) }
    let status = wait()
    guard status == -9 else { throw ProcessFailure("\(name) ended by itself with code \(status)") }
  }

  /// Ends it at once, as a crash would.
  package func kill() { Platform.kill(pid) }

  /// Waits for it to end: its exit code, or minus the signal that ended it.
  @discardableResult
  package func wait() -> Int32 {
    if let status { return status }
    let status = Platform.wait(pid)
    self.status = status
    return status
  }

  /// Everything that is left of what it prints, until it ends.
  package func remainingLines() -> [String] {
    var lines: [String] = []
    while !isSilent {
      if let line = nextLine(withinMicroseconds: 1_000_000) { lines.append(line) }
    }
    return lines
  }
}

/// Whole lines from a pipe.
package final class LineReader {
  let descriptor: Int32
  private var pending: [UInt8] = []
  private var start = 0
  private var isEnded = false

  /// Reads from a descriptor, which stays open.
  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Whether no line will come any more. What follows the last line end is dropped: half a line says nothing.
  package var isAtEnd: Bool { isEnded && !pending[start...].contains(0x0A) }

  /// The next line; `nil` when none came in time, or none will come.
  package func next(withinMicroseconds limit: UInt64) -> String? {
    while true {
      if let end = pending[start...].firstIndex(of: 0x0A) {
        let line = String(decoding: pending[start..<end], as: UTF8.self)
        start = end + 1
        return line
      }
      if isEnded { return nil }
      guard let bytes = Platform.receive(from: descriptor, withinMicroseconds: limit) else { return nil }
      isEnded = bytes.isEmpty
      pending = Array(pending[start...]) + bytes
      start = 0
    }
  }
}

/// Something that is not as it should be, in one sentence without a full stop.
package struct ProcessFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
