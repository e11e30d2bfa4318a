import AppProtection
import PolicySettings

/// The app's settings, and what it overrides while it runs (`IntuneMAMSettings`).
///
/// ```swift
/// let document = try SettingsDocument.read(bytes, file: "Info.plist")
/// let engine = PolicyEngine(store: store, service: service, files: files, propertyList: document)
/// for finding in engine.settings.findings { print(finding) }  // unknown and misspelt keys, with the nearest name
/// ```
///
/// What becomes of each key is on the page <doc:SettingsAndLogs>. The property list is not kept: it is what the app passes to
/// its engine. Overrides are events of the journal.
public struct Settings: Sendable {
  let engine: PolicyEngine

  // MARK: The property list

  /// The settings of the property list, with their defaults.
  public var propertyList: InfoPlistSettings { engine.propertyList?.settings ?? InfoPlistSettings() }

  /// What is wrong with the property list; empty if the engine has none.
  public var findings: [SettingsFinding] { engine.propertyList?.findings ?? [] }

  /// The settings that steer the machine, as the journal records them.
  public var recorded: AppSettings { engine.withState { $0.settings.app } }

  /// How the dialogs of app protection look.
  public var appearance: Appearance { Appearance(propertyList) }

  /// The strongest protection of files that the app can work with (`MaxFileProtectionLevel`).
  public var maximumFileProtection: FileProtectionClass { FileProtectionClass(propertyList.maximumFileProtection) }

  /// Whether a web view of the app opens a URL itself, by its scheme (`WebViewHandledURLSchemes`).
  public func isHandledByWebViews(_ url: String) -> Bool {
    guard let end = url.firstIndex(of: ":") else { return false }
    let scheme = url[..<end].lowercased()
    return propertyList.webViewSchemes.contains { $0.lowercased() == scheme }
  }

  // MARK: The token library

  /// What the app overrides (`aadAuthorityUriOverride`, `aadClientIdOverride`, `aadRedirectUriOverride`).
  public var overrides: TokenLibraryOverrides { engine.withState { $0.settings.overrides } }

  /// Changes what the app overrides. It comes before the property list at once, survives a launch, and ends when an account is
  /// unenrolled.
  ///
  /// ```swift
  /// try await engine.settings.override { $0.authority = "https://login.microsoftonline.com/contoso.com" }
  /// ```
  ///
  /// - Parameter change: Changes the overrides in force. Of two changes at the same time, the later one counts.
  /// - Throws: ``EngineError/refused(_:)`` if a value cannot be used; nothing changes then.
  public func override(_ change: (inout TokenLibraryOverrides) -> Void) async throws(EngineError) {
    var overrides = overrides
    change(&overrides)
    try await engine.send(.overrideSettings(overrides))
  }

  /// What the token library signs in with now. ``TokenRequest/signIn`` carries it to the app's ``TokenProvider``.
  public var signIn: SignInConfiguration {
    SignInConfiguration(propertyList, overrides: overrides, bundleIdentifier: engine.propertyList?.bundleIdentifier)
  }
}

extension PolicyEngine {
  /// The app's settings, and what it overrides.
  public var settings: Settings { Settings(engine: self) }
}
