import EventSourcing

/// `enrollment.switchAsked`: a second account asks to be managed while only one may be; the user chooses which to keep.
public struct AccountSwitchAsked: EventPayload {
  /// The account that asks to be managed.
  public var account: AccountNumber
  /// The account that is managed.
  public var existing: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      43, "enrollment.switchAsked",
      meaning: "A second managed account wants in while only one is allowed: the user is asked which to keep.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, existing: .first) }

  public func describe(in headline: Headline) {
    headline.add("the user is asked: keep ")
    headline.add([existing])
    headline.add(" or switch to ")
    headline.add([account])
    headline.addChange(of: "status", before: ", ")
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account that wants in")
    try field(2, "existing", &event.existing, required: true, "the account that is managed")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.existing] != nil else { return }
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isStaying else { return }
      account.enrollment.status = .registered
      account.enrollment.enrollmentRequest = 0
      account.enrollment.checkInRequest = 0
      account.enrollment.checkInDue = nil
      account.enrollment.retryDue = nil
      account.enrollment.switchQuestion = context.sequence
      account.enrollment.switchesFrom = event.existing
    }
  }
}

/// `enrollment.switchAnswered`: the user chose which managed account to keep.
public struct AccountSwitchAnswered: EventPayload {
  /// The account that asked to be managed.
  public var account: AccountNumber
  /// The account that is managed.
  public var existing: AccountNumber
  /// The user's choice.
  public var choice = AccountChoice.keepExisting

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      44, "enrollment.switchAnswered", meaning: "The user chose which managed account to keep.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, existing: .first) }

  public func describe(in headline: Headline) {
    headline.add(choice)
    switch choice {
    case .keepExisting:
      headline.add(": ")
      headline.add([existing])
      headline.add(" stays")
    case .switchAccounts:
      headline.add(": ")
      headline.add([account])
      headline.add(" in place of ")
      headline.add([existing])
    case .canceled: break
    }
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account that wanted in")
    try field(2, "existing", &event.existing, required: true, "the account that is managed")
    try field(3, "choice", &event.choice, "what the user chose")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      guard account.enrollment.switchQuestion != 0 else { return }
      account.enrollment.switchQuestion = 0
      switch event.choice {
      case .switchAccounts: account.enrollment.lastCode = .switchExistingAccount
      case .keepExisting: account.enrollment.switchesFrom = nil
      // Only the other account blocks this one, so it is recorded until it has left.
      case .canceled: break
      }
    }
  }
}

/// `enrollment.conflictDetected`: the account has a managed account's user principal name but a different object id.
public struct EnrollmentConflictDetected: EventPayload {
  public var account: AccountNumber
  /// The managed account of the same name.
  public var existing: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      45, "enrollment.conflictDetected", unknownReaders: .ignorable,
      meaning: "The account has the user principal name of a managed account and another object id.",
      remedy: "The name was given to another user: reset the device account (Authenticator) or reinstall the app.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, existing: .first) }

  public func describe(in headline: Headline) {
    headline.add("has the name of ")
    headline.add([existing])
    headline.add(" and another object id")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "existing", &event.existing, required: true, "the managed account of the same name")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    // Only for the reader of the journal.
  }
}
