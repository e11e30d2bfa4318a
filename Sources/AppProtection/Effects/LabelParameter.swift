import EventSourcing

/// The meaning of a word after the name in the printed form of a ``Callback``, a ``TraceFinding`` or ``PendingWork``,
/// which determines the words allowed there.
public enum LabelParameter: Equatable, Sendable, CustomStringConvertible {
  /// An account, or this word for none.
  case account(or: String?)
  /// A status code, known or not.
  case code
  /// An ``IdentityScope``.
  case scope
  /// An ``Identity``.
  case identity
  /// The label of a thread.
  case thread
  /// A ``WipeReason``; one without a name is `unknown(n)`.
  case wipeReason
  /// One of these words; the text names the parameter in documents.
  case word(String, of: [String])

  /// An account.
  public static let account = Self.account(or: nil)

  /// Why the app must be restarted.
  public static let restartReason = name("REASON", of: RestartReason.self)

  /// A launch condition, by its id.
  public static let launchRule = Self.word("RULE", of: LaunchRule.allCases.map(\.id))

  /// One of the names of an enumeration.
  static func name<Choice: WireEnumeration>(_ text: String, of type: Choice.Type) -> Self {
    .word(text, of: type.allCases.map(\.name))
  }

  /// The parameter as documents show it, such as `ACCOUNT or none`.
  public var description: String {
    switch self {
    case .account(let other): other.map { "ACCOUNT or \($0)" } ?? "ACCOUNT"
    case .code: "CODE"
    case .scope: "SCOPE"
    case .identity: "IDENTITY"
    case .thread: "THREAD"
    case .wipeReason: "REASON"
    case .word(let text, _): text
    }
  }

  /// Whether the word is allowed here; these account names are accepted along with the journal's own, such as `a1`.
  public func admits(_ word: String, accounts: [String] = []) -> Bool {
    switch self {
    case .account(let other): AccountNumber(word) != nil || word == other || accounts.contains(word)
    case .code: Self.isNumber(word)
    case .scope: Self.isScope(word)
    case .identity: AccountNumber(word) != nil || Self.noAccounts.contains(word) || accounts.contains(word)
    case .thread: IdentityScope.thread(word).isValid
    case .wipeReason:
      Self.wipeReasons.contains(word)
        || (word.hasPrefix("unknown(") && word.hasSuffix(")") && Self.isNumber(word.dropFirst(8).dropLast()))
    case .word(_, let words): words.contains(word)
    }
  }

  /// Suggestions for a word that is not allowed here.
  public func suggestions(for word: String, accounts: [String] = []) -> [String] {
    let words =
      switch self {
      case .account(let other): accounts + [other].compactMap(\.self)
      case .code: EnrollmentStatusCode.table.map { "\($0.code.rawValue)" }
      case .scope: Self.scopes(like: word)
      case .identity: accounts + Self.noAccounts
      case .thread: [IdentityScope.mainThread]
      case .wipeReason: Self.wipeReasons
      case .word(_, let words): words
      }
    return words.filter { $0 != word }
  }

  private static let noAccounts = [Identity.unmanaged, .unset].map(\.description)
  private static let wipeReasons = WipeReason.descriptor.members.map(\.name)

  private static func isNumber(_ word: some StringProtocol) -> Bool {
    UInt32(word).map { "\($0)" == word } ?? false
  }

  private static func isScope(_ word: String) -> Bool {
    let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts.first, parts.dropFirst().first) {
    case ("process", nil), ("ui", nil): return true
    case ("windows", let number?): return isNumber(number)
    case ("threads", let label?): return IdentityScope.thread(String(label)).isValid
    default: return false
    }
  }

  /// The possible scopes, completed where possible with the part of the word after the slash.
  private static func scopes(like word: String) -> [String] {
    let rest = word.drop { $0 != "/" }.dropFirst()
    let scopes = [IdentityScope.process, .ui] + [UInt32(rest) ?? 1].map(IdentityScope.window)
    let thread = IdentityScope.thread(String(rest))
    return (scopes + [thread.isValid ? thread : .thread(IdentityScope.mainThread)]).map(\.description)
  }
}
