import EventSourcing

/// The engine's source of time. Nothing below the engine reads a clock.
///
/// Called on any thread that drives the engine.
public protocol TimeSource: Sendable {
  /// The time by the device's two clocks.
  func now() -> Moment
  /// The device's local time minus UTC at a moment, in nanoseconds; `nil` if unknown, which is the default.
  func utcOffset(at moment: Moment) -> Int64?
}

extension TimeSource {
  /// `nil`: a clock without a time zone.
  public func utcOffset(at moment: Moment) -> Int64? { nil }
}
