/// What the app tells the SDK at run time to use in place of its property list when it asks the token library: the SDK
/// keeps it until an account is unenrolled (`IntuneMAMSettings`). Which account, where several are enrolled, is not
/// published: here it is any.
public struct TokenLibraryOverrides: Equatable, Sendable {
  /// The properties, by the SDK's names.
  public static let names = ["aadAuthorityUriOverride", "aadClientIdOverride", "aadRedirectUriOverride"]

  /// The types of events that end an enrollment, and the overrides with it.
  static let endingEvents: Set<String> = ["unenrollment.succeeded", "wipe.completed", "enrollment.recordGone"]

  /// The values by their names; those that are not set are left out.
  public var values: [String: String]

  /// Creates overrides.
  public init(_ values: [String: String] = [:]) {
    self.values = values
  }
}
