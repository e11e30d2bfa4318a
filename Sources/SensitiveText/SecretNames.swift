/// Recognizes secrets by the names that people and programs give them.
package enum SecretNames {
  /// What stands for a secret in every output.
  package static let placeholder = "(secret)"

  /// What the names of secrets have in them, in lower case and without anything between words.
  private static let parts = [
    "password", "passwd", "passphrase", "passcode", "secret", "credential", "token", "apikey", "accesskey",
    "privatekey", "sharedkey", "licensekey", "activationkey", "encryptionkey", "signingkey",
  ].map { Array($0.utf8) }

  /// What names secrets only as a whole word, in lower case.
  private static let words = ["pass", "pwd", "pin", "psk", "otp"].map { Array($0.utf8) }

  /// Whether a name that no description covers is that of a secret, as `clientSecret`, `Server.password` and `api_key` are.
  ///
  /// It errs on the side of secrecy: `passwordHint` is taken for one.
  package static func contain(_ name: String) -> Bool {
    // What stands where a secret was says nothing of the text around it.
    var name = name.utf8.contains(UInt8(ascii: "(")) ? name.replacing(placeholder, with: "") : name
    // A link may have a parameter every other byte, and what Unicode knows of a letter takes a microsecond to ask.
    let words = name.withUTF8 { lowerCaseWords(ascii: $0) } ?? lowerCaseWords(name)
    let squeezed = Array(words.joined())
    return words.contains { word in Self.words.contains { $0[...] == word } }
      || squeezed.count > 4 && parts.contains { squeezed.firstRange(of: $0) != nil }
  }

  /// The words of a name: each begins after what is no letter, or with a capital after a small letter. `nil` unless it is ASCII.
  private static func lowerCaseWords(ascii name: UnsafeBufferPointer<UInt8>) -> [ArraySlice<UInt8>]? {
    var words: [ArraySlice<UInt8>] = []
    var letters: [UInt8] = []
    var start = 0
    var endsInLowerCase = false
    for byte in name {
      guard byte < 0x80 else { return nil }
      let isLowerCase = 0x61...0x7A ~= byte
      let isUpperCase = 0x41...0x5A ~= byte
      if !isLowerCase && (!isUpperCase || endsInLowerCase), start < letters.count {
        words.append(letters[start...])
        start = letters.count
      }
      if isLowerCase || isUpperCase { letters.append(byte | 0x20) }
      endsInLowerCase = isLowerCase
    }
    if start < letters.count { words.append(letters[start...]) }
    return words
  }

  private static func lowerCaseWords(_ name: String) -> [ArraySlice<UInt8>] {
    var words = [""]
    var endsInLowerCase = false
    for scalar in name.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      if !isLetter || (endsInLowerCase && scalar.properties.isUppercase) { words.append("") }
      if isLetter { words[words.count - 1].unicodeScalars.append(scalar) }
      endsInLowerCase = scalar.properties.isLowercase
    }
    return words.map { Array($0.lowercased().utf8)[...] }
  }
}
