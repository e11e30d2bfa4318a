import EventSourcing

/// `account.introduced`: an account was mentioned for the first time and got its number.
public struct AccountIntroduced: PersonalEventPayload {
  /// The number by which everything else in the journal refers to it.
  public var account: AccountNumber
  /// The Entra object id, where it is known.
  @Personal public var objectID: GUID?
  /// The user principal name as first given, where it is known.
  @Personal public var userPrincipalName: String?

  /// The entry of the catalogue.
  public static var entry: EventEntry {
    EventEntry(
      20, "account.introduced",
      meaning: "An account was mentioned for the first time and got its number.")
  }

  /// What reading begins with.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    switch ($objectID.isAbsent, $userPrincipalName.isAbsent) {
    case (false, false): headline.add("known by object id and name")
    case (false, true): headline.add("known by object id")
    case (true, false): headline.add("known by name")
    case (true, true): headline.add("known by number only")
    }
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(
      1, "account", &event.account, required: true, "the number by which everything else in the journal refers to it")
    try field(2, "objectID", &event.$objectID, privacy: .account, "the Entra object id, where it is known")
    try field(
      3, "userPrincipalName", &event.$userPrincipalName, privacy: .account,
      "the user principal name as first given, where it is known")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account] == nil else { return }
    var account = Account(event.account)
    (account.$objectID, account.$userPrincipalName) = (event.$objectID, event.$userPrincipalName)
    state.accounts.set(account)
  }
}

/// `account.identified`: an account's object id or name became known, or its name changed.
public struct AccountIdentified: PersonalEventPayload {
  public var account: AccountNumber
  /// The object id, if it became known.
  @Personal public var objectID: GUID?
  /// The user principal name, if it became known or changed.
  @Personal public var userPrincipalName: String?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      21, "account.identified",
      meaning: "More is known about an account: its object id, its name, or that its name changed.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    switch ($objectID.isAbsent, $userPrincipalName.isAbsent) {
    case (false, false): headline.add("object id and name are known")
    case (false, true): headline.add("the object id is known")
    case (true, false): headline.add("the name is known")
    case (true, true): headline.add("nothing new is known")
    }
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "objectID", &event.$objectID, privacy: .account, "the object id, where it became known")
    try field(
      3, "userPrincipalName", &event.$userPrincipalName, privacy: .account,
      "the user principal name, where it became known or changed")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      // Sealed or not: what is absent stays as it was.
      if !event.$objectID.isAbsent { account.$objectID = event.$objectID }
      if !event.$userPrincipalName.isAbsent { account.$userPrincipalName = event.$userPrincipalName }
    }
  }
}

/// `account.registered`: the app registered an account, which is enrolled as soon as the service allows.
public struct AccountRegistered: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      22, "account.registered",
      meaning: "The app registered an account; it is enrolled as soon as the service allows.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    if !headline.addChange(of: "status") { headline.add("registered") }
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      guard !account.enrollment.status.isRegistered else { return }
      account.enrollment = Enrollment()
      account.enrollment.status = .registered
      account.lingersAtService = false
      account.removalCode = nil
    }
  }
}

/// `account.deregistered`: an account is no longer registered, and its retries end.
public struct AccountDeregistered: EventPayload {
  public var account: AccountNumber
  /// Whether the service could not be notified and still counts the account as enrolled.
  public var lingersAtService = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      23, "account.deregistered",
      meaning: "An account is no longer registered, and nothing is retried for it.",
      remedy: """
        Where the record lingers at the service, deregister before removing the tokens next time; the next sign-in \
        clears it.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    if !headline.addChange(of: "status") { headline.add("deregistered") }
    if lingersAtService { headline.add(", but the service still counts it as enrolled") }
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(
      2, "lingersAtService", &event.lingersAtService,
      "whether the service could not be told and still counts the account as enrolled")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account]?.enrollment.status.isRegistered == true else { return }
    state.remove(event.account)
    guard event.lingersAtService else { return }
    // It was enrolled, and leaves without the service's answer.
    state.accounts.update(event.account) { $0.lingersAtService = true }
    state.endOverrides()
  }
}

/// `account.removalRequired`: the app must remove the account: the service or the user refused it.
public struct AccountRemovalRequired: EventPayload {
  public var account: AccountNumber
  /// The code of the reason.
  public var code: EnrollmentStatusCode

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      24, "account.removalRequired",
      meaning: "The app must remove the account: the service or the user refused it.",
      remedy: "Remove the account from the app. Enrollment is not tried again.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, code: EnrollmentStatusCode(rawValue: 0)) }

  public func describe(in headline: Headline) {
    headline.add("the app must remove it: ")
    headline.add(code)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "code", &event.code, "the code that says why")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { $0.removalCode = event.code }
  }
}

/// `token.acquired`: the app has a token for the account; requests that waited for a sign-in continue.
public struct TokenAcquired: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      25, "token.acquired",
      meaning: "The app has a token for the account; what waited for a sign-in goes on.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("the app has a token")
    if headline.change(of: "awaitsSignIn") != nil { headline.add("; what waited for a sign-in goes on") }
    _ = headline.change(of: "tokensRemoved")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { account in
      account.tokensRemoved = false
      account.enrollment.awaitsSignIn = false
    }
    state.resumeWipes(of: event.account)
  }
}

/// `token.removed`: the app removed the account's tokens.
public struct TokenRemoved: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      26, "token.removed",
      meaning: "The app removed the account's tokens.",
      remedy: "Deregister an account before its tokens are removed; otherwise the service cannot be told.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("the app removed its tokens")
    _ = headline.change(of: "tokensRemoved")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.accounts.update(event.account) { $0.tokensRemoved = true }
  }
}

extension AppProtectionState {
  /// Removes everything about an account but its number and name: registration, policy, identities, remediation.
  mutating func remove(_ account: AccountNumber, code: EnrollmentStatusCode? = nil) {
    accounts.update(account) { account in
      let lastCode = code ?? account.enrollment.lastCode
      account.enrollment = Enrollment()
      account.enrollment.status = .removed
      account.enrollment.lastCode = lastCode
      account.removalCode = nil
      account.isSignedIn = false
      account.isForWorkOrSchool = false
      account.isExclusive = false
      account.additionQuestion = 0
    }
    policies.remove(account)
    configuration.accounts.remove(account)
    identities.forget(account)
    compliance.queue.removeAll { $0 == account }
    compliance.accounts.remove(account)
    launch.accounts.remove(account)
    dropRestart(for: account)
    closeQuestions(about: account)
  }
}
