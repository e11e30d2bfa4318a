/// Where the computation of a state began.
public enum StateOrigin: Equatable, Sendable {
  /// With the state before the first event: the events alone say what it is.
  case beginning
  /// With the state in a checkpoint, by the event after which it was stored.
  case checkpoint(UInt64)
  /// With the state in a keyframe, by the event after which it was stored.
  case keyframe(UInt64)
}
