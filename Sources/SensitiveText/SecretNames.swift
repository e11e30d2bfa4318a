/// Recognizes secrets by the names that people and programs give them.
package enum SecretNames {
  /// What stands for a secret in every output.
  package static let placeholder = "(secret)"

  /// What the names of secrets have in them, in lower case and without anything between words.
  private static let parts = [
    "password", "passwd", "passphrase", "passcode", "secret", "credential", "token", "apikey", "accesskey",
    "privatekey", "sharedkey", "licensekey", "activationkey", "encryptionkey", "signingkey",
  ]

  /// What names secrets only as a whole word, in lower case.
  private static let words: Set<String> = ["pass", "pwd", "pin", "psk", "otp"]

  /// Whether a name that no description covers is that of a secret, as `clientSecret`, `Server.password` and `api_key` are.
  ///
  /// It errs on the side of secrecy: `passwordHint` is taken for one.
  package static func contain(_ name: String) -> Bool {
    // What stands where a secret was says nothing of the text around it.
    let name = name.utf8.contains(UInt8(ascii: "(")) ? name.replacing(placeholder, with: "") : name
    var found = [""]
    var endsInLowerCase = false
    for scalar in name.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      if !isLetter || (endsInLowerCase && scalar.properties.isUppercase) { found.append("") }
      if isLetter { found[found.count - 1].unicodeScalars.append(scalar) }
      endsInLowerCase = scalar.properties.isLowercase
    }
    found = found.map { $0.lowercased() }
    let squeezed = found.joined()
    return found.contains(where: words.contains) || parts.contains { squeezed.contains($0) }
  }
}
