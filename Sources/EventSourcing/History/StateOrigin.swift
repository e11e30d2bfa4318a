/// Where the computation of a state began.
public enum StateOrigin: Equatable, Sendable {
  /// At the state before the first event: based on events alone.
  case beginning
  /// At a checkpoint; the value is the event after which it was stored.
  case checkpoint(UInt64)
  /// At a keyframe; the value is the event after which it was stored.
  case keyframe(UInt64)
}
