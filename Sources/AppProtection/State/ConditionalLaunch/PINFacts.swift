import EventSourcing

/// The facts about a PIN that rules need. The PIN itself is never kept, and cannot be derived from them.
public struct PINFacts: FieldList {
  /// How many characters it has.
  public var length: UInt32 = 0
  /// Whether it has a digit.
  public var hasDigit = false
  /// Whether it has a letter.
  public var hasLetter = false
  /// Whether it has a character that is neither digit nor letter.
  public var hasSymbol = false
  /// Whether three digits in a row are equal, or count up or down by one: 1112 and 1235 are simple, 1122 is not.
  public var hasSimpleRun = false

  /// A PIN without characters, which no policy accepts.
  public init() {}

  /// Derives the facts from a PIN. O(length).
  public init(of pin: String) {
    var last: (older: Int, newer: Int)?
    var previous: Int?
    for character in pin {
      length = length == .max ? .max : length + 1
      let digit = character.isASCII ? character.wholeNumberValue : nil
      if digit != nil {
        hasDigit = true
      } else if character.isLetter {
        hasLetter = true
      } else {
        hasSymbol = true
      }
      if let digit, let last {
        let step = last.newer - last.older
        if abs(step) <= 1 && digit - last.newer == step { hasSimpleRun = true }
      }
      last = if let digit, let previous { (previous, digit) } else { nil }
      previous = digit
    }
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public static func visit<V: FieldVisitor>(_ facts: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "length", &facts.length, "how many characters it has")
    try field(2, "hasDigit", &facts.hasDigit, "whether it has a digit")
    try field(3, "hasLetter", &facts.hasLetter, "whether it has a letter")
    try field(4, "hasSymbol", &facts.hasSymbol, "whether it has a character that is neither digit nor letter")
    try field(
      5, "hasSimpleRun", &facts.hasSimpleRun, "whether three digits in a row are equal or count up or down by one")
  }
}

/// Which biometrics a device offers in place of a PIN.
public enum Biometry: Int, WireEnumeration {
  /// None, or none set up.
  case none = 0
  /// Touch ID.
  case fingerprint = 1
  /// Face ID.
  case face = 2
}
