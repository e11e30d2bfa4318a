import EventSourcing
import Forensics
import Journal

/// One line of a log of the tool's domain, as `LogItem` has it.
@usableFromInline
package enum LoggedItem {
  case event(LoggedEvent)
  case clockJump(ClockJump)
  case finding(Finding)
  case retiredBeginning(RetiredBeginning)
  case stateUnknown(HistoryError)

  @inlinable
  init<Domain: QuestionDomain>(_ item: LogItem<Domain>, _ tools: LogTools) {
    switch item {
    case .event(let step): self = .event(LoggedStep(step, tools))
    case .clockJump(let jump): self = .clockJump(jump)
    case .finding(let finding): self = .finding(finding)
    case .retiredBeginning(let beginning): self = .retiredBeginning(beginning)
    case .stateUnknown(let obstacle): self = .stateUnknown(obstacle)
    }
  }
}

/// A run of consecutive events that another thread can fold.
@usableFromInline
package struct LogStretch: Sendable {
  /// The stretch itself.
  @usableFromInline let value: any Sendable
  /// The number of events.
  package let eventCount: Int
  /// The memory that the events take, in bytes.
  package let byteCount: Int
  private let events: @Sendable ((JournalEvent) -> Void) -> Void

  @usableFromInline
  init<Domain: QuestionDomain>(_ stretch: HistoryStretch<Domain>) {
    (value, eventCount, byteCount) = (stretch, stretch.eventCount, stretch.byteCount)
    events = stretch.forEachEvent
  }

  /// Passes the events to `body` in order. A payload is valid until `body` returns.
  package func forEachEvent(_ body: (JournalEvent) -> Void) { events(body) }
}

/// Reads a log of the tool's domain: see `LogReader`, of which these are the operations.
@usableFromInline
package struct AnyLogReader {
  @usableFromInline let following: (LogTools) throws(HistoryError) -> LoggedItem?
  @usableFromInline let reading: () -> LogStretch?
  @usableFromInline let stepping: (JournalEvent, LogTools) -> LoggedItem
  @usableFromInline let waiting: (LogTools) -> LoggedItem?
  @usableFromInline let adopting: (any Sendable, inout ClockJump?) -> Bool

  @inlinable
  init<Domain: QuestionDomain>(_ source: LogSource<Domain>) {
    following = { (tools) throws(HistoryError) in try source.reader.next().map { LoggedItem($0, tools) } }
    reading = { source.readNext() }
    stepping = { LoggedItem(source.reader.next($0), $1) }
    waiting = { tools in source.reader.nextWaiting().map { LoggedItem($0, tools) } }
    adopting = { source.adopt($0, jump: &$1) }
  }

  /// The next item; `nil` at the end.
  package func next(_ tools: LogTools) throws(HistoryError) -> LoggedItem? { try following(tools) }

  /// Reads the next stretch; `nil` where ``next(_:)`` has to be called once everything read was adopted.
  package func readNext() -> LogStretch? { reading() }

  /// The item of an event that was read ahead; ``nextWaiting(_:)`` returns those that follow it.
  package func next(_ event: JournalEvent, _ tools: LogTools) -> LoggedItem { stepping(event, tools) }

  /// The next item that is already known.
  package func nextWaiting(_ tools: LogTools) -> LoggedItem? { waiting(tools) }

  /// Continues after what another thread made of a stretch; `false` if it would have found other items.
  package func adopt(_ stretch: any Sendable, jump: inout ClockJump?) -> Bool { adopting(stretch, &jump) }
}

/// A domain's reader and what it reads ahead.
@usableFromInline
final class LogSource<Domain: QuestionDomain> {
  // It belongs to one thread, and nothing called while it reads comes back, so that accesses need no check.
  @exclusivity(unchecked) @usableFromInline var reader: LogReader<Domain>
  private let history: History<Domain>
  private lazy var stretches = HistoryStretches(of: history)

  @usableFromInline
  init(
    _ history: History<Domain>, from lower: UInt64, upTo upper: UInt64?, needsStates: Bool
  ) throws(HistoryError) {
    self.history = history
    reader = try LogReader(history, from: lower, upTo: upper, needsStates: needsStates)
  }

  @usableFromInline
  func readNext() -> LogStretch? { reader.readNext(&stretches).map { LogStretch($0) } }

  @usableFromInline
  func adopt(_ stretch: any Sendable, jump: inout ClockJump?) -> Bool {
    guard let stretch = stretch as? LogReader<Domain>.Stretch else { return false }
    return reader.adopt(stretch, jump: &jump)
  }
}

/// What ends the following of a log: see `StoppingCondition`.
@usableFromInline
package struct AnyStoppingCondition {
  private let holding: (LoggedEvent) -> Bool
  private let uncertain: () -> Bool

  @usableFromInline
  init<Domain: QuestionDomain>(_ condition: StoppingCondition<Domain>) {
    var condition = condition
    holding = { event in
      guard let event = event as? LoggedStep<Domain> else { return false }
      return condition.holds(at: event.step, event.subject)
    }
    uncertain = { condition.isUncertain }
  }

  /// Whether it holds at the next event, or in the state after its batch. Where that is unknown, it does not.
  package func holds(at event: LoggedEvent) -> Bool { holding(event) }

  /// Whether it may hold unnoticed.
  package var isUncertain: Bool { uncertain() }
}
