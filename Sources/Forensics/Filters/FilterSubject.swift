/// What filters can ask about one event.
public struct FilterSubject {
  /// The event's number.
  public var sequence: UInt64
  /// The event's type, or `type 99` when nobody knows it.
  public var type: String
  /// The event that caused it; zero for none.
  public var cause: UInt64
  /// The event that ordered it, where both followed from the same cause; `nil` for none. Asked for only when needed.
  public var orderedBy: () -> UInt64?
  /// The start of the process that wrote it; zero for none.
  public var process: UInt64
  /// The accounts it concerns. Asked for only when a filter needs it.
  public var accounts: () -> [AccountNames]
  /// The paths in the state that it changed; `nil` when a state around it is unknown. Asked for only when a filter needs it.
  public var changedPaths: () -> [String]?
  /// The rules of what it says about mistakes of the app, such as `S-30`; `nil` when a state around it is unknown. Asked
  /// for only when a filter needs it.
  public var findings: () -> [String]?
  /// The event as it is shown, for searching: what is withheld there cannot be found here. Asked for only when needed.
  public var shownText: () -> String

  /// Creates a subject.
  public init(
    sequence: UInt64, type: String, cause: UInt64, orderedBy: @escaping () -> UInt64? = { nil }, process: UInt64,
    accounts: @escaping () -> [AccountNames],
    changedPaths: @escaping () -> [String]?, findings: @escaping () -> [String]?, shownText: @escaping () -> String
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

/// Everything that one account is called by.
public struct AccountNames: Equatable, Sendable {
  /// Its pseudonym within the journal, such as `a1`.
  public var pseudonym: String
  /// Its object id and its user principal name, as far as the journal knows them.
  public var identities: [String]

  /// Creates the names of an account.
  public init(pseudonym: String, identities: [String] = []) {
    self.pseudonym = pseudonym
    self.identities = identities
  }

  /// Whether the pattern matches one of the names, ignoring case. A pattern with wildcards is compared with the
  /// pseudonym alone, so that nobody can guess an identity piece by piece.
  public func matches(_ pattern: Glob) -> Bool {
    if pattern.matches(pseudonym) { return true }
    return pattern.isLiteral && identities.contains { pattern.matches($0) }
  }
}
