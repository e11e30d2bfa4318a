/// The threat level that mobile threat defense reports for a device, from the lowest to the highest.
public enum ThreatLevel: Int, WireEnumeration {
  /// It has not reported yet.
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
