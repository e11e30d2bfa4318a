/// Which published table of intervals applies.
public enum RetryProfile: Int, WireEnumeration {
  /// The service's delivery timing table.
  case serviceTable = 0
  /// The guide of 2019: policy every 8 hours, failed enrollments every 24 hours.
  case guide2019 = 1
  /// The guide of 2023: the service chooses the policy interval, failed enrollments every 24 hours.
  case guide2023 = 2
}
