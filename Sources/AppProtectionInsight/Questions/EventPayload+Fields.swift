import AppProtection
import EventSourcing

extension EventPayload {
  /// An event of which only some fields are known.
  static func with(_ set: (inout Self) -> Void) -> Self {
    var event = blank
    set(&event)
    return event
  }
}
