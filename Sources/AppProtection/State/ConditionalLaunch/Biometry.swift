/// Which biometrics a device offers in place of a PIN.
public enum Biometry: Int, WireEnumeration {
  /// None, or none set up.
  case none = 0
  /// Touch ID.
  case fingerprint = 1
  /// Face ID.
  case face = 2
}
