/// What happens to a leaving account if the service cannot be notified because its tokens are gone.
public enum UnreachableUnenrollment: Int, WireEnumeration {
  /// It is removed from the device, and the record that lingers at the service is marked.
  case removeLocally = 0
  /// It stays until the app has a token again.
  case waitForToken = 1
}
