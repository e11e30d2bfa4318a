import EventSourcing

/// `identity.switched`: the identity of the process, a window or a thread changed.
public struct IdentitySwitched: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The new identity.
  public var identity: Identity
  /// The origin of the change.
  public var origin = IdentityChangeOrigin.app

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      100, "identity.switched",
      meaning: "The identity of the process, a window or a thread is another one.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func describe(in headline: Headline) {
    headline.add(scope)
    headline.add(": ")
    if let change = headline.change(within: "/identities/") {
      headline.add(change.before)
      headline.add(" → ")
    }
    headline.add(identity)
    headline.add(", by ")
    headline.add(origin)
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it is from here on")
    try field(3, "origin", &event.origin, "who wanted it")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.knows(event.identity) && event.scope.isValid else { return }
    state.identities.set(event.scope, to: event.identity)
  }
}

/// `identity.switchRefused`: an identity switch did not happen; the identity is unchanged.
public struct IdentitySwitchRefused: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The identity requested.
  public var identity: Identity
  /// How it ended.
  public var result = SwitchIdentityResult.success
  /// Why the switch was refused.
  public var reason = SwitchRefusalReason.conditionalLaunch

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      101, "identity.switchRefused", unknownReaders: .ignorable,
      meaning: "A switch of identity did not happen; the identity is the one before.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func describe(in headline: Headline) {
    headline.add(scope)
    headline.add(": not ")
    headline.add(identity)
    headline.add(", ")
    headline.add(result)
    headline.add(" (")
    headline.add(reason)
    headline.add(")")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it should have become")
    try field(3, "result", &event.result, "how it ended")
    try field(4, "reason", &event.reason, "what stood against the switch")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    // Only for the reader of the journal: launch conditions alone evaluate a refused switch.
  }
}

/// `identity.switchRequested`: the app's delegate is asked to switch identity.
public struct IdentitySwitchRequested: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The identity requested.
  public var identity: Identity
  /// Why the switch is needed.
  public var reason = IdentitySwitchReason.openURL

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      102, "identity.switchRequested", meaning: "The app's delegate is asked to switch identity.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func describe(in headline: Headline) {
    headline.add(scope)
    headline.add(": to ")
    headline.add(identity)
    headline.add(", for ")
    headline.add(reason)
    headline.cover(below: "/identities/requests/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it should become")
    try field(3, "reason", &event.reason, "what the switch is needed for")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    guard state.knows(event.identity) && event.scope.isValid else { return }
    state.identities.requests.removeAll { $0.scope == event.scope }
    state.identities.requests.append(
      IdentitySwitchRequest(
        scope: event.scope, identity: event.identity, reason: event.reason, requestedBy: context.sequence))
  }
}

/// `identity.switchAnswered`: the app's delegate answered a request to switch identity.
public struct IdentitySwitchAnswered: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// The identity requested.
  public var identity: Identity
  /// The delegate's answer.
  public var result = SwitchIdentityResult.success
  /// Whether the answer was a constant of ``AddIdentityResult``, whose number reads as ``result``.
  public var isAddIdentityResult = false

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      103, "identity.switchAnswered",
      meaning: "The app's delegate answered a request to switch identity.",
      remedy: """
        Answer a switch with the constants for switches: the one for an account that was not added reads as \
        canceled.
        """)
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process, identity: .unset) }

  public func describe(in headline: Headline) {
    headline.add(scope)
    headline.add(": to ")
    headline.add(identity)
    headline.add(", ")
    headline.add(result)
    if isAddIdentityResult { headline.add(", from a constant for added accounts") }
    headline.cover(below: "/identities/requests/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
    try field(2, "identity", &event.identity, required: true, "whose it should become")
    try field(3, "result", &event.result, "what the delegate answered")
    try field(
      4, "isAddIdentityResult", &event.isAddIdentityResult,
      "whether the answer was a constant for added accounts, whose number reads so")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.identities.requests.removeAll { $0.scope == event.scope }
  }
}

/// `identity.scopeClosed`: a window or a thread is gone, along with its identity.
public struct IdentityScopeClosed: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(
      104, "identity.scopeClosed", meaning: "A window or a thread is gone, and its identity with it.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self(scope: .process) }

  public func describe(in headline: Headline) {
    headline.add(scope)
    headline.add(" closed")
    if let before = headline.change(within: "/identities/")?.before {
      headline.add(", was ")
      headline.add(before)
    }
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "scope", &event.scope, required: true, "the process, the window or the thread")
  }

  public static func fold(_ event: Self, into state: inout AppProtectionState, _ context: EventContext) {
    state.identities.set(event.scope, to: .unset)
    state.identities.requests.removeAll { $0.scope == event.scope }
  }
}

/// The origin of a change of identity.
public enum IdentityChangeOrigin: Int, WireEnumeration {
  /// The app called.
  case app = 0
  /// The engine asked the delegate, or follows the enrollment of a single-identity app.
  case engine = 1
}

/// Why a switch of identity did not happen.
public enum SwitchRefusalReason: Int, WireEnumeration {
  /// A launch condition of the account was not met or was canceled.
  case conditionalLaunch = 0
  /// Another user of the managed account's organization cannot be used beside it.
  case sameOrganization = 1
  /// The main thread carries a different thread identity.
  case threadIdentity = 2
  /// The app's delegate did not switch.
  case delegate = 3
  /// The account is leaving: its data is being wiped.
  case accountLeaving = 4
  /// The app has a single identity, its managed account's, and is assumed not to set any other.
  case singleIdentity = 5
}

extension AppProtectionState {
  /// The enrolled account whose identity a single-identity app's process has; `nil` if there is none.
  var processOwner: AccountNumber? {
    guard let account = identities.process.account, !settings.app.multiIdentity, isEnrolledOrManaged(account) else {
      return nil
    }
    return account
  }

  /// Takes the process's identity back from an account that is no longer enrolled, whichever event ended it: the SDK
  /// sets it to the enrolled user (S004 Turn on multi-identity). Another managed account takes its place. The policy of
  /// an account that is being wiped protects its data until that is gone, and the identity stays as long.
  ///
  /// - Parameter account: the process's owner before the event.
  mutating func followEnrollment(of account: AccountNumber) {
    guard !process.isRevision(before: 5), !settings.app.multiIdentity, !isEnrolledOrManaged(account),
      identities.process == .account(account) || identities.process == .unset
    else { return }
    let identity = policies.records.first.map { Identity.account($0.account) } ?? .unset
    if identities.process != identity { identities.process = identity }
  }

  private func isEnrolledOrManaged(_ account: AccountNumber) -> Bool {
    isManaged(account) || accounts.read(account) { $0.enrollment.status.isEnrolled } == true
  }

  /// Whether an identity is unmanaged or belongs to an account the journal knows.
  fileprivate func knows(_ identity: Identity) -> Bool {
    identity.account.map { accounts.index(of: $0) != nil } ?? true
  }
}
