import AppProtection
import EventSourcing

/// Looks for the problems of one family.
///
/// A rule keeps a bounded amount for each account: positions of events and counts, not lists that grow with the history.
protocol ProblemRule: Sendable {
  init()

  /// The events that it looks at. It is shown no other.
  static var events: [any EventPayload.Type] { get }

  /// Looks at an event, and the states around it.
  ///
  /// - Parameter notes: What the events up to this one say.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes)

  /// What was found, given the last state and the last event.
  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem]

  /// What was found that no other rule reports.
  ///
  /// - Parameter found: What all rules found.
  func rest(
    beside found: [Problem], at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> [Problem]
}

extension ProblemRule {
  func rest(
    beside found: [Problem], at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes
  ) -> [Problem] { [] }
}
