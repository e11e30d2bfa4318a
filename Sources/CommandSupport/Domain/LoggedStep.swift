import EventSourcing
import Forensics

/// An event of one domain with the states around it.
@usableFromInline
package final class LoggedStep<Domain: QuestionDomain>: LoggedEvent {
  /// The event and the states.
  @usableFromInline package let step: HistoryStep<Domain>

  @inlinable
  init(_ step: HistoryStep<Domain>, _ tools: LogTools) {
    self.step = step
    super.init(EventRecord(step.record), PrintedEvent(step.record), tools)
  }
}
