import SensitiveText

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
