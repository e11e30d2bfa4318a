import JSON
import Journal

/// A finding about a journal's bytes as the members of a JSON record.
package enum FindingJSON {
  /// The members.
  package static func members(of finding: Finding) -> [JSONObject.Member] {
    [
      .init("verdict", .string(finding.verdict.name)),
      .init("isDamage", .bool(finding.isDamage)),
      .init("file", .string(finding.file)),
      .init("from", .number(finding.byteRange.lowerBound)),
      .init("to", .number(finding.byteRange.upperBound)),
      .init("lostEvents", events(finding.lostEvents)),
      .init("strandedEvents", events(finding.strandedEvents)),
      .init("cause", .string(finding.cause)),
      .init("evidence", .string(finding.evidence)),
      .init("remedy", .string(finding.remedy)),
    ]
  }

  private static func events(_ range: ClosedRange<UInt64>?) -> JSONValue {
    range.map { .array([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null
  }
}
