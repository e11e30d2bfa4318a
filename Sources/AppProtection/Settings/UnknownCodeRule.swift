/// Whether a request is repeated that ended in a status code that is in no table.
public enum UnknownCodeRule: Int, WireEnumeration {
  /// It is, at the interval for failed enrollments.
  case scheduled = 0
  /// It is not.
  case never = 1
}
