/// The origin of a change of identity.
public enum IdentityChangeOrigin: Int, WireEnumeration {
  /// The app called.
  case app = 0
  /// The engine asked the delegate, or follows the enrollment of a single-identity app.
  case engine = 1
}
