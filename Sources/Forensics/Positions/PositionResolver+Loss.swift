extension PositionResolver {
  /// Events in a row that are not there.
  struct Loss: Equatable, Sendable {
    /// The first of them.
    let first: UInt64
    /// The last of them; `nil` when nothing says how many there were.
    let last: UInt64?

    /// Which ones, as the end of a sentence.
    var text: String {
      switch last {
      case first: "event \(first) is lost"
      case let last?: "events \(first)–\(last) are lost"
      case nil: "whether there were events from \(first) on cannot be told"
      }
    }
  }

  /// What there was between the event read before, or the first that the journal has by its own account, and this one.
  func loss(between previous: UInt64?, and sequence: UInt64) -> Loss? {
    guard let first = previous.map({ $0 &+ 1 }) ?? held?.lowerBound, first > 0, first < sequence else { return nil }
    return Loss(first: first, last: sequence - 1)
  }

  /// What there was behind the last event that is there.
  var lossAtEnd: Loss? {
    let first = last.map { $0 &+ 1 } ?? held?.lowerBound ?? 1
    if let held, first > 0, first <= held.upperBound { return Loss(first: first, last: held.upperBound) }
    return isCutOff ? Loss(first: first, last: nil) : nil
  }

  /// The error that names what is lost, and with it what a position means.
  func unknown(_ what: String, _ loss: Loss) -> PositionError {
    PositionError(.lost, "\(what) is not known: \(loss.text)", remedy: remedyForLoss)
  }

  /// What to do about a loss. Numbers count lost events as well, so that they mean the same whatever is lost.
  var remedyForLoss: String {
    (last == nil ? "" : "write an event's number, or ") + "restore the journal's files from a copy"
  }
}
