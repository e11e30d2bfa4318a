/// When something happened, as the writing process saw it: a label, never an order.
///
/// The position of an event in its journal is its order. Wall time may run backwards; uptime restarts with the device.
public struct Moment: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z, by the device's clock. Reaches from 1677 to 2262.
  public var wallNanoseconds: Int64
  /// Nanoseconds since the device started, by a clock that does not stop while it sleeps. Zero when unknown.
  public var uptimeNanoseconds: Int64

  /// Creates a moment from both clocks.
  public init(wallNanoseconds: Int64, uptimeNanoseconds: Int64 = 0) {
    self.wallNanoseconds = wallNanoseconds
    self.uptimeNanoseconds = uptimeNanoseconds
  }
}
