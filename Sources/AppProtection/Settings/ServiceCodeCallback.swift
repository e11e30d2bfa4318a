/// Which callback reports a code that ends an enrollment and answers a check-in: 220 and 226.
public enum ServiceCodeCallback: Int, WireEnumeration {
  /// The one of the request that was answered.
  case answeredRequest = 0
  /// Always the one for enrollments.
  case enrollment = 1
}
