import EventSourcing

/// What of a history may be shown.
///
/// Accounts always show as their pseudonyms (`a1`), because that is all the events refer to. What identifies a person
/// stands in fields of the class ``/EventSourcing/Privacy/account`` and is withheld unless somebody asks for it; a secret
/// is never shown. A withheld value shows as withheld, never as empty.
public struct Redaction: Equatable, Sendable {
  /// Whether values that identify a person or organisation are shown.
  public let revealsAccounts: Bool

  /// Everything that says nothing about a person.
  public static let on = Redaction(revealsAccounts: false)
  /// Everything but secrets.
  public static let revealing = Redaction(revealsAccounts: true)

  /// Whether a value of this class may be shown.
  public func shows(_ privacy: Privacy) -> Bool {
    switch privacy {
    case .public: true
    case .account: revealsAccounts
    case .secret: false
    }
  }

  /// What stands in text where a value of this class is not shown.
  public func placeholder(for privacy: Privacy) -> String {
    privacy == .secret ? "(secret)" : "(withheld)"
  }
}
