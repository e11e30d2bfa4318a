import AppProtection

/// How an account that an app passed compares with one that is enrolled. It answers what 214, "not the enrolled account",
/// leaves open (I#527): whether the object id, the name or only its case differs, or a second account was meant.
public struct EnrolledAccountComparison: Equatable, Sendable, CustomStringConvertible {
  /// How two names or two object ids compare.
  public enum Likeness: Equatable, Sendable, CaseIterable {
    /// One side has none.
    case notKnown
    /// They are equal.
    case equal
    /// They are equal except for case, which does not count.
    case equalIgnoringCase
    /// They differ.
    case different
  }

  /// The enrolled account.
  public let enrolled: AccountNumber
  /// How the object ids compare. Their case is ignored.
  public let objectID: Likeness
  /// How the user principal names compare.
  public let name: Likeness
  /// Whether both are one account (``/AppProtection/AccountReference/isSame(as:)``).
  public let isSame: Bool

  init(_ passed: AccountReference, with account: Account) {
    enrolled = account.account
    objectID = Self.likeness(passed.objectID, account.objectID) { $0 == $1 ? .equal : .different }
    name = Self.likeness(passed.userPrincipalName, account.userPrincipalName) { one, other in
      if one == other { return .equal }
      return AccountReference.areEqual(one, other) ? .equalIgnoringCase : .different
    }
    var reference = AccountReference(account.account)
    reference.objectID = account.objectID
    reference.userPrincipalName = account.userPrincipalName
    isSame = passed.isSame(as: reference)
  }

  private static func likeness<Value>(
    _ one: Value?, _ other: Value?, _ compare: (Value, Value) -> Likeness
  ) -> Likeness {
    guard let one, let other else { return .notKnown }
    return compare(one, other)
  }

  /// The comparison, its meaning and what to do, in a sentence that names no person.
  public var description: String {
    switch (isSame, objectID, name) {
    case (true, .equal, .different):
      "it is \(enrolled): the object ids are equal, and the name is another one than the account had"
    case (true, .equal, _): "it is \(enrolled): the object ids are equal"
    case (true, _, .equalIgnoringCase):
      "it is \(enrolled): the names differ in case only, which does not count; pass the object id to be certain"
    case (true, _, .equal):
      "it is \(enrolled), as far as names can tell: one side has no object id; pass it to be certain"
    case (true, _, _): "it is \(enrolled)"
    case (false, .different, .equal), (false, .different, .equalIgnoringCase):
      "it is not \(enrolled): the name is the same and the object id another one, so the name was given to another user, or the same one was re-created"
    case (false, .different, _): "it is not \(enrolled): the object ids differ; only one account can be enrolled here"
    case (false, _, .different):
      "it is not \(enrolled) by name, and one side has no object id: pass it, for a name may have changed"
    case (false, _, _):
      "nothing can be compared with \(enrolled): one side has only a name and the other only an object id; pass both"
    }
  }
}

extension AppProtectionState {
  /// How an account that an app passed compares with every enrolled account, in the order of their numbers. Empty if no
  /// account is enrolled.
  public func comparisons(of passed: AccountReference) -> [EnrolledAccountComparison] {
    var passed = passed
    if let known = passed.number.flatMap({ accounts[$0] }) {
      passed.objectID = known.objectID
      passed.userPrincipalName = known.userPrincipalName
    }
    return accounts.records.filter { $0.enrollment.status.isEnrolled }.map { account in
      EnrolledAccountComparison(passed, with: account)
    }
  }
}
