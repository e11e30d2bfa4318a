import EventSourcing

/// Begins a test of a domain's rules: these events have happened.
///
/// ```swift
/// try given(Book.self, .deposited(cents: 5_000))
///   .when(.withdrawn(cents: 1_250))
///   .then(.withdrawn(cents: 1_250)) { $0.cents = 3_750 }
/// ```
///
/// - Parameters:
///   - machine: The domain.
///   - events: What has happened, in order; the first is event 1.
///   - moment: When each of them was decided.
public func given<Machine: Decider>(
  _ machine: Machine.Type, _ events: Machine.Event..., at moment: Moment = Moment(wallNanoseconds: 0)
) -> GivenEvents<Machine> {
  GivenEvents<Machine>(moment).adding(events, at: moment)
}

/// What has happened before a command: the state that its rules look at.
public struct GivenEvents<Machine: Decider>: Sendable {
  /// The state after the events.
  public private(set) var state: Machine.State
  /// The position of the last event; 0 before the first.
  public private(set) var sequence: UInt64
  /// When the last of them was decided. The next command is decided then, unless it says otherwise.
  public private(set) var moment: Moment

  init(_ moment: Moment) {
    (state, sequence, self.moment) = (Machine.initialState, 0, moment)
  }

  init(after decided: DecidedEvents<Machine>) {
    (state, sequence, moment) = (decided.state, decided.next.sequence - 1, decided.next.moment)
  }

  /// Further events, which happened after the others.
  public func and(_ events: Machine.Event..., at moment: Moment? = nil) -> GivenEvents {
    adding(events, at: moment ?? self.moment)
  }

  /// Gives a command to the rules.
  ///
  /// - Parameter moment: When it is decided; when the last event was, if omitted.
  public func when(_ command: Machine.Command, at moment: Moment? = nil) -> DecidedCommand<Machine> {
    DecidedCommand(command, after: self, at: moment ?? self.moment)
  }

  func adding(_ events: [Machine.Event], at moment: Moment) -> GivenEvents {
    var result = self
    result.moment = moment
    for event in events {
      result.sequence += 1
      Machine.reduce(into: &result.state, event, EventContext(sequence: result.sequence, moment: moment))
    }
    return result
  }
}
