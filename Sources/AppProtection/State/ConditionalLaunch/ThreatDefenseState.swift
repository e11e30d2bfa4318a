/// How far mobile threat defense is set up on a device.
public enum ThreatDefenseState: Int, WireEnumeration {
  /// Its state is unknown.
  case unknown = 0
  /// Its app is not installed.
  case notInstalled = 1
  /// Its app is installed and not activated.
  case notActivated = 2
  /// It reports a threat level.
  case active = 3
  /// The last question for the threat level was not answered.
  case recheckFailed = 4
}
