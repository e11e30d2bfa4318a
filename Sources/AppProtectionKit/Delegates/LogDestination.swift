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

  /// The time in UTC with milliseconds. Days are counted in eras of 400 years that begin on 1 March, so that the leap day is
  /// the last of its year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  static func time(_ wallNanoseconds: Int64) -> String {
    func quotient(_ number: Int64, _ divisor: Int64) -> Int64 {
      number / divisor - (number % divisor < 0 ? 1 : 0)
    }
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
    }
    let milliseconds = quotient(wallNanoseconds, 1_000_000)
    let day = quotient(milliseconds, 86_400_000)
    let rest = milliseconds - day * 86_400_000
    let shifted = day + 719_468
    let era = quotient(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let place = (5 * dayOfYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(dayOfYear - (153 * place + 2) / 5 + 1, 2))"
      + "T\(digits(rest / 3_600_000, 2)):\(digits(rest / 60_000 % 60, 2)):\(digits(rest / 1_000 % 60, 2))"
      + ".\(digits(rest % 1_000, 3))Z"
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
