import CommandSupport
import EventSourcing
import Forensics
import Journal

/// Totals of a pass over a log.
struct LogTotals {
  /// Number of events read.
  var seen: UInt64 = 0
  /// Number of events that matched.
  var matched: UInt64 = 0
  /// The first and the last event that matched.
  var first: UInt64?
  var last: UInt64?
  /// Number of matching events that this program does not know or cannot read.
  var unknown: UInt64 = 0
  /// The findings about the bytes.
  var findings: [Finding] = []
  /// Why the state is unknown from some event on.
  var obstacle: HistoryError?
  /// Whether it ended at the event for which it was to wait.
  var hasMetEnd = false
  /// Why no event matched.
  var reasonForNothing: String?
  /// The filter that alone kept every event out.
  var unmet: EventFilter.Criterion?

  /// Adds the totals of an earlier pass.
  mutating func add(before front: LogTotals) {
    seen += front.seen
    matched += front.matched
    first = front.first ?? first
    last = last ?? front.last
    unknown += front.unknown
    findings = front.findings + findings
    obstacle = front.obstacle ?? obstacle
  }

  /// These totals with the events from `first` until `end`, which all match and were not read.
  func asEnd(after first: UInt64, until end: UInt64) -> LogTotals {
    var totals = self
    totals.seen += end - first
    totals.matched += end - first
    totals.first = first
    return totals
  }

  /// The command that helps where no event matched.
  func nextStep(_ journal: JournalInput) -> String {
    let word = journal.path.shellWord
    return switch unmet {
    case .type, .notType: "\(Tool.name) stats \(word)"
    case .account where journal.otherDomain != nil: "\(Tool.name) log \(word)"
    case .account where !journal.domain.sliceNames.contains("accounts"): "\(Tool.name) stats \(word)"
    case .account: "\(Tool.name) state \(word) --path /accounts"
    case .path: "\(Tool.name) state \(word) --flat"
    case .findings, .cause, .search, .condition: "\(Tool.name) help filters"
    case nil: "\(Tool.name) help \(seen == 0 ? "positions" : "filters")"
    }
  }

  /// The tool's exit code after this pass.
  var exitCode: ExitCode {
    FindingNotes.exitCode(findings, obstacle)
  }
}
