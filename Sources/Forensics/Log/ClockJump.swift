/// A change of the device's clock between two consecutive events. It does not affect the order of events.
public struct ClockJump: Equatable, Sendable {
  /// The event before which the jump is reported.
  public var sequence: UInt64
  /// The size of the jump in nanoseconds; negative if the clock went back.
  public var nanoseconds: Int64
  /// Whether the device kept running in between; `nil` if the events do not say.
  public var isSameBoot: Bool?

  /// `sequence` is the event after the jump.
  public init(sequence: UInt64, nanoseconds: Int64, isSameBoot: Bool?) {
    self.sequence = sequence
    self.nanoseconds = nanoseconds
    self.isSameBoot = isSameBoot
  }

  /// A one-line description: `the clock went back 00:59:38 here (same boot); the order below is still right`.
  public var text: String {
    let direction = nanoseconds < 0 ? "back" : "forward"
    let amount = SpanText.clock(nanoseconds: Int64(clamping: nanoseconds.magnitude))
    let boot =
      switch isSameBoot {
      case true?: " (same boot)"
      case false?: " (after a restart of the device)"
      case nil: ""
      }
    return "the clock went \(direction) \(amount) here\(boot); the order below is still right"
  }
}
