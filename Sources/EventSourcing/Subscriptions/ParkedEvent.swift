/// An event that failed too often and was passed over for now.
public struct ParkedEvent: Equatable, Sendable {
  /// The longest text of an error that is kept, in bytes.
  static var maximumErrorLength: Int { 512 }

  /// Its number.
  public let sequence: UInt64
  /// How often it was tried.
  public let attempts: Int
  /// What the last attempt threw, and why the event cannot be read if that is so.
  public let error: String
  /// When it failed first.
  public let since: Moment
  /// Whether it is tried again next, because ``EventSubscription/retryParked(_:)`` was called.
  public internal(set) var isDue = false

  init(sequence: UInt64, attempts: Int, error: String, since: Moment) {
    self.sequence = sequence
    self.attempts = attempts
    self.error = error
    self.since = since
  }

  /// The same after it could not be read for another attempt.
  func unreadable(_ reason: String) -> ParkedEvent {
    let addition = "; it cannot be read: \(reason)"
    return ParkedEvent(
      sequence: sequence, attempts: attempts,
      error: error.hasSuffix(addition) ? error : Self.bounded(error + addition), since: since)
  }

  /// The first bytes of a text, as whole characters.
  static func bounded(_ text: String) -> String {
    guard text.utf8.count > maximumErrorLength else { return text }
    var scalars = text.unicodeScalars.prefix(maximumErrorLength)
    while String(scalars).utf8.count > maximumErrorLength - 3 { scalars.removeLast() }
    return String(scalars) + "…"
  }
}
