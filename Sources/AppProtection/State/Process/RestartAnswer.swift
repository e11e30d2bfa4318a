/// The answer of the app or the user to a restart request.
public enum RestartAnswer: Int, WireEnumeration {
  /// Not answered yet.
  case none = 0
  /// The delegate promised that the app restarts itself; no dialog is shown.
  case appRestartsItself = 1
  /// The delegate left the restart to the engine, which shows its dialog.
  case dialogShown = 2
  /// The user postponed the restart by some minutes.
  case postponed = 3
}
