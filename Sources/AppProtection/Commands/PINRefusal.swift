/// Why a PIN cannot be chosen.
public enum PINRefusal: String, Equatable, Sendable, CaseIterable {
  /// It has fewer characters than `minimumPinLength`.
  case tooShort
  /// `pinCharacterSet` is numeric, and it has other characters than digits.
  case notNumeric
  /// A passcode needs at least a letter or a symbol.
  case lacksLetterOrSymbol
  /// A passcode needs a digit, a letter and a symbol where `simplePinBlocked` is set.
  case lacksCharacterClass
  /// `simplePinBlocked` is set, and three digits in a row are equal or count up or down by one.
  case simple
  /// It is one of the earlier PINs that `previousPinBlockCount` forbids.
  case reused

  /// What to do instead, without a full stop.
  var remedy: String {
    switch self {
    case .tooShort: "choose a longer one"
    case .notNumeric: "choose one of digits alone"
    case .lacksLetterOrSymbol: "choose one with a letter or a symbol"
    case .lacksCharacterClass: "choose one with a digit, a letter and a symbol"
    case .simple: "avoid three digits in a row that are equal or count up or down"
    case .reused: "choose one that was not used lately"
    }
  }

  /// The setting that forbids it, by its name in Graph.
  public var setting: String { property.name }

  /// The setting that forbids it.
  var property: PolicyProperty {
    switch self {
    case .tooShort: .minimumPinLength
    case .notNumeric, .lacksLetterOrSymbol: .pinCharacterSet
    case .lacksCharacterClass, .simple: .simplePinBlocked
    case .reused: .previousPinBlockCount
    }
  }
}

extension PolicyDocument.Access {
  /// A policy's objections to a PIN, in the order of ``PINRefusal``; empty if it may be chosen.
  ///
  /// An unknown character set counts as the strictest, a passcode.
  ///
  /// - Parameters:
  ///   - pin: the form of the PIN.
  ///   - earlier: how many PINs ago it was last used, 1 for the one before; `nil` for one that was not used before.
  public func refusals(of pin: PINFacts, equalTo earlier: Int? = nil) -> [PINRefusal] {
    var refusals: [PINRefusal] = []
    if Int(pin.length) < minimumPinLength ?? 0 { refusals.append(.tooShort) }
    let isSimpleBlocked = simplePinBlocked ?? false
    if pinCharacterSet ?? .numeric == .numeric {
      if pin.hasLetter || pin.hasSymbol || !pin.hasDigit { refusals.append(.notNumeric) }
      if isSimpleBlocked && pin.hasSimpleRun { refusals.append(.simple) }
    } else if isSimpleBlocked {
      if !(pin.hasDigit && pin.hasLetter && pin.hasSymbol) { refusals.append(.lacksCharacterClass) }
    } else if !(pin.hasLetter || pin.hasSymbol) {
      refusals.append(.lacksLetterOrSymbol)
    }
    if let earlier, earlier >= 1, earlier <= previousPinBlockCount ?? 0 { refusals.append(.reused) }
    return refusals
  }
}
