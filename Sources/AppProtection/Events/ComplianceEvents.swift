import EventSourcing

/// `token.denied`: a token for the account was refused because conditional access requires protection first.
public struct TokenDenied: EventPayload {
  public var account: AccountNumber
  /// The error of the token library; -50004 requires remediation.
  public var error: Int64 = 0
  /// Whether this is at least the third refusal after a compliant remediation without a check-in between.
  public var isLoop = false
  /// Whether the app asked for the token before the account's remediation ended.
  public var isPremature = false

  /// −50004: the token library's error for "server protection policies required".
  public static let protectionRequired: Int64 = -50004

  /// −50002: the token library's error where the user must sign in.
  public static let signInRequired: Int64 = -50002

  /// What it means and what to do, where the error says something else than the event type.
  var advice: EventAdvice? {
    if error == Self.protectionRequired { return nil }
    let isSignIn = error == Self.signInRequired
    return EventAdvice(
      meaning: "A token for the account was refused with an error that does not ask for app protection (-50004).",
      remedy: isSignIn
        ? "Let the user sign in. If that does not help, conditional access refuses: see whether the app gives the token "
          + "library the client capability protapp, without which -50004 never comes."
        : "Look up the error in the token library. Remediation is demanded by -50004 alone.")
  }

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      140, "token.denied",
      meaning: "A token for the account was refused because conditional access demands protection first.",
      remedy: "Call remediateCompliance and ask for a token again only when its callback says compliant.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(error)
    if error == Self.protectionRequired { headline.add(" protectionRequired") }
    if error == Self.signInRequired { headline.add(" interactionRequired") }
    if isLoop { headline.add(", again after compliance") }
    if isPremature { headline.add(", before the remediation ended") }
    headline.addChange(of: "status", before: ", ")
    headline.cover(below: "/compliance/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "error", &event.error, "the error of the token library; -50004 demands remediation")
    try field(
      3, "isLoop", &event.isLoop,
      "whether this is at least the third refusal after a compliant remediation without a check-in between")
    try field(
      4, "isPremature", &event.isPremature,
      "whether the token was asked for while a remediation of the account had not ended")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account] != nil, event.error == TokenDenied.protectionRequired else { return }
    state.compliance.update(event.account) { record in
      if record.status == .compliant { record.refusalsAfterCompliance &+= 1 }
      if record.status != .queued && record.status != .remediating { record.status = .blocked }
    }
  }
}

/// `remediation.requested`: the app asked to make the account compliant.
public struct RemediationRequested: EventPayload {
  public var account: AccountNumber
  /// Whether the remediation must not involve the user.
  public var isSilent = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(141, "remediation.requested", meaning: "The app asked to make the account compliant.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(isSilent ? "without asking the user" : "the user may be asked")
    headline.cover(below: "/compliance/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "isSilent", &event.isSilent, "whether the user must not be asked anything")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account] != nil, !state.compliance.isInProgress(event.account) else { return }
    state.compliance.queue.append(event.account)
    assert(state.compliance.queue.count { $0 == event.account } == 1, "\(event.account) is queued twice")
    state.compliance.update(event.account) { record in
      record.isSilent = event.isSilent
      record.requestedBy = context.sequence
    }
  }
}

/// `remediation.queued`: the remediation waits for another account's to end.
public struct RemediationQueued: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      142, "remediation.queued",
      meaning: "The remediation waits until that of another account has ended.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("waits for another account")
    headline.addChange(of: "status", before: ", ")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.compliance.isInProgress(event.account) else { return }
    state.compliance.update(event.account) { $0.status = .queued }
  }
}

/// `remediation.started`: the remediation of the account is under way.
public struct RemediationStarted: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(143, "remediation.started", meaning: "The remediation of the account is under way.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    if !headline.addChange(of: "status") { headline.add("started") }
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.compliance.active == event.account else { return }
    state.compliance.update(event.account) { $0.status = .remediating }
  }
}

/// `remediation.finished`: the remediation of the account ended.
public struct RemediationFinished: PersonalEventPayload {
  public var account: AccountNumber
  /// How it ended.
  public var status = ComplianceStatus.compliant
  /// The text from the service to show.
  @Personal public var message = ""
  /// The title of that text.
  @Personal public var title = ""
  /// Whether a remediation with interaction ended in another demand for interaction.
  public var isLoop = false
  /// Whether the app must still be notified. In journals before revision 4, which lack this field, the event itself
  /// notified it.
  public var awaitsNotice = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      144, "remediation.finished",
      meaning: "The remediation of the account ended.",
      remedy: "Compliant: request the token again. Not compliant with organization data present: wipe the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(status)
    if isLoop { headline.add(", again after interaction") }
    headline.add(said: $message)
    headline.cover(below: "/compliance/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "status", &event.status, "how it ended")
    try field(3, "message", &event.$message, privacy: .account, "the text that the service wants shown")
    try field(4, "title", &event.$title, privacy: .account, "the title of that text")
    try field(
      5, "isLoop", &event.isLoop, "whether a remediation with interaction again ended in the demand for interaction")
    try field(
      6, "awaitsNotice", &event.awaitsNotice,
      "whether the app is still to be told; absent before revision 4, when it was told with the event itself")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.compliance.isInProgress(event.account) else { return }
    state.compliance.queue.removeAll { $0 == event.account }
    state.compliance.update(event.account) { record in
      record.status = RemediationStatus(event.status)
      record.requestedBy = 0
      record.interactionDemands = event.status == .interactionRequired ? record.interactionDemands &+ 1 : 0
    }
    state.compliance.untold.removeAll { $0.account == event.account }
    guard event.awaitsNotice else { return }
    state.compliance.untold.append(
      UntoldRemediation(
        event.account, event.status, message: event.$message, title: event.$title, finishedBy: context.sequence))
  }
}

/// `remediation.told`: the app was notified of how the account's remediation ended.
public struct RemediationTold: AccountEventPayload {
  public var account: AccountNumber

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(145, "remediation.told", meaning: "The app was told how the account's remediation ended.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add("the app was notified")
    if let status = headline.change(of: "status", within: "/compliance/untold/") {
      headline.add(": ")
      headline.add(status.before)
    }
    headline.cover(below: "/compliance/")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.compliance.untold.removeAll { $0.account == event.account }
  }
}

extension AppProtectionState {
  /// Whether a remediation of the account is in progress (`remediationInProgress`); whether a queued one counts is an
  /// assumption.
  public func remediationInProgress(_ account: AccountNumber) -> Bool {
    compliance.active == account
      || (settings.app.assumptions.queuedRemediationIsInProgress && compliance.isInProgress(account))
  }
}

extension ComplianceSlice {
  /// Changes an account's record, creating it if necessary.
  mutating func update(_ account: AccountNumber, _ change: (inout RemediationRecord) -> Void) {
    if accounts[account] == nil { accounts.set(RemediationRecord(account: account)) }
    accounts.update(account, change)
  }

  /// A completed check-in resets loop detection.
  mutating func resetLoopDetection(of account: AccountNumber) {
    accounts.update(account) { $0.refusalsAfterCompliance = 0 }
  }
}

extension RemediationStatus {
  /// The account's status after a remediation with this outcome.
  init(_ status: ComplianceStatus) {
    self =
      switch status {
      case .compliant: .compliant
      case .notCompliant: .notCompliant
      case .serviceFailure: .serviceFailure
      case .networkFailure: .networkFailure
      case .interactionRequired: .interactionRequired
      case .userCancelled: .userCancelled
      }
  }
}
