import CommandLineInterface
import Journal
import PlainText

/// Findings about a journal's bytes as sentences.
package enum VerifyText {
  /// Event numbers: `event 7`, `events 1–9,112`.
  package static func events(_ range: ClosedRange<UInt64>) -> String {
    range.lowerBound == range.upperBound
      ? "event \(range.lowerBound.grouped)"
      : "events \(range.lowerBound.grouped)–\(range.upperBound.grouped)"
  }

  /// What a journal shares with the one that it names as its parent.
  package static func sentence(about parent: JournalIdentity.Parent, isSalvaged: Bool) -> String {
    let number = parent.sequence.grouped
    switch (isSalvaged, parent.sequence) {
    case (true, 0): return "was salvaged into this journal"
    case (true, _): return "was salvaged into this journal, beginning after event \(number)"
    case (false, 0): return "has no event in common with this journal"
    case (false, _): return "has the same history up to event \(number)"
    }
  }

  /// Place, cause, extent and proof of a finding.
  package static func sentence(about finding: Finding) -> String {
    var extent: [String] = []
    if let lost = finding.lostEvents {
      let count = lost.upperBound - lost.lowerBound + 1
      extent.append(count.counted("event"))
    }
    if !finding.byteRange.isEmpty {
      let count = finding.byteRange.upperBound - finding.byteRange.lowerBound
      extent.append(count.counted("byte"))
    }
    let size = extent.isEmpty ? "" : " (\(extent.joined(separator: ", ")))"
    return "byte \(finding.byteRange.lowerBound.grouped): \(finding.cause)\(size); \(finding.evidence)"
  }
}
