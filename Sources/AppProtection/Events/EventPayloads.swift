import EventSourcing

/// The payload of an event that names only an account.
public protocol AccountEventPayload: EventPayload {
  /// The account.
  var account: AccountNumber { get set }
}

extension AccountEventPayload {
  /// The account is field 1.
  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "account", &event.account, required: true, "the account")
  }
}

/// The payload of an event with data about the person of an account, which the account's key can seal.
public protocol PersonalEventPayload: EventPayload {
  /// The account.
  var account: AccountNumber { get }
}

extension PersonalEventPayload {
  /// `true`: some fields are personal.
  public static var isPersonal: Bool { true }

  /// The account's number.
  public var sealingAccount: UInt64 { account.key }
}

/// What an event means and what to do about it, where that depends on what the event holds, and not on its type alone.
public struct EventAdvice: Equatable, Sendable {
  /// What the event records, in one sentence.
  public let meaning: String
  /// What the reader can do about it.
  public let remedy: String
}

extension AppProtectionEvent {
  /// What the event means and what to do; `nil` where its type's catalogue entry says so.
  public var advice: EventAdvice? {
    guard case .tokenDenied(let event) = self else { return nil }
    return event.advice
  }
}
