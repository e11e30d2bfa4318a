import EventSourcing

/// `restart.answered`: the app or the user answered the request for a restart.
public struct RestartAnswered: EventPayload {
  /// What the app, or its user, chose.
  public var answer = RestartAnswer.none
  /// By how many minutes the user postponed the restart; zero otherwise.
  public var postponedMinutes: UInt32 = 0

  /// The event type's catalogue entry.
  public static var entry: EventEntry {
    EventEntry(.restartAnswered, "restart.answered", meaning: "The app or the user answered the request for a restart.")
  }

  /// The value that decoding starts from.
  public static var blank: Self { Self() }

  public func tell(in headline: Headline) {
    headline.add(answer)
    if postponedMinutes > 0 {
      headline.add(" by ")
      headline.add(Int(postponedMinutes), "minute")
    }
    headline.tell(below: "/process/restart/")
  }

  public static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "answer", &event.answer, "what the answer was")
    try field(
      2, "postponedMinutes", &event.postponedMinutes,
      "by how many minutes the user postponed the restart; zero otherwise")
  }
}
