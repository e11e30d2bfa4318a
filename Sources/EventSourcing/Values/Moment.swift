/// When something happened according to the writing process: a label, not an order.
///
/// An event's position in its journal is its order. Wall time may run backwards; uptime restarts with the device.
public struct Moment: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z, by the device's clock. Ranges from the year 1677 to 2262.
  public var wallNanoseconds: Int64
  /// Nanoseconds since the device started, by a clock that keeps running during sleep. Zero if unknown.
  public var uptimeNanoseconds: Int64

  /// Omit `uptimeNanoseconds` if it is unknown.
  public init(wallNanoseconds: Int64, uptimeNanoseconds: Int64 = 0) {
    self.wallNanoseconds = wallNanoseconds
    self.uptimeNanoseconds = uptimeNanoseconds
  }
}
