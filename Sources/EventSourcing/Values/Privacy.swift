/// Who may see a value by default. Every field of every event belongs to one of these classes.
public enum Privacy: UInt8, Sendable {
  /// Not personal: always shown.
  case `public` = 0
  /// Identifies a person or an organisation: shown as a pseudonym unless revealed.
  case account = 1
  /// A key, token or PIN: never printed, even when accounts are revealed.
  case secret = 2
}

extension Privacy {
  /// The most digits of a number that cannot be personal: longer ones may be PINs, or personnel or telephone numbers.
  private static let longestNumber = 3

  /// Whether a value in a field for personal data can actually be personal. An empty value, yes or no, a small number,
  /// and a list of these cannot.
  public static func canBePersonal(_ text: some StringProtocol) -> Bool {
    let text = text.lowercased()
    guard !["", "true", "false", "yes", "no", "null", "[]", "{}", "\"\""].contains(text) else { return false }
    if text.hasPrefix("["), text.hasSuffix("]") {
      return text.dropFirst().dropLast().split(separator: ",").contains { item in
        item.contains("[") || canBePersonal(item.drop { $0 == " " })
      }
    }
    let digits = text.utf8.count { 0x30...0x39 ~= $0 }
    let isNumber = text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    return !isNumber || digits > longestNumber
  }

  /// The class of a text in a field of this class; a secret stays secret, regardless of the text.
  public func ofValue(_ text: some StringProtocol) -> Privacy {
    self == .account && !Self.canBePersonal(text) ? .public : self
  }
}
