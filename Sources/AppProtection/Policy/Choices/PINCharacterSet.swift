/// The characters of an app PIN. `managedAppPinCharacterSet` in Graph.
public enum PINCharacterSet: String, PolicyChoice {
  /// Digits.
  case numeric
  /// At least a digit, a letter and a symbol.
  case alphanumericAndSymbol
  /// A name or number that this program does not know. A decision must treat it as the most restrictive choice.
  case unrecognized

  /// The number in Graph, and on the wire.
  public var number: UInt64 {
    switch self {
    case .numeric: 0
    case .alphanumericAndSymbol: 1
    case .unrecognized: Self.unrecognizedNumber
    }
  }

  /// The name in the published schema.
  public static let schemaName = "PINCharacterSet"
}
