extension Privacy {
  /// What the names of secrets have in them, in lower case and without anything between words.
  private static let secretParts = [
    "password", "passwd", "passphrase", "passcode", "secret", "credential", "token", "apikey", "accesskey",
    "privatekey",
    "sharedkey", "licensekey", "activationkey", "encryptionkey", "signingkey",
  ]

  /// What names secrets only as a whole word, in lower case.
  private static let secretWords: Set<String> = ["pass", "pwd", "pin", "psk", "otp"]

  /// Whether a name that nobody described is that of a secret, as `clientSecret`, `Server.password` and `api_key` are.
  ///
  /// It errs on the side of secrecy: `passwordHint` is taken for one.
  package static func namesSecret(_ name: String) -> Bool {
    // What stands where a secret was says nothing of the text around it.
    let name = name.utf8.contains(UInt8(ascii: "(")) ? name.replacing("(secret)", with: "") : name
    var words = [""]
    var endsInLowerCase = false
    for scalar in name.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      if !isLetter || (endsInLowerCase && scalar.properties.isUppercase) { words.append("") }
      if isLetter { words[words.count - 1].unicodeScalars.append(scalar) }
      endsInLowerCase = scalar.properties.isLowercase
    }
    words = words.map { $0.lowercased() }
    let squeezed = words.joined()
    return words.contains(where: secretWords.contains) || secretParts.contains { squeezed.contains($0) }
  }

  /// Whether a text that somebody gave a name is shown under no circumstances: it has the name of a secret, or is JSON in which
  /// a member has one, or a pair of name and value.
  ///
  /// Whether something is needed or allowed is no secret.
  package static func isSecret(_ text: some StringProtocol, named name: String) -> Bool {
    guard !["", "null", "true", "false"].contains(text.lowercased()) else { return false }
    return namesSecret(name) || namesSecretInside(text)
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
      if isMember || namingMembers.contains(member.lowercased()), namesSecret(word) { return true }
      member = isMember ? word : ""
    }
    return false
  }
}
