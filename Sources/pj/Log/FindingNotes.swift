import EventSourcing
import Journal

/// What findings about a journal's bytes, and obstacles to knowing its state, mean for the tool.
enum FindingNotes {
  /// How a command ends that has read past these: the worst of them counts.
  static func exitCode(_ findings: [Finding], _ obstacle: HistoryError?) -> ExitCode {
    var code = ExitCode.done
    for finding in findings {
      switch finding.verdict {
      case .ioError: return .unreadable
      case .unsupportedFormat: code = .needsNewerTool
      case .damaged, .tailLost, .indexDamaged, .unsyncedGap: if code == .done { code = .partial }
      case .clean, .torn: break
      }
    }
    guard code == .done, let obstacle else { return code }
    return Failure(obstacle, journal: JournalInput.defaultPath).exitCode
  }

  /// How many of these are more than an unfinished write: `3 places`.
  static func count(_ findings: [Finding]) -> String {
    let number = findings.filter { exitCode([$0], nil) != .done }.count
    return "\(number) place\(number == 1 ? "" : "s")"
  }

  /// The word that a line about a finding begins with.
  static func word(_ finding: Finding) -> String {
    switch finding.verdict {
    case .clean: "sound"
    case .torn: "torn tail"
    case .unsyncedGap: "gap"
    case .damaged, .indexDamaged: "damaged"
    case .tailLost: "tail lost"
    case .ioError: "unreadable"
    case .unsupportedFormat: "too new"
    }
  }
}
