import EventSourcing

/// An identity as set in a scope. Unset, unmanaged and an account are three different values.
public enum Identity: Hashable, Sendable, CustomStringConvertible {
  /// Nothing is set: the next level decides (`nil` in the SDK).
  case unset
  /// Explicitly unmanaged: no policy applies, and no further level is asked (the empty string in the SDK).
  case unmanaged
  /// An account.
  case account(AccountNumber)

  /// The account, if any.
  public var account: AccountNumber? {
    if case .account(let number) = self { number } else { nil }
  }

  /// `unset`, `unmanaged`, or the account, such as `a1`.
  public var description: String {
    switch self {
    case .unset: "unset"
    case .unmanaged: "unmanaged"
    case .account(let number): number.description
    }
  }

  /// The value shown in a state tree.
  var value: StateValue {
    self == .unset ? .unset : .name(description)
  }
}

extension Identity: FormedMessage {
  /// Whether the identity is unmanaged, and the account.
  public struct Form: FieldList {
    var isUnmanaged = false
    var account: AccountNumber?

    /// What reading begins with: nothing is set.
    public static var blank: Self { Self() }

    public static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(
        1, "unmanaged", &form.isUnmanaged,
        "whether it is explicitly nobody's; false and no account: nothing is set")
      try field(2, "account", &form.account, cardinality: .single, "the account, where there is one")
    }
  }

  /// The fields of this identity.
  public var form: Form { Form(isUnmanaged: self == .unmanaged, account: account) }

  /// Creates the identity from its fields.
  public init(_ form: Form) {
    self = form.account.map(Identity.account) ?? (form.isUnmanaged ? .unmanaged : .unset)
  }

  /// The identity in one word.
  public func tree() -> StateTree { .value(value) }
}

/// The level on which an identity is set.
public enum IdentityLevel: Int, WireEnumeration {
  /// The whole process: tasks, files and everything that no other level decides.
  case process = 0
  /// The user interface of the default window.
  case ui = 1
  /// The user interface of one further window.
  case window = 2
  /// One thread, or one task of Swift concurrency.
  case thread = 3
}
