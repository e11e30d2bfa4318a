import EventSourcing
import Forensics

/// How two histories of the tool's domain differ: see `HistoryComparison`.
@usableFromInline
package struct ComparisonAnswer: Sendable {
  package let sameEvents: UInt64
  package let lastSame: (first: UInt64, second: UInt64)?
  package let kind: ComparisonKind
  /// The first differing events; `nil` where a history has ended.
  package let first, second: FoundEvent?
  package let metadataDifferences: UInt64
  package let firstMetadataDifference, lastAlike: (first: UInt64, second: UInt64)?
  package let firstOtherRules: ComparedRules?
  package let otherRulesCount: UInt64
  package let reads: Int
  package let fieldDifferences: [(path: String, first: FieldLeaf?, second: FieldLeaf?)]

  @usableFromInline
  init<Domain: QuestionDomain>(_ comparison: HistoryComparison<Domain>) {
    func found(_ event: ComparedEvent<Domain.Event>?) -> FoundEvent? {
      event.map { FoundEvent($0.record.sequence, $0.record.envelope.moment, $0.record.typeName) }
    }
    (sameEvents, lastSame, kind) = (comparison.sameEvents, comparison.lastSame, comparison.kind)
    (first, second) = (found(comparison.first), found(comparison.second))
    (metadataDifferences, reads) = (comparison.metadataDifferences, comparison.reads)
    (firstMetadataDifference, lastAlike) = (comparison.firstMetadataDifference, comparison.lastAlike)
    (firstOtherRules, otherRulesCount) = (comparison.firstOtherRules, comparison.otherRulesCount)
    fieldDifferences = comparison.fieldDifferences
  }
}
