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
