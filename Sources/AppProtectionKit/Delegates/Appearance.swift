import PolicySettings

/// How the app wants the dialogs of app protection to look: those of its property list.
public struct Appearance: Equatable, Sendable {
  /// The picture on the launch screen (`SplashIconFile`).
  public var launchIcon: String?
  /// That on an iPad (`SplashIconFile~ipad`): ``launchIcon`` unless given.
  public var launchIconOnIPad: String?
  /// The shortest time for which a launch screen is shown, in seconds (`SplashDuration`).
  public var launchScreenSeconds: Double
  /// The background; `nil` is the system's.
  public var background: SettingColor?
  /// The color of text; `nil` is that of the system's labels.
  public var foreground: SettingColor?
  /// The color of buttons, and of the boxes for a PIN; `nil` is the system's blue.
  public var accent: SettingColor?
  /// The second background, on screens about threats.
  public var secondaryBackground: SettingColor
  /// The second color of text there; `nil` is gray.
  public var secondaryForeground: SettingColor?
  /// Whether the dialogs follow the system into dark mode, which they do where none of the first three colors is set.
  public var supportsDarkMode: Bool

  /// The appearance that a property list asks for.
  public init(_ settings: InfoPlistSettings = InfoPlistSettings()) {
    launchIcon = settings.launchIcon
    launchIconOnIPad = settings.launchIconOnIPad ?? settings.launchIcon
    launchScreenSeconds = settings.launchScreenSeconds
    background = settings.backgroundColor
    foreground = settings.foregroundColor
    accent = settings.accentColor
    secondaryBackground = settings.secondaryBackgroundColor
    secondaryForeground = settings.secondaryForegroundColor
    supportsDarkMode = settings.supportsDarkMode
  }

  /// Whether the dialogs may be dark: no main color was set, and dark mode is not turned off.
  public var followsDarkMode: Bool { supportsDarkMode && background == nil && foreground == nil && accent == nil }
}
