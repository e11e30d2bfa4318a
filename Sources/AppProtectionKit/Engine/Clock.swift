import EventSourcing

/// Where the engine reads the time. Nothing below the engine reads a clock.
///
/// Called from whatever thread drives the engine.
public protocol Clock: Sendable {
  /// The time by the device's two clocks.
  func now() -> Moment
}
