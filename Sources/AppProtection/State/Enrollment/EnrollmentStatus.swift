/// The eight states of the enrollment machine, from first mention to removal.
public enum EnrollmentStatus: Int, WireEnumeration {
  /// Mentioned, but not registered by the app.
  case unknown = 0
  /// Registered by the app; not enrolled.
  case registered = 1
  /// The service has been asked to enroll it.
  case enrolling = 2
  /// Enrolled, but no policy targets it: it is unmanaged.
  case enrolledWithoutPolicy = 3
  /// Enrolled, with a policy.
  case enrolledWithPolicy = 4
  /// The service has been asked to unenroll it.
  case unenrolling = 5
  /// Its data is being wiped.
  case wiping = 6
  /// Unenrolled and deregistered; it may be registered again.
  case removed = 7

  /// Whether the service counts the account as enrolled.
  public var isEnrolled: Bool {
    self == .enrolledWithoutPolicy || self == .enrolledWithPolicy
  }

  /// Whether the account is in the app's list of registered accounts.
  public var isRegistered: Bool {
    self != .unknown && self != .removed
  }
}
