import AppProtection

/// The characters of a PIN: `PINCharacterType`. Graph's numbers in reverse.
public enum DevicePINCharacterType: Int64, DeviceChoice {
  /// Letters, digits and symbols.
  case passcode = 0
  /// Digits.
  case numeric = 1

  /// The corresponding member in Graph.
  public var graph: PINCharacterSet { self == .passcode ? .alphanumericAndSymbol : .numeric }
}
