import EventSourcing

/// How the pauses after failures of the network rise to their cap of an hour.
public enum BackoffSequence: Int, WireEnumeration {
  /// 1, 2, 4, 8, 16, 32 and then 60 minutes.
  case doubling = 0
  /// An hour from the first failure on.
  case capAtOnce = 1
}

/// The scope in which a policy is the first one, and so is enforced only after a restart.
public enum FirstPolicyScope: Int, WireEnumeration {
  /// For the process: once it enforces any policy, every further one is enforced at once.
  case process = 0
  /// For the account: each account's first policy in a process waits for the next launch.
  case account = 1
}

/// What happens to an account with a managed account's name but a different object id (T13).
public enum NamesakeRule: Int, WireEnumeration {
  /// It is refused, and the user is led to reset the device's account.
  case leadToReset = 0
  /// The user is asked which of the two to keep, as of any two accounts.
  case askWhichToKeep = 1
}

/// How two accounts are recognised as belonging to one organization.
public enum OrganizationRule: Int, WireEnumeration {
  /// By the domain of their user principal names, ignoring case.
  case domain = 0
  /// Not at all: no two accounts belong to one organization.
  case never = 1
}

/// How an app's policy source follows the account of the device.
public enum PolicySourceRule: Int, WireEnumeration {
  /// It is device management while the device has an account, and the service without it.
  case followsDevice = 0
  /// It is the service, regardless of device management.
  case service = 1
}

/// If the service lost an account's record and still has none: which attempt to enroll again ends in a refusal (221).
public enum ReenrollmentRefusal: Int, WireEnumeration {
  /// Every attempt, even one after a network failure.
  case everyAttempt = 0
  /// Only the one directly after the loss; later ones are repeated like those of a new account.
  case firstAttempt = 1
}

/// When a completed wipe asks for a restart of the app.
public enum RestartAfterWipe: Int, WireEnumeration {
  /// After a wipe by a launch condition, the offline interval, or a switch of accounts.
  case engineWipes = 0
  /// After every wipe.
  case always = 1
  /// After none.
  case never = 2
}

/// Which published table of intervals applies.
public enum RetryProfile: Int, WireEnumeration {
  /// The service's delivery timing table.
  case serviceTable = 0
  /// The guide of 2019: policy every 8 hours, failed enrollments every 24 hours.
  case guide2019 = 1
  /// The guide of 2023: the service chooses the policy interval, failed enrollments every 24 hours.
  case guide2023 = 2
}

/// Which callback reports a code that ends an enrollment and answers a check-in: 220 and 226.
public enum ServiceCodeCallback: Int, WireEnumeration {
  /// The one of the request that was answered.
  case answeredRequest = 0
  /// Always the one for enrollments.
  case enrollment = 1
}

/// Whether a request that ended in an unknown status code is repeated.
public enum UnknownCodeRule: Int, WireEnumeration {
  /// It is repeated at the interval for failed enrollments.
  case scheduled = 0
  /// It is not repeated.
  case never = 1
}

/// The number in a wipe notice whose cause has no published number.
public enum UnpublishedWipeReason: Int, WireEnumeration {
  /// This project's own, below 600.
  case ownNumber = 0
  /// 0, which has no meaning.
  case unspecified = 1
}

/// What happens to a leaving account if the service cannot be notified because its tokens are gone.
public enum UnreachableUnenrollment: Int, WireEnumeration {
  /// It is removed from the device, and the record that lingers at the service is marked.
  case removeLocally = 0
  /// It stays until the app has a token again.
  case waitForToken = 1
}
