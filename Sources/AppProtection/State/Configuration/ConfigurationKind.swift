/// The kind of a configured value.
public enum ConfigurationKind: Int, WireEnumeration {
  /// Text, which is all that the service's own channel delivers.
  case string = 0
  /// Yes or no: `true` or `false`.
  case boolean = 1
  /// A whole number.
  case integer = 2
  /// Any number.
  case real = 3
}
