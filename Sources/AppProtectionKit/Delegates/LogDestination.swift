import PlainText

/// How much a line of the log matters, from the least on; the levels are the SDK's.
public enum LogLevel: Int, CaseIterable, Comparable, Sendable {
  /// What only matters while something is being looked for.
  case verbose
  /// What happens as it should.
  case info
  /// What may lead to an error, or waits for the user.
  case warning
  /// What went wrong.
  case error

  /// The name of the case.
  public var name: String { "\(self)" }

  /// Orders by how much a line matters.
  public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }
}

/// One line of the log.
public struct LogLine: Equatable, Sendable, CustomStringConvertible {
  /// The longest text, in bytes of UTF-8; a longer one is cut, and ends in `…`.
  public static let maximumLength = 8_192

  /// When it was written, in nanoseconds since 1970.
  public let wallNanoseconds: Int64
  /// How much it matters.
  public let level: LogLevel
  /// What it says: one line, in which control characters and invisible ones are escaped.
  public let text: String

  /// Escapes and cuts the text.
  public init(_ level: LogLevel, _ text: String, at wallNanoseconds: Int64) {
    self.wallNanoseconds = wallNanoseconds
    self.level = level
    var line = ""
    var count = 0
    for scalar in text.unicodeScalars {
      let shown = Self.isShown(scalar) ? String(scalar) : scalar.escaped(asASCII: true)
      count += shown.utf8.count
      guard count <= Self.maximumLength else {
        line += "…"
        break
      }
      line += shown
    }
    self.text = line
  }

  /// Time, level and text, with tabs in between: `2026-10-05T09:01:00.000Z	INFO	…`.
  public var description: String { "\(Self.time(wallNanoseconds))\t\(level.name.uppercased())\t\(text)" }

  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    case _: true
    }
  }

  /// The time in UTC with milliseconds.
  static func time(_ wallNanoseconds: Int64) -> String {
    let time = CivilTime(nanoseconds: wallNanoseconds)
    return "\(time.dateText)T\(time.timeText).\((time.nanosecond / 1_000_000).padded(to: 3))Z"
  }
}

/// Where the lines of the log go (`IntuneMAMLogger`): the app's own log, a file (``FileLog``), or any function
/// that takes a line of text (``LineLog``).
///
/// Called on the thread that writes a line, in the order of the lines, while the engine accepts no command: return soon, and
/// do not call the engine. What cannot be written is the destination's concern; the engine goes on.
public protocol LogDestination: Sendable {
  /// Takes a line.
  func write(_ line: LogLine)
  /// The files with the lines, for ``DiagnosticConsole/information()``. None by default.
  var paths: [String] { get }
}

extension LogDestination {
  /// None.
  public var paths: [String] { [] }
}

/// Hands each line to a function as text.
///
/// ```swift
/// let lines = LineLog { FileHandle.standardError.write(Data("\($0)\n".utf8)) }
/// ```
public struct LineLog: LogDestination {
  private let take: @Sendable (String) -> Void

  /// `take` gets the line without its end.
  public init(_ take: @escaping @Sendable (String) -> Void) {
    self.take = take
  }

  public func write(_ line: LogLine) { take(line.description) }
}
