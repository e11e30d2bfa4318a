import EventSourcing
import EventSourcingKit

/// The clocks of the device: the time source of every engine outside of tests.
public struct SystemClock: TimeSource {
  /// Holds nothing: every call reads the system's clocks.
  public init() {}

  /// The time by the device's two clocks.
  public func now() -> Moment { .now() }

  /// The offset of the time zone that the device is set to.
  public func utcOffset(at moment: Moment) -> Int64? { moment.utcOffset }
}
