/// Whether a request that ended in an unknown status code is repeated.
public enum UnknownCodeRule: Int, WireEnumeration {
  /// It is repeated at the interval for failed enrollments.
  case scheduled = 0
  /// It is not repeated.
  case never = 1
}
