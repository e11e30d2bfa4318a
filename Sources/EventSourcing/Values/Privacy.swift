import SensitiveText

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

  /// Whether a value in a field for personal data can actually be personal. An empty value, yes or no, a small number, a
  /// placeholder such as `{{mail}}`, and a list of these cannot.
  public static func canBePersonal(_ text: some StringProtocol) -> Bool {
    let text = text.lowercased()
    guard !["", "true", "false", "yes", "no", "null", "[]", "{}", "\"\""].contains(text), !Placeholders.isPlain(text)
    else { return false }
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

extension Privacy {
  /// Whether no output shows a text that has a name: the name is that of a secret, or the text is JSON in which a member has
  /// such a name, or a pair of name and value.
  ///
  /// Whether something is needed or allowed is no secret.
  package static func isSecret(_ text: some StringProtocol, named name: String) -> Bool {
    guard !["", "null", "true", "false"].contains(text.lowercased()) else { return false }
    return SecretNames.contain(name) || namesSecretInside(text)
  }

  /// The members that name what stands beside them.
  private static let namingMembers: Set<String> = ["name", "key", "appconfigkey"]

  /// Whether JSON has the name of a secret in it.
  private static func namesSecretInside(_ text: some StringProtocol) -> Bool {
    guard text.utf8.first.map({ $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) ?? false else { return false }
    var rest = Substring(text).utf8
    var member = ""
    while let start = rest.firstIndex(of: UInt8(ascii: "\"")) {
      rest = rest[rest.index(after: start)...]
      var end = rest.startIndex
      while end < rest.endIndex, rest[end] != UInt8(ascii: "\"") {
        let isEscape = rest[end] == UInt8(ascii: "\\")
        end = rest.index(after: end)
        if isEscape, end < rest.endIndex { end = rest.index(after: end) }
      }
      let word = String(Substring(rest[..<end]))
      rest = end < rest.endIndex ? rest[rest.index(after: end)...] : rest[end...]
      let isMember = rest.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: ":")
      if isMember || namingMembers.contains(member.lowercased()), SecretNames.contain(word) { return true }
      member = isMember ? word : ""
    }
    return false
  }
}
