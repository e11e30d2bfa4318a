import SensitiveText

/// A fact about the account that a delivered configuration is for, as an administrator writes it between `{{` and `}}`, in any
/// case of letters.
///
/// The journal holds the text as written, and the fact is filled in where the app reads the configuration: so it goes with
/// the account's own name and object id when the person is erased.
public enum UserPlaceholder: String, CaseIterable, Sendable {
  /// `{{userprincipalname}}`: the user principal name.
  case userPrincipalName = "userprincipalname"
  /// `{{userid}}`: the Entra object id.
  case userID = "userid"

  /// The fact; `nil` if it is not known, or erased.
  fileprivate func value(of account: Account) -> String? {
    switch self {
    case .userPrincipalName: account.userPrincipalName
    case .userID: account.objectID?.description
    }
  }

  /// A text with its placeholders replaced; one without a value stays as written, as do all others.
  fileprivate static func fill(_ text: String, with value: (UserPlaceholder) -> String?) -> String {
    guard text.contains("{{") else { return text }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      let placeholder = UserPlaceholder(rawValue: rest[start.upperBound..<end.lowerBound].lowercased())
      result += rest[..<start.lowerBound]
      result += placeholder.flatMap(value) ?? String(rest[start.lowerBound..<end.upperBound])
      rest = rest[end.upperBound...]
    }
    return result + rest
  }
}

extension ConfigurationValue {
  /// Whether a delivered value holds a placeholder that is never filled in, alone or within a longer text.
  package var isUnfilled: Bool {
    Placeholders.names(in: text).contains { UserPlaceholder(rawValue: $0.lowercased()) == nil }
  }

  /// The value as the app reads it for an account.
  fileprivate func filled(for account: Account) -> ConfigurationValue {
    guard isReadable else { return self }
    var value = opened
    value.text = UserPlaceholder.fill(text) { $0.value(of: account) }
    return value
  }
}

extension ConfigurationEntry {
  /// The entry as the app reads it for an account: opened, and with the ``UserPlaceholder``s replaced. What cannot be read
  /// stays sealed.
  func filled(for account: Account) -> ConfigurationEntry {
    guard values.contains(where: { $0.isSealed || $0.text.contains("{{") }) else { return self }
    return changing { $0.filled(for: account) }
  }
}
