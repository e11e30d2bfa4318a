/// The program that shows output longer than a screen: `$PAGER`, or `less` if it is installed.
///
/// It starts when a line no longer fits, receives the rest through a pipe, and keeps the terminal until its user
/// leaves it. An interrupt meanwhile ends `pj` only after that, so that the two never read from the terminal at once.
final class Pager {
  /// The number of lines that fit on the screen.
  let rows: Int
  private let command: String
  private var process: Int32?
  /// Where the pager reads from; `nil` before it is started.
  private(set) var descriptor: Int32?

  private init(_ command: String, rows: Int) {
    self.command = command
    self.rows = rows
  }

  /// The pager for a terminal; `nil` if none is wanted or found. As in Git, an empty `PAGER` and `cat` mean none.
  ///
  /// - Parameters:
  ///   - variable: The value of an environment variable.
  ///   - finds: whether a program of this name exists.
  static func chosen(rows: Int, _ variable: (String) -> String?, finds: (String) -> Bool) -> Pager? {
    guard let command = variable("PAGER") else {
      let isDumb = variable("TERM").map { $0 == "dumb" } ?? true
      return !isDumb && finds("less") ? Pager("less", rows: rows) : nil
    }
    let word = command.trimmingSpaces
    return word.isEmpty || word == "cat" ? nil : Pager(command, rows: rows)
  }

  /// Starts the pager; `false` if the system cannot.
  func start() -> Bool {
    guard let started = Platform.startPager(command) else { return false }
    (process, descriptor) = started
    return true
  }

  /// Waits until the user leaves the pager; returns why it showed nothing if it could not run.
  func finish() -> String? {
    guard let process, let descriptor else { return nil }
    self.process = nil
    let code = Platform.finishPager(process, descriptor)
    // The shell's exit codes for a command that is missing or cannot be executed.
    return code == 127 || code == 126 ? "the pager '\(command)' cannot be run" : nil
  }
}

extension String {
  /// Without spaces at either end.
  fileprivate var trimmingSpaces: Substring {
    let start = drop { $0 == " " }
    return start.prefix(start.count - start.reversed().prefix { $0 == " " }.count)
  }
}
