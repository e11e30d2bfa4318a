/// The properties of one event that filters can test.
public struct FilterSubject {
  /// The event's number.
  public var sequence: UInt64
  /// The event's type, or `type 99` if it is unknown.
  public var type: String
  /// The event that caused it; zero for none.
  public var cause: UInt64
  /// The event that ordered it, if both have the same cause; `nil` for none. Evaluated only when needed.
  public var orderedBy: () -> UInt64?
  /// The event that started the process that wrote it; zero for none.
  public var process: UInt64
  /// The accounts it concerns. Evaluated only when needed.
  public var accounts: () -> [AccountNames]
  /// The paths in the state that it changed; `nil` if a state around it is unknown. Evaluated only when needed.
  public var changedPaths: () -> [String]?
  /// The rules of its findings, such as `S-30`; `nil` if a state around it is unknown. Evaluated only when needed.
  public var findings: () -> [String]?
  /// The displayed event in UTF-8, for searching: withheld values cannot be found here. Evaluated only when needed.
  public var shownText: () -> [UInt8]

  /// The closures are called only when a filter needs their results.
  public init(
    sequence: UInt64, type: String, cause: UInt64, orderedBy: @escaping () -> UInt64? = { nil }, process: UInt64,
    accounts: @escaping () -> [AccountNames],
    changedPaths: @escaping () -> [String]?, findings: @escaping () -> [String]?, shownText: @escaping () -> [UInt8]
  ) {
    self.sequence = sequence
    self.type = type
    self.cause = cause
    self.orderedBy = orderedBy
    self.process = process
    self.accounts = accounts
    self.changedPaths = changedPaths
    self.findings = findings
    self.shownText = shownText
  }
}

/// All names of one account.
public struct AccountNames: Equatable, Sendable {
  /// Its pseudonym within the journal, such as `a1`.
  public var pseudonym: String
  /// Its object id and user principal name, if the journal has them.
  public var identities: [String]

  /// Omit `identities` if they are unknown or withheld.
  public init(pseudonym: String, identities: [String] = []) {
    self.pseudonym = pseudonym
    self.identities = identities
  }

  /// Whether the pattern matches one of the names, ignoring case. A pattern with wildcards is compared with the
  /// pseudonym only, so that it cannot be used to guess an identity piece by piece.
  public func matches(_ pattern: Glob) -> Bool {
    if pattern.matches(pseudonym) { return true }
    return pattern.isLiteral && identities.contains { pattern.matches($0) }
  }
}
