/// What the app or the user answered to a restart request.
public enum RestartAnswer: Int, WireEnumeration {
  /// Nobody has answered yet.
  case none = 0
  /// The delegate promised that the app restarts itself; no dialog is shown.
  case appRestartsItself = 1
  /// The delegate left it to the engine, whose dialog is shown.
  case dialogShown = 2
  /// The user postponed the restart by some minutes.
  case postponed = 3
}
