import EventSourcing

/// What the rules made of a command, to be compared with what the test expects.
public struct DecidedCommand<Machine: Decider>: Sendable {
  private let given: GivenEvents<Machine>
  private let next: EventContext
  private let outcome: Result<DecidedEvents<Machine>, Machine.Rejection>

  init(_ command: Machine.Command, after given: GivenEvents<Machine>, at moment: Moment) {
    self.given = given
    let next = EventContext(sequence: given.sequence + 1, moment: moment)
    self.next = next
    outcome = Result { () throws(Machine.Rejection) in
      var explanation = Explanation()
      return try Machine.decide(command, in: given.state, at: next, explanation: &explanation)
    }
  }

  /// Expects the command to lead to exactly these events, in this order; without any, to nothing.
  ///
  /// ```swift
  /// .then(.withdrawn(cents: 1_250)) { $0.cents = 3_750 }
  /// ```
  ///
  /// - Parameters:
  ///   - events: All events of the command.
  ///   - fileID: The test's file, for the failure.
  ///   - line: Its line.
  ///   - change: Makes of the state before the command the one expected after it: whatever it does not mention must stay as
  ///     it was. Without it, the state is not compared.
  /// - Returns: What has happened now, for the next command.
  /// - Throws: ``ExpectationFailure`` with the difference, event by event and field by field.
  @discardableResult
  public func then(
    _ events: Machine.Event..., fileID: StaticString = #fileID, line: UInt = #line,
    changing change: ((inout Machine.State) -> Void)? = nil
  ) throws(ExpectationFailure) -> GivenEvents<Machine> {
    func fail(_ reason: String, _ difference: [String] = []) -> ExpectationFailure {
      ExpectationFailure(reason, difference, fileID: fileID, line: line)
    }
    switch outcome {
    case .failure(let rejection):
      throw fail(
        "the command was refused, and \(events.isEmpty ? "nothing was to happen" : "events were expected")",
        Difference.lines(of: events, from: next.sequence, "− ") + Difference.lines(of: rejection, "+ "))
    case .success(let decided):
      guard decided.events == events else {
        throw fail(
          "the command led to other events than expected",
          Difference.lines(expected: events, received: decided.events, from: next.sequence))
      }
      guard decided.next.sequence == next.sequence + UInt64(events.count), decided.next.moment == next.moment else {
        throw fail(
          "the rules decided the events for another position or moment than they were given, so a store would refuse them;"
            + " begin DecidedEvents with the arguments of 'decide'")
      }
      if let change {
        var expected = given.state
        change(&expected)
        guard expected == decided.state else {
          throw fail(
            "the state after the command is another one than expected",
            Difference.lines(expected: expected, received: decided.state))
        }
      }
      return GivenEvents(after: decided)
    }
  }

  /// Expects the rules to refuse the command for this reason.
  ///
  /// - Parameters:
  ///   - rejection: The reason.
  ///   - fileID: The test's file, for the failure.
  ///   - line: Its line.
  /// - Returns: What has happened before the command, for the next one.
  /// - Throws: ``ExpectationFailure`` with both reasons, or with the events that the command led to.
  @discardableResult
  public func then(
    _ rejection: Machine.Rejection, fileID: StaticString = #fileID, line: UInt = #line
  ) throws(ExpectationFailure) -> GivenEvents<Machine> {
    switch outcome {
    case .success(let decided):
      throw ExpectationFailure(
        "the command led to \(decided.events.isEmpty ? "nothing" : "events"), and a refusal was expected",
        Difference.lines(of: rejection, "− ") + Difference.lines(of: decided.events, from: next.sequence, "+ "),
        fileID: fileID, line: line)
    case .failure(let received) where received != rejection:
      throw ExpectationFailure(
        "the command was refused for another reason than expected",
        Difference.lines(expected: rejection, received: received), fileID: fileID, line: line)
    case .failure: return given
    }
  }
}
