/// A condition on events, as passed to `-w`: `type = "wipe.*" and not account = "a2"`.
///
/// ```
/// condition  = term { "or" term }
/// term       = factor { "and" factor }
/// factor     = "not" factor | "(" condition ")" | field ( "=" | "!=" ) value
/// field      = type | account | path | finding | seq | cause | process | text
/// value      = a word, or text in single or double quotes; * and ? are wildcards
/// ```
public indirect enum FilterExpression: Equatable, Sendable {
  /// A field matches a pattern.
  case matches(Field, Glob)
  /// The condition does not hold.
  case not(FilterExpression)
  /// Both conditions hold.
  case and(FilterExpression, FilterExpression)
  /// At least one condition holds.
  case or(FilterExpression, FilterExpression)

  /// A property of an event that a condition can test.
  public enum Field: String, CaseIterable, Sendable {
    /// The event's type.
    case type
    /// Any account that it concerns.
    case account
    /// Any path in the state that it changed, or a parent of such a path.
    case path
    /// The rule of any of its findings, which report likely mistakes in the app.
    case finding
    /// Its number.
    case seq
    /// The number of the event that caused it.
    case cause
    /// The number of the start of the process that wrote it.
    case process
    /// The displayed event; the pattern may occur anywhere in it.
    case text
  }

  /// Whether the condition holds for an event; `nil` if that depends on an unknown state.
  public func holds(for subject: FilterSubject) -> Bool? {
    switch self {
    case .not(let inner): inner.holds(for: subject).map(!)
    case .and(let one, let other): Self.joined(one, other, for: subject, decisive: false)
    case .or(let one, let other): Self.joined(one, other, for: subject, decisive: true)
    case .matches(let field, let pattern):
      switch field {
      case .type: pattern.matches(subject.type)
      case .account: subject.accounts().contains { $0.matches(pattern) }
      case .path: subject.changedPaths()?.contains { PathPattern(pattern).matches($0) }
      case .finding: subject.findings()?.contains { pattern.matches($0) }
      case .seq: pattern.matches(String(subject.sequence))
      case .cause: pattern.matches(String(subject.cause))
      case .process: pattern.matches(String(subject.process))
      case .text: Glob("*\(pattern.pattern)*").matches(String(decoding: subject.shownText(), as: UTF8.self))
      }
    }
  }

  /// Combines two conditions; a condition that evaluates to `decisive` settles the result whatever the other is.
  private static func joined(
    _ one: FilterExpression, _ other: FilterExpression, for subject: FilterSubject, decisive: Bool
  ) -> Bool? {
    let first = one.holds(for: subject)
    guard first != decisive else { return decisive }
    let second = other.holds(for: subject)
    guard second != decisive else { return decisive }
    return first == nil || second == nil ? nil : !decisive
  }

  /// The patterns of which one must match a path; those that must not match are omitted.
  var paths: [Glob] {
    switch self {
    case .matches(let field, let pattern): field == .path ? [pattern] : []
    case .not: []
    case .and(let one, let other), .or(let one, let other): one.paths + other.paths
    }
  }

  /// Whether the condition tests state changes, which require comparing states.
  public var needsChanges: Bool {
    switch self {
    case .matches(let field, _): field == .path || field == .text
    case .not(let inner): inner.needsChanges
    case .and(let one, let other), .or(let one, let other): one.needsChanges || other.needsChanges
    }
  }
}

/// A pattern for paths in a state that matches the path itself and everything below it.
public struct PathPattern: Equatable, Sendable {
  private let exact: Glob
  private let below: Glob

  /// `pattern` describes the path itself.
  public init(_ pattern: Glob) {
    var text = pattern.pattern
    while text.hasSuffix("/") { text.removeLast() }
    if !text.hasPrefix("/") { text = "/" + text }
    if text == "/" { text = "" }
    exact = Glob(text)
    below = Glob(text + "/*")
  }

  /// Whether the pattern matches `path` or one of its parents.
  public func matches(_ path: String) -> Bool { exact.matches(path) || below.matches(path) }
}
