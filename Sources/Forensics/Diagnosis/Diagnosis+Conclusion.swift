import EventSourcing

extension Diagnosis {
  /// Says of a problem that is over what ended it, and that its next step waits until it comes again. What is only out of sight
  /// may last, so that its next step stays.
  var concluded: Self {
    guard let ending else { return self }
    var problem = self
    let event = "event \(ending.event.sequence)"
    let isOutOfSight = ending.kind == .outOfSight
    if isOutOfSight || !names(event) { problem.sentence += "; " + ending.kind.words(event) }
    if !isOutOfSight { problem.next = "nothing now; if it comes again, \(next)" }
    return problem
  }

  /// Whether the sentence names an event.
  private func names(_ event: String) -> Bool {
    sentence.ranges(of: event).contains { range in
      range.upperBound == sentence.endIndex || !sentence[range.upperBound].isNumber
    }
  }
}

extension DiagnosisEnding.Kind {
  /// The end of a sentence about what is over.
  fileprivate func words(_ event: String) -> String {
    switch self {
    case .recovered: "it was over with \(event)"
    case .replaced: "another answer took its place with \(event)"
    case .wiped: "it ended with the wipe at \(event)"
    case .abandoned: "it was given up with \(event)"
    case .outOfSight: "not seen since \(event)"
    }
  }
}
