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
}
