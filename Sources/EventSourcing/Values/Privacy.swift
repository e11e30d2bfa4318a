/// Who may see a value without asking for it: every field of every event has one of these classes.
public enum Privacy: UInt8, Sendable {
  /// Says nothing about a person: shown always.
  case `public` = 0
  /// Identifies a person or an organisation: shown as a pseudonym unless revealed.
  case account = 1
  /// A key, a token, a PIN: never printed, not even when accounts are revealed.
  case secret = 2
}

extension Privacy {
  /// The most digits of a number that names no person: longer ones may be PINs, or personnel or telephone numbers.
  private static let longestNumber = 3

  /// Whether a value that stands in a field for personal ones can be personal: nothing, yes and no, and small numbers
  /// cannot, and neither can a list of them.
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

  /// The class of a text in a field of this class: a secret stays one, whatever it is.
  public func ofValue(_ text: some StringProtocol) -> Privacy {
    self == .account && !Self.canBePersonal(text) ? .public : self
  }
}
