/// The device's clock was set between one event and the next. The order of events does not depend on it.
public struct ClockJump: Equatable, Sendable {
  /// The event before which it shows.
  public var sequence: UInt64
  /// By how many nanoseconds the clock was moved: negative is back.
  public var nanoseconds: Int64
  /// Whether the device ran on in between; `nil` when the events do not say.
  public var isSameBoot: Bool?

  /// Creates a note of a jump.
  public init(sequence: UInt64, nanoseconds: Int64, isSameBoot: Bool?) {
    self.sequence = sequence
    self.nanoseconds = nanoseconds
    self.isSameBoot = isSameBoot
  }

  /// What happened, in one line: `the clock went back 00:59:38 here (same boot); the order below is still right`.
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
