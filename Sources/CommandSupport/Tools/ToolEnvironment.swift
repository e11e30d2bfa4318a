import Journal

/// The environment that the tool runs in.
package struct ToolEnvironment {
  /// The tool.
  package let tool: ToolDefinition
  /// Whether standard output is a terminal.
  package var outputIsTerminal = false
  /// Whether `NO_COLOR` is set to something (no-color.org), or `TERM` says that the terminal has none; this turns colors
  /// off unless `--color always` is given.
  package var noColor = false
  /// Whether charts are drawn in ASCII: the locale of a terminal is not UTF-8.
  package var isASCII = false
  /// Number of columns to which help is wrapped.
  package var width = 80
  /// The progress line; `nil` where standard error is not a terminal that could show it.
  package var progress: Progress?
  /// Where journals are.
  package var fileSystem: any FileSystem = PosixFileSystem()
  /// Journals of at least this many bytes are read only where the answer is; reading a shorter one as a whole takes a few
  /// milliseconds.
  var seekingSize: UInt64 = 4 << 20

  /// Number of threads that compute the rows of a log.
  package var threadCount: Int

  /// Reads standard input to its end, up to a limit in bytes.
  package var readStandardInput: @Sendable (Int) -> Platform.ReadResult = { _ in .bytes([]) }

  /// Called when a journal is followed, so that the user can interrupt it.
  package var whenFollowing: @Sendable (JournalChanges) -> Void = { _ in }

  /// An environment without a terminal, for tests.
  init(of tool: ToolDefinition) {
    self.tool = tool
    threadCount = fileSystem.processorCount
  }

  /// The environment of this process.
  package static func current(of tool: ToolDefinition) -> ToolEnvironment {
    var environment = ToolEnvironment(of: tool)
    environment.outputIsTerminal = Platform.isTerminal(1)
    environment.noColor =
      Platform.variable("NO_COLOR").map { !$0.isEmpty } ?? false || Platform.variable("TERM") == "dumb"
    environment.isASCII = environment.outputIsTerminal && !isUTF8
    environment.readStandardInput = { limit in Platform.standardInput(limit: limit) }
    environment.whenFollowing = { changes in Platform.onInterrupt { changes.stop() } }
    if environment.outputIsTerminal { environment.width = min(max(columns(ofTerminal: 1), 40), 160) }
    if Platform.isTerminal(2), Platform.variable("TERM").map({ $0 != "dumb" }) ?? false {
      let clock = PosixFileSystem()
      environment.progress = Progress(
        columns: columns(ofTerminal: 2), now: { clock.monotonicNanoseconds },
        write: { text in
          var text = text
          _ = text.withUTF8 { Platform.write(UnsafeRawBufferPointer($0), to: 2) }
        })
    }
    return environment
  }

  /// Whether the locale is UTF-8: the first of these variables that is set says so (POSIX, 8.2).
  private static var isUTF8: Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.lazy.compactMap { Platform.variable($0) }.first { !$0.isEmpty } ?? ""
    return ["utf-8", "utf8"].contains { locale.lowercased().contains($0) }
  }

  /// The columns of a terminal: what `COLUMNS` says, or the terminal itself.
  private static func columns(ofTerminal descriptor: Int32) -> Int {
    let said = Platform.variable("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    return max(said ?? Platform.size(ofTerminal: descriptor)?.columns ?? 80, 20)
  }

  /// Standard output as this place has it: on a terminal fitted to its width, and a screen at a time.
  package func standardOutput() -> TextOutput {
    guard outputIsTerminal else { return TextOutput(descriptor: 1, isTerminal: false) }
    // The pager's prompt takes a line, and so does the shell's after output that just fits.
    let rows = (Platform.size(ofTerminal: 1)?.rows ?? 24) - 1
    return TextOutput(
      descriptor: 1, isTerminal: true, columns: Self.columns(ofTerminal: 1),
      pager: Pager.chosen(rows: max(rows, 1), Platform.variable, finds: Platform.findsProgram),
      beforeShowing: { progress?.end() })
  }

  /// Standard error as this place has it.
  package func standardError() -> TextOutput {
    TextOutput(
      descriptor: 2, isTerminal: true, columns: Platform.isTerminal(2) ? Self.columns(ofTerminal: 2) : nil,
      beforeShowing: { progress?.clear() })
  }
}
