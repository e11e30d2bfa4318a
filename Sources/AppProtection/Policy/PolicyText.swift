/// Texts of a policy that are lists.
public enum PolicyText {
  /// The entries of a semicolon-separated list, without surrounding spaces and without empty ones.
  public static func list(_ text: String, separator: Character = ";") -> [String] {
    text.split(separator: separator).compactMap { entry in
      let start = entry.drop { $0 == " " }
      let length = start.reversed().drop { $0 == " " }.count
      return length == 0 ? nil : String(start.prefix(length))
    }
  }

  /// Whether a text has the form of a device's model identifier: letters, digits, a comma and digits, as in `iPhone14,7`.
  public static func isModelIdentifier(_ text: String) -> Bool {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    func isNumber(_ part: Substring) -> Bool { !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    let name = parts[0].prefix { $0.isASCII && $0.isLetter }
    return !name.isEmpty && isNumber(parts[0].dropFirst(name.count)) && isNumber(parts[1])
  }

  /// The entries in both of two semicolon-separated lists, ignoring case and spaces.
  static func common(_ one: String, _ other: String) -> String {
    common(list(one), list(other)).map { $0 + ";" }.joined()
  }

  /// The entries in both lists, ignoring case, in the order of the first.
  static func common(_ one: [String], _ other: [String]) -> [String] {
    let others = Set(other.map { $0.lowercased() })
    return one.filter { others.contains($0.lowercased()) }
  }
}

/// Why a text is not a duration or a date that a policy can have.
public struct PolicyTextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Code: String, Equatable, Sendable, CaseIterable {
    /// The text does not have the form of a duration or a date.
    case malformed
    /// The duration is negative. Graph's generated examples have such durations; the service never sends one.
    case negativeDuration
    /// The duration has years or months, whose length depends on the calendar.
    case calendarDuration
    /// The duration is longer than 292 years.
    case tooLong
    /// The fraction has more than nine digits.
    case tooFine
  }

  /// What is wrong.
  public let code: Code
  /// The reason: one sentence without a full stop.
  public let message: String
  /// What to do about it: one sentence without a full stop.
  public let remedy: String

  init(_ code: Code, _ message: String, remedy: String) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }

  /// Reason and next step in one line.
  public var description: String { "\(message); \(remedy)" }
}
