import EventSourcing

/// The engine's source of time. Nothing below the engine reads a clock.
///
/// Called on any thread that drives the engine.
public protocol TimeSource: Sendable {
  /// The time by the device's two clocks.
  func now() -> Moment
}
