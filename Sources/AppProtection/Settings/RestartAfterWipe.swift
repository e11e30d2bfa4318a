/// When a completed wipe asks for a restart of the app.
public enum RestartAfterWipe: Int, WireEnumeration {
  /// After a wipe by a launch condition, the offline interval, or a switch of accounts.
  case engineWipes = 0
  /// After every wipe.
  case always = 1
  /// After none.
  case never = 2
}
