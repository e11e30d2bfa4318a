import AppProtection
import EventSourcing
import Forensics

/// What the events of a log share: what computes their changes and prints them, and remembers what repeats.
final class LogTools {
  let values: ValueText
  let printer: EventPrinter
  let differ = StateDiffer(rank: AppProtectionMachine.headlineRank)
  /// The parts of the state that were asked for.
  let paths: [PathPattern]

  init(_ redaction: Redaction, showing paths: [PathPattern] = []) {
    values = ValueText(redaction)
    printer = EventPrinter(AppProtectionEvent.catalog, redaction)
    self.paths = paths
  }
}
