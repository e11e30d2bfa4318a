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

  /// The verdicts of findings that are read again. The number of a device's error is not recorded.
  private static let harmful: [Verdict] = [
    .unsyncedGap, .damaged, .tailLost, .lost, .indexDamaged, .ioError(0), .unsupportedFormat,
  ]

  /// The finding that a record was made of; `nil` where nothing is wrong, or a later program says what is.
  static func finding(_ record: JSONNode) throws(JSONError) -> Finding? {
    func events(_ name: String) throws(JSONError) -> ClosedRange<UInt64>? {
      guard let ends = try record.present(name)?.elements(), ends.count == 2 else { return nil }
      let lower: UInt64 = try ends[0].integer()
      return lower...(try ends[1].integer(in: lower...UInt64.max))
    }
    let name = try record.required("verdict").string()
    guard let verdict = harmful.first(where: { $0.name == name }) else { return nil }
    let from: UInt64 = try record.required("from").integer()
    return Finding(
      verdict, file: try record.required("file").string(),
      byteRange: from..<(try record.required("to").integer(in: from...UInt64.max)),
      lostEvents: try events("lostEvents"), strandedEvents: try events("strandedEvents"),
      cause: try record.required("cause").string(), evidence: try record.required("evidence").string(),
      remedy: try record.required("remedy").string())
  }

  private static func events(_ range: ClosedRange<UInt64>?) -> JSONValue {
    range.map { .array([.number($0.lowerBound), .number($0.upperBound)]) } ?? .null
  }
}
