import EventSourcing

/// `policy.received`: the service delivered a policy for the account.
public struct PolicyReceived: EventPayload {
  public var account: AccountNumber
  /// The policy.
  public var document: PolicyDocument
  /// Whether it is enforced only from the next launch on.
  public var waitsForRestart = false
  /// When the service is to be asked again.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(80, "policy.received", meaning: "The service delivered a policy for the account.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first, document: PolicyDocument()) }

  /// The most changed settings that a headline names.
  private static let namedSettings = 3

  public func describe(in headline: Headline) {
    // Without the state, what is new is not known.
    if headline.changes.isEmpty { headline.add("a policy") } else { coverChanges(in: headline) }
    if waitsForRestart { headline.add(", from the next launch on") }
    headline.cover(below: "/accounts/")
  }

  private func coverChanges(in headline: Headline) {
    coverReplacement(in: headline)
    let version = headline.change(of: "version", within: "/policies/")
    headline.add(version == nil ? "the same version" : "version ")
    if let before = version?.before {
      headline.add(before)
      headline.add(" → ")
    }
    if let version { headline.add(version.after) }
    let isFirst = version.map { $0.before == nil } ?? false
    // A setting with several values has several changes, one after the other.
    var count = 0
    var last: Substring?
    headline.cover(below: "/policies/") { change in
      guard let name = PolicyProperty.setting(atPath: change.path) else { return false }
      if name != last { count += 1 }
      last = name
      return true
    }
    headline.add(", ")
    headline.add(count, "setting")
    if !isFirst { headline.add(" changed") }
    if !isFirst, count > 0, count <= Self.namedSettings {
      headline.add(": ")
      headline.addChanges(below: "/policies/", afterParts: 1, limit: 2 * Self.namedSettings) {
        PolicyProperty.setting(atPath: $0.path) != nil
      }
    }
    _ = headline.change(of: "enforced")
  }

  /// Says that it is another policy, and not a revision of the one before.
  private func coverReplacement(in headline: Headline) {
    guard let id = headline.change(of: "id", within: "/policies/"), id.before != nil, id.after != nil else { return }
    headline.add("another policy")
    headline.addChange(of: "displayName", within: "/policies/", before: ", ")
    headline.add(", ")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "document", &event.document, required: true, "the policy")
    try field(3, "waitsForRestart", &event.waitsForRestart, "whether it is enforced only from the next launch on")
    try field(4, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked again")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.accounts[event.account]?.enrollment.status.isEnrolled == true else { return }
    state.policies.set(
      PolicyRecord(
        account: event.account, document: event.document,
        version: (state.policies[event.account]?.version ?? 0) &+ 1, receivedBy: context.sequence,
        isEnforced: !event.waitsForRestart))
    if !event.waitsForRestart { state.process.recordEnforcement(of: event.account) }
    // Where a policy is required, the question who signs in is moot once there is one.
    if state.settings.app.policyRequired && !state.process.isRevision(before: 5) { state.process.loginQuestion = 0 }
    let removalCode = state.removalCode(afterCheckInOf: event.account)
    let due = state.due(at: event.nextCheckIn, for: event.account, context)
    state.accounts.update(event.account) { account in
      account.mayHaveOrganizationData = true
      account.enrollment.status = .enrolledWithPolicy
      account.enrollment.checkInRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(.newPoliciesReceived, nextCheckIn: due, context)
    }
    state.compliance.resetLoopDetection(of: event.account)
  }
}

/// `policy.withdrawn`: the account no longer has a policy; its data stays.
public struct PolicyWithdrawn: EventPayload {
  public var account: AccountNumber
  /// Why the account lost its policy.
  public var reason = PolicyWithdrawalReason.untargeted
  /// When the service is to be asked again; absent when it is not.
  public var nextCheckIn: Int64?

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(81, "policy.withdrawn", meaning: "The account has no policy any more; its data stays.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(account: .first) }

  public func describe(in headline: Headline) {
    headline.add(reason)
    headline.addChange(of: "status", before: ", ")
    headline.cover(below: "/policies/")
    headline.cover(below: "/accounts/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
    try field(2, "reason", &event.reason, "why the account lost its policy")
    try field(
      3, "nextCheckIn", &event.nextCheckIn, as: .time, "when the service is to be asked again; absent when it is not")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.policies.remove(event.account)
    state.dropRestart(for: event.account)
    guard event.reason == .untargeted else { return }
    state.closeQuestions(about: event.account)
    let removalCode = state.removalCode(afterCheckInOf: event.account)
    let due = state.due(at: event.nextCheckIn, for: event.account, context)
    state.accounts.update(event.account) { account in
      guard account.enrollment.status.isEnrolled else { return }
      account.enrollment.status = .enrolledWithoutPolicy
      account.enrollment.checkInRequest = 0
      account.removalCode = removalCode
      account.enrollment.complete(.noPolicyReceived, nextCheckIn: due, context)
    }
    state.compliance.resetLoopDetection(of: event.account)
  }
}

/// Why an account no longer has a policy.
public enum PolicyWithdrawalReason: Int, WireEnumeration {
  /// The service delivers none (103).
  case untargeted = 0
  /// The account was unenrolled.
  case unenrolled = 1
  /// The service lost its record of the account (220).
  case recordGone = 2
}
