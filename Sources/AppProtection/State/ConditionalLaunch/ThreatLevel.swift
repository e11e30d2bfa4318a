/// What mobile threat defense says about a device, from the least threat to the greatest.
public enum ThreatLevel: Int, WireEnumeration {
  /// It has said nothing yet.
  case unknown = 0
  /// No threat at all.
  case secured = 1
  /// Low.
  case low = 2
  /// Medium.
  case medium = 3
  /// High.
  case high = 4
}
