import AppProtection

/// Which characters a PIN has: `PINCharacterType`. The reverse of Graph's numbers.
public enum DevicePINCharacterType: Int64, DeviceChoice {
  /// Letters, digits and symbols.
  case passcode = 0
  /// Digits.
  case numeric = 1

  /// The member in Graph that means the same.
  public var graph: PINCharacterSet { self == .passcode ? .alphanumericAndSymbol : .numeric }
}
