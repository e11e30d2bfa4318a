import CommandLineInterface
import Journal

/// Findings about a journal's bytes as sentences.
enum VerifyText {
  /// Event numbers: `event 7`, `events 1–9,112`.
  static func events(_ range: ClosedRange<UInt64>) -> String {
    range.lowerBound == range.upperBound
      ? "event \(TerminalText.thousands(range.lowerBound))"
      : "events \(TerminalText.thousands(range.lowerBound))–\(TerminalText.thousands(range.upperBound))"
  }

  /// What a journal shares with the one that it names as its parent.
  static func sentence(about parent: JournalIdentity.Parent, isSalvaged: Bool) -> String {
    let number = TerminalText.thousands(parent.sequence)
    switch (isSalvaged, parent.sequence) {
    case (true, 0): return "was salvaged into this journal"
    case (true, _): return "was salvaged into this journal, beginning after event \(number)"
    case (false, 0): return "has no event in common with this journal"
    case (false, _): return "has the same history up to event \(number)"
    }
  }

  /// Place, cause, extent and proof of a finding.
  static func sentence(about finding: Finding) -> String {
    var extent: [String] = []
    if let lost = finding.lostEvents {
      let count = lost.upperBound - lost.lowerBound + 1
      extent.append("\(TerminalText.thousands(count)) event\(count == 1 ? "" : "s")")
    }
    if !finding.byteRange.isEmpty {
      let count = finding.byteRange.upperBound - finding.byteRange.lowerBound
      extent.append("\(TerminalText.thousands(count)) byte\(count == 1 ? "" : "s")")
    }
    let size = extent.isEmpty ? "" : " (\(extent.joined(separator: ", ")))"
    return "byte \(TerminalText.thousands(finding.byteRange.lowerBound)): \(finding.cause)\(size); \(finding.evidence)"
  }
}
