import CommandLineInterface

/// Where text goes: a descriptor, through a buffer of 64 KiB, or memory.
///
/// On a terminal, lines are folded to its width, and output longer than a screen goes through a pager. Once the reader of
/// a pipe or the pager is gone, writing has no effect and ``isClosed`` is true, so that a command can stop early.
package final class TextOutput {
  /// The size from which the buffer is written out.
  package static let bufferSize = 65_536

  private let descriptor: Int32?
  /// The terminal's columns; `nil` if lines are not fitted.
  package private(set) var columns: Int?
  /// Shows output longer than a screen; `nil` without a pager.
  private let pager: Pager?
  /// Called before a terminal shows something.
  private let beforeShowing: () -> Void
  private var flushesEveryLine: Bool
  private var buffer: [UInt8] = []
  /// How many more lines fit on the screen; `nil` once that does not matter.
  private var room: Int?
  /// Whether text is kept back until ``finish()``.
  package var isHeld = false
  /// Whether writing has no effect: the reader is gone, or the device accepted no more text.
  package private(set) var isClosed = false
  /// Why the device accepted no more text; `nil` while it does, or if only the reader went away.
  package private(set) var failure: (reason: String, next: String)?

  /// Whether anything was written.
  private(set) var hasContent = false
  /// Whether anything of that has left the buffer.
  private var hasGoneOut = false

  /// Creates an output to a descriptor. To a terminal every line goes out at once, unless a pager may have to show it.
  init(
    descriptor: Int32, isTerminal: Bool, columns: Int? = nil, pager: Pager? = nil,
    beforeShowing: @escaping () -> Void = {}
  ) {
    self.descriptor = descriptor
    self.columns = columns
    self.pager = pager
    self.beforeShowing = beforeShowing
    room = pager?.rows
    flushesEveryLine = isTerminal && pager == nil
  }

  /// Creates an output that keeps everything in memory.
  init(columns: Int? = nil) {
    descriptor = nil
    self.columns = columns
    pager = nil
    beforeShowing = {}
    flushesEveryLine = false
  }

  /// Everything written to memory.
  package var text: String { String(decoding: buffer, as: UTF8.self) }

  /// The bytes of everything written to memory.
  package var bytes: [UInt8] { buffer }

  /// Whether the reader of a pipe is gone, before anything is written to it.
  package var isReaderGone: Bool { descriptor.map { Platform.isReaderGone($0) } ?? false }

  /// Whether a pager may show what is written.
  package var mayPage: Bool { room != nil }

  /// Leaves lines at their full length, for programs.
  package func leaveLinesWhole() {
    columns = nil
  }

  /// The columns of a page of text where no terminal says otherwise.
  package static let readableColumns = 80

  /// Folds lines for people, also where a pipe or a file has no width of its own.
  package func foldForReading() {
    columns = columns ?? Self.readableColumns
  }

  /// Writes a command line that can be copied: each of its lines but the last one ends with the backslash that joins it to
  /// the next. Words in quotes stay whole.
  package func commandLine(_ text: String, indented indentation: Int) {
    let margin = String(repeating: " ", count: indentation)
    guard let columns, indentation + TerminalText.width(of: text) > columns else { return line(margin + text) }
    var (lines, isQuoted) = ([""], false)
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let last = lines[lines.count - 1]
      let width = TerminalText.width(of: last) + 1 + TerminalText.width(of: String(word)) + " \\".count
      if isQuoted || last.isEmpty || indentation + width <= columns {
        lines[lines.count - 1] += (last.isEmpty ? "" : " ") + word
      } else {
        lines.append("  " + word)
      }
      if word.count(where: { $0 == "'" }) % 2 == 1 { isQuoted.toggle() }
    }
    write(lines.map { margin + $0 }.joined(separator: " \\\n") + "\n")
    endLine()
  }

  /// Shows everything directly, without a pager. Call it before anything is written.
  package func showAtOnce() {
    guard room != nil else { return }
    room = nil
    flushesEveryLine = true
  }

  /// Writes text and ends the line; one that is wider than the terminal is folded.
  ///
  /// - Parameter hanging: The column at which continuation lines begin; below the first letter if `nil`.
  package func line(_ text: String = "", hanging: Int? = nil) {
    guard let columns else {
      write(text)
      write("\n")
      return endLine()
    }
    for part in text.split(separator: "\n", omittingEmptySubsequences: false) {
      for line in folded(String(part), to: columns, hanging) { write(line + "\n") }
    }
    endLine()
  }

  /// Writes text in UTF-8 and ends the line, as above.
  package func line(utf8 text: [UInt8], hanging: Int? = nil) {
    guard columns == nil else { return line(String(decoding: text, as: UTF8.self), hanging: hanging) }
    write(text)
    write(CollectionOfOne(UInt8(ascii: "\n")))
    endLine()
  }

  /// Writes a page that is laid out already; on a narrower terminal its lines go on under their last column.
  package func page(_ text: String) {
    guard let columns else { return write(text) }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // What follows the last line break is a line only when it has text.
    if lines.last?.isEmpty == true { lines.removeLast() }
    for line in lines {
      guard line.utf8.count > columns, let gap = line.drop(while: { $0 == " " }).firstRange(of: "  ") else {
        self.line(String(line))
        continue
      }
      let column =
        TerminalText.width(of: String(line[..<gap.lowerBound])) + line[gap.lowerBound...].prefix { $0 == " " }.count
      self.line(String(line), hanging: column < columns / 2 ? column : nil)
    }
  }

  /// The next command begins a line of its own, so that it can be copied in one piece if it fits.
  private func folded(_ line: String, to columns: Int, _ hanging: Int?) -> [String] {
    guard line.utf8.count > columns, let next = line.ranges(of: " Next: ").last else {
      return TerminalText.folded(line, to: columns, hanging: hanging)
    }
    return TerminalText.folded(String(line[..<next.lowerBound]), to: columns, hanging: hanging)
      + TerminalText.folded(String(line[next.lowerBound...].dropFirst()), to: columns, hanging: hanging)
  }

  /// Writes a table, fitted to the terminal.
  package func table(_ table: TextTable, _ style: Style) {
    for line in table.lines(style: style, width: columns) { self.line(line) }
  }

  private func endLine() {
    if flushesEveryLine { flush() }
  }

  /// Writes text unchanged.
  package func write(_ text: String) {
    write(text.utf8)
  }

  /// Writes bytes that are no text, unchanged.
  package func write(bytes: [UInt8]) {
    write(bytes)
  }

  private func write(_ text: some Collection<UInt8>) {
    guard !isClosed else { return }
    hasContent = true
    buffer.append(contentsOf: text)
    if let room {
      let left = room - text.count(where: { $0 == UInt8(ascii: "\n") })
      self.room = left
      if left < 0 { startPager() }
    } else if descriptor != nil, !isHeld, buffer.count >= Self.bufferSize {
      flush()
    }
  }

  private func startPager() {
    room = nil
    beforeShowing()
    if pager?.start() != true { flushesEveryLine = true }
    flush()
  }

  /// Forgets everything that was written, as long as none of it has left the buffer; otherwise returns `false`.
  package func forget() -> Bool {
    guard !hasGoneOut else { return false }
    buffer.removeAll(keepingCapacity: true)
    hasContent = false
    if room != nil { room = pager?.rows }
    return true
  }

  /// Writes out the buffer, unless a pager may still have to show it.
  package func flush() {
    if room == nil, !isHeld { writeOut() }
  }

  /// Writes out everything, and waits until the pager is left.
  package func finish() {
    room = nil
    isHeld = false
    writeOut()
    guard let pager, let reason = pager.finish() else { return }
    failure = (reason, "\(Tool.name) --no-pager, or another PAGER")
  }

  private func writeOut() {
    guard let descriptor, !buffer.isEmpty, !isClosed else { return }
    hasGoneOut = true
    if pager?.descriptor == nil { beforeShowing() }
    switch buffer.withUnsafeBytes({ Platform.write($0, to: pager?.descriptor ?? descriptor) }) {
    case .written: break
    case .readerIsGone: isClosed = true
    case .failed(let number):
      isClosed = true
      failure = (
        Platform.message(ofError: number),
        Platform.meansNoRoom(number) ? "make room or write elsewhere" : "write elsewhere"
      )
    }
    buffer.removeAll(keepingCapacity: true)
  }
}
