import EventSourcing
import Forensics
import Journal
import PlainText

extension JSONRecord<Finding> {
  /// What is wrong with the bytes of a journal.
  package static func finding(_ kind: String = "finding") -> JSONRecord {
    JSONRecord(
      kind,
      [
        .init(
          "verdict",
          oneOf: [
            "clean", "torn", "damaged", "indexDamaged", "lost", "tailLost", "unsyncedGap", "ioError",
            "unsupportedFormat",
          ]
        ) { $0.verdict.name }, .init("isDamage", \.isDamage), .init("file", \.file),
        .init("from", \.byteRange.lowerBound), .init("to", \.byteRange.upperBound),
        .init("lostEvents", \.lostEvents), .init("strandedEvents", \.strandedEvents), .init("cause", \.cause),
        .init("evidence", \.evidence), .init("remedy", \.remedy),
      ])
  }
}

extension JSONRecord<(file: String, error: String)> {
  /// A file that cannot be read.
  package static var unreadable: JSONRecord {
    JSONRecord("unreadable", [.init("file", \.file), .init("error", \.error)])
  }
}

extension StateChange {
  /// A change as members of a record.
  package static let members: [JSONMember<StateChange>] = [
    .init("path") { RedactedText.statePath($0.path) }, .init("before") { $0.before }, .init("after") { $0.after },
  ]
}

extension TrustedState {
  /// Where a state is from, as members of a record.
  package static let place: [JSONMember<TrustedState>] = [.init("journal", \.journal.path), .init("after", \.sequence)]
}

extension QuestionAnswer {
  /// An answer as members of a record.
  package static let members: [JSONMember<QuestionAnswer>] = [
    .init("answer", \.name), .init("rule", \.rule), .init("reason", \.reason), .init("assumption", \.assumption),
  ]
}
