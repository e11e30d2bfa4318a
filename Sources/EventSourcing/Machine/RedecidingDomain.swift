/// A domain whose recorded decisions can be made again on another state.
///
/// Tools that ask what would have happened are written against this protocol and import no domain.
public protocol RedecidingDomain: QuestionDomain, Decider {
  /// The command that led to events, as far as they tell it; `nil` if they do not.
  ///
  /// It may be another command than the one that was given: callers decide it in the same state, and use it only if it leads
  /// to the same events.
  ///
  /// - Parameters:
  ///   - events: The events of one command, in order.
  ///   - state: The state in which it was decided.
  ///   - moment: When it was decided.
  static func command(leadingTo events: [Event], in state: State, at moment: Moment) -> Command?

  /// The stable name of a refusal's rule.
  static func rule(of rejection: Rejection) -> String

  /// The values by which questions name what a state holds, such as its accounts, in order; at most `limit` of them.
  /// The default knows none.
  static func subjects(in state: State, limit: Int) -> [String]
}

extension RedecidingDomain {
  /// None.
  public static func subjects(in state: State, limit: Int) -> [String] { [] }
}

extension RedecidingDomain where Self: Aggregate {
  /// The event: an aggregate records it by asking for it.
  @inlinable
  public static func command(leadingTo events: [Event], in state: Self, at moment: Moment) -> Event? {
    events.count == 1 ? events.first : nil
  }

  /// `check`: an aggregate has one rule, its ``Aggregate/check(_:)``.
  public static func rule(of refusal: Refusal) -> String { "check" }
}
