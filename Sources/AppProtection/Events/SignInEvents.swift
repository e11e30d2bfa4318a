import EventSourcing

/// `account.additionRequested`: the engine enrolled an account on its own, and the app is asked to add it.
public struct AccountAdditionRequested: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      27, "account.additionRequested",
      meaning: "The engine enrolled an account that the app did not name: the app is asked to add it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("the app is asked to add it")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isRegistered else { return }
      account.additionQuestion = context.sequence
    }
  }
}

/// `account.additionAnswered`: the app said whether it added the account.
public struct AccountAdditionAnswered: EventPayload {
  public var account: AccountNumber
  /// The app's answer.
  public var result = AddIdentityResult.success

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      28, "account.additionAnswered",
      meaning: "The app said whether it added the account that the engine enrolled.",
      remedy: "Where it failed, add the account or deregister it: its policy is there, and the user cannot reach it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(result)
    _ = headline.change(of: "isSignedIn")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "result", &event.result, "what the app answered")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      account.additionQuestion = 0
      if event.result == .success { account.isSignedIn = true }
    }
  }
}

/// `signIns.reported`: the app reported which accounts are signed in.
public struct SignInsReported: EventPayload {
  /// All signed-in accounts.
  public var accounts: [AccountNumber] = []
  /// The signed-in accounts that the app uses for work or school.
  public var workOrSchool: [AccountNumber] = []

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      29, "signIns.reported",
      meaning: "The app said which accounts are signed in.",
      remedy: "Register those used for work or school, and sign out those that are not allowed.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add("signed in: ")
    headline.add(accounts)
    if !workOrSchool.isEmpty {
      headline.add("; for work or school: ")
      headline.add(workOrSchool)
    }
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "accounts", &event.accounts, "the accounts that are signed in, all of them")
    try field(2, "workOrSchool", &event.workOrSchool, "those of them that the app uses for work or school")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    for account in event.accounts { state.withdrawAddition(of: account) }
    for account in state.accounts.records {
      let isSignedIn = event.accounts.contains(account.account)
      let isForWork = isSignedIn && event.workOrSchool.contains(account.account)
      guard account.isSignedIn != isSignedIn || account.isForWorkOrSchool != isForWork else { continue }
      state.accounts.update(account.account) { account in
        account.isSignedIn = isSignedIn
        account.isForWorkOrSchool = isForWork
      }
    }
  }
}

/// `account.exclusivityChanged`: whether the account must be the only managed one changed.
public struct AccountExclusivityChanged: EventPayload {
  public var account: AccountNumber
  /// Whether it must be the only one.
  public var isExclusive = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      30, "account.exclusivityChanged",
      meaning: "Whether the account must be the only managed one changed.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(isExclusive ? "must be the only managed account" : "need not be the only managed account")
    _ = headline.change(of: "isExclusive")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "isExclusive", &event.isExclusive, "whether it must be the only one")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { $0.isExclusive = event.isExclusive }
  }
}

/// `login.requested`: the engine must ask the user who signs in.
public struct LoginRequested: EventPayload {
  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(48, "login.requested", meaning: "The user is to be asked who signs in.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    headline.add("the user is asked who signs in")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {}

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.process.loginQuestion = context.sequence
  }
}

/// `login.answered`: the user chose who signs in, or canceled.
public struct LoginAnswered: EventPayload {
  /// The account; `nil` when the user canceled.
  public var account: AccountNumber?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(49, "login.answered", meaning: "The user said who signs in, or canceled.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func describe(in headline: Headline) {
    if let account {
      headline.add([account])
      headline.add(" signs in")
    } else {
      headline.add("canceled")
    }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, cardinality: .single, "the account; none when the user canceled")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.process.loginQuestion = 0
  }
}

extension AppProtectionState {
  /// Withdraws the question to add an account: the app has it already, or it leaves.
  mutating func withdrawAddition(of account: AccountNumber) {
    guard !process.isRevision(before: 5), accounts.read(account, { $0.additionQuestion }) ?? 0 != 0 else { return }
    accounts.update(account) { $0.additionQuestion = 0 }
  }

  /// The code that still requires the app to remove an account after a completed check-in: the code for accounts that
  /// device management does not allow. The check-in clears every other code.
  func removalCode(afterCheckInOf account: AccountNumber) -> EnrollmentStatusCode? {
    guard let index = accounts.index(of: account), accounts.records[index].removalCode != nil,
      !settings.allows(account)
    else { return nil }
    return settings.app.assumptions.unlistedAccountCode
  }

  /// The signed-in accounts for work or school that the app has not registered. It must register them, even those that
  /// were signed in before it had this SDK (T39).
  public var unregisteredSignIns: [AccountNumber] {
    accounts.records.filter { $0.isForWorkOrSchool && !$0.enrollment.status.isRegistered }.map(\.account)
  }

  /// The signed-in accounts that are not allowed (T35).
  public var disallowedSignIns: [AccountNumber] {
    accounts.records.filter { $0.isSignedIn && !settings.allows($0.account) }.map(\.account)
  }
}
