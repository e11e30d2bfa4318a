/// Settings that the app makes the SDK use at run time, in place of its property list, when it calls the token library.
/// The SDK keeps them until an account is unenrolled (`IntuneMAMSettings`). Which account that is, if several are
/// enrolled, is not published: here it is any.
public struct TokenLibraryOverrides: Equatable, Sendable {
  /// The overridable properties, by the SDK's names.
  public static let names = ["aadAuthorityUriOverride", "aadClientIdOverride", "aadRedirectUriOverride"]

  /// The types of events that end an enrollment and, with it, the overrides.
  static let endingEvents: Set<String> = ["unenrollment.succeeded", "wipe.completed", "enrollment.recordGone"]

  /// The values by name; unset ones are omitted.
  public var values: [String: String]

  /// Keys of `values` must be among ``names``.
  public init(_ values: [String: String] = [:]) {
    self.values = values
  }
}
