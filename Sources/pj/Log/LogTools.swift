import AppProtection
import EventSourcing
import Forensics

/// What the events of a log share: what computes their changes and prints them, and remembers what repeats.
final class LogTools {
  let values: ValueText
  let printer: EventPrinter
  let differ = StateDiffer(rank: AppProtectionMachine.headlineRank)
  /// Says what events mean.
  let headlines: EventHeadline<AppProtectionMachine>
  /// The parts of the state that were asked for.
  let paths: [PathPattern]

  init(_ redaction: Redaction, showing paths: [PathPattern] = []) {
    values = ValueText(redaction)
    headlines = EventHeadline(values)
    printer = EventPrinter(AppProtectionEvent.catalog, redaction)
    self.paths = paths
  }
}
