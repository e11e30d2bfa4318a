import AppProtection
import PolicySettings

/// What the token library signs in with: the property list's settings, and the overrides that come before them.
public struct SignInConfiguration: Equatable, Sendable {
  /// The app's client id in the directory (`ADALClientId`, `aadClientIdOverride`); `nil` if neither is set.
  public var clientID: String?
  /// The directory that issues tokens (`ADALAuthority`, `aadAuthorityUriOverride`); `nil` is the common one.
  public var authority: String?
  /// The address to which a sign-in returns (`ADALRedirectUri` or `ADALRedirectScheme`, `aadRedirectUriOverride`).
  public var redirectURI: String?
  /// The keychain group of the library's cache, without the prefix of the app's team (`ADALCacheKeychainGroupOverride`).
  public var keychainGroup: String?
  /// Whether the app sets the library's log callback itself (`ADALLogOverrideDisabled`).
  public var appLogsSignIn: Bool

  /// The configuration of a property list without overrides, by default an empty one.
  ///
  /// - Parameters:
  ///   - settings: The property list's settings.
  ///   - overrides: What the app set while it ran.
  ///   - bundleIdentifier: The app's; with `ADALRedirectScheme` it makes the redirect URI.
  public init(
    _ settings: InfoPlistSettings = InfoPlistSettings(), overrides: TokenLibraryOverrides = TokenLibraryOverrides(),
    bundleIdentifier: String? = nil
  ) {
    let ofScheme = settings.redirectScheme.flatMap { scheme in bundleIdentifier.map { "\(scheme)://\($0)" } }
    clientID = overrides.clientID ?? settings.clientID
    authority = overrides.authority ?? settings.authority
    redirectURI = overrides.redirectURI ?? settings.redirectURI ?? ofScheme
    keychainGroup = settings.cacheKeychainGroup
    appLogsSignIn = settings.appLogsSignIn
  }
}
