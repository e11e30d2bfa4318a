extension PositionResolver {
  /// Consecutive lost events.
  struct Loss: Equatable, Sendable {
    /// The first lost event.
    let first: UInt64
    /// The last lost event; `nil` if their number is unknown.
    let last: UInt64?

    /// Names the lost events, as the end of a sentence.
    var text: String {
      switch last {
      case first: "event \(first) is lost"
      case let last?: "events \(first)–\(last) are lost"
      case nil: "events from \(first) on may be lost"
      }
    }
  }

  /// The loss between the previous event, or the first one the journal claims to hold, and this event.
  func loss(between previous: UInt64?, and sequence: UInt64) -> Loss? {
    guard let first = previous.map({ $0 &+ 1 }) ?? held?.lowerBound, first > 0, first < sequence else { return nil }
    return Loss(first: first, last: sequence - 1)
  }

  /// The loss after the last existing event.
  var lossAtEnd: Loss? {
    let first = last.map { $0 &+ 1 } ?? held?.lowerBound ?? 1
    if let held, first > 0, first <= held.upperBound { return Loss(first: first, last: held.upperBound) }
    return isCutOff ? Loss(first: first, last: nil) : nil
  }

  /// The error for a position whose meaning is unknown because of a loss.
  func unknown(_ what: String, _ loss: Loss) -> PositionError {
    PositionError(.lost, "\(what) is unknown: \(loss.text)", remedy: remedyForLoss)
  }

  /// What to do about a loss. Lost events keep their numbers, so a number always refers to the same event.
  var remedyForLoss: String {
    (last == nil ? "" : "write an event's number, or ") + "restore the journal's files from a copy"
  }
}
