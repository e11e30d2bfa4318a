import Expectations
import EventSourcing
import Forensics
import Journal
import Testing

@Suite("The history of an account book elsewhere")
struct ExchangeTests {
  /// An export of a history, as it is read.
  private func export(
    _ history: History<Book>, _ change: (inout HistoryExport<Book>) -> Void = { _ in }
  ) throws -> ExportedHistory {
    var export = HistoryExport(history)
    change(&export)
    var bytes: [UInt8] = []
    let summary = try export.write(history.reader.verify()) { bytes += $0 }
    #expect(summary.events == 4 && summary.lost == 0)
    return try ExportReader.read(bytes)
  }

  /// The entries of a history, in order.
  private func entries(of history: History<Book>) throws -> [Entry?] {
    var cursor = try history.events()
    var entries: [Entry?] = []
    while let item = try cursor.next() { if case .event(let step) = item { entries.append(step.record.event) } }
    return entries
  }

  @Test("An export that hides nothing becomes the same journal")
  func whole() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let exported = try export(history) { $0.pseudonyms = nil }
    #expect(exported.eventCount == 4 && exported.isWhole && !exported.isRedacted && exported.ending == .complete)
    try exported.write(to: folder.path("imported"), PosixFileSystem())
    let imported = try History<Book>(at: folder.path("imported"))
    try expectEqual(entries(of: imported), BookFolder.entries)
    try expectEqual(imported.state(at: .end).chain, history.state(at: .end).chain)
    try expectEqual(HistoryComparison(ComparedSide(history), ComparedSide(imported)).kind, .same)
  }

  @Test("A redacted export has pseudonyms in place of persons, and the same sums")
  func redacted() throws {
    let folder = try BookFolder()
    let exported = try export(folder.write())
    #expect(exported.isRedacted)
    try exported.write(to: folder.path("imported"), PosixFileSystem())
    let imported = try History<Book>(at: folder.path("imported"))
    try expectEqual(imported.state(at: .end).state, Book(cents: 550, withdrawals: 2))
    guard case .deposited(5_000, let payer) = try entries(of: imported).first else {
      Issue.record("the first entry is another one")
      return
    }
    #expect(payer != "Ada" && !payer.isEmpty)
  }

  /// The rows of tables: events with their fields, and what each changed.
  private func rows(of history: History<Book>, _ pseudonyms: Pseudonyms?) throws -> [String] {
    var rows: [String] = []
    var log = try RedactedLog(history, pseudonyms, slices: [])
    while let event = try log.next() {
      var bytes = Array("\(event.step.record.sequence) ".utf8)
      log.appendFields(of: event, to: &bytes)
      for change in event.changes?.changes ?? [] {
        bytes += Array(" \(change.path) ".utf8)
        log.values.append(change.after, to: &bytes)
      }
      rows.append(String(decoding: bytes, as: UTF8.self))
    }
    return rows
  }

  @Test("The rows of tables have each event's fields and changes, with pseudonyms where they are asked for")
  func tables() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    try expectEqual(
      rows(of: history, nil),
      [
        #"1 {"cents":5000,"payer":"Ada"} /cents 5000"#, #"2 {"cents":1250} /cents 3750 /withdrawals 1"#,
        #"3 {"cents":800,"payer":"Bob"} /cents 4550"#, #"4 {"cents":4000} /cents 550 /withdrawals 2"#,
      ])
    let redacted = try rows(of: history, Pseudonyms())
    #expect(!redacted.joined().contains("Ada") && !redacted.joined().contains("Bob"))
    expectEqual(redacted[1], #"2 {"cents":1250} /cents 3750 /withdrawals 1"#)
  }

  @Test("A timeline draws the balance as spans, asks the domain's question, and marks its findings")
  func timeline() throws {
    let folder = try BookFolder()
    let timeline = try #require(try Timeline.read(folder.write(), .on))
    let texts = timeline.texts.texts
    #expect(timeline.lanes.first?.label == "balance" && timeline.groups.first == "Money")
    let spans = timeline.spans.filter { $0.lane == 0 }
    expectEqual(spans.map { texts[$0.text] }, ["0 cents", "5000 cents", "3750 cents", "4550 cents", "550 cents"])
    expectEqual(spans.map(\.first), [-1, 0, 1, 2, 3])
    expectEqual(texts[timeline.events[1].headline], "1250 cents, 5000 → 3750  +1")
    expectEqual(timeline.answers.map { texts[Int($0.head[1])] }, ["yes", "no", "yes", "no"])
    #expect(timeline.marks.map(\.title) == ["B-1"] && timeline.marks.map(\.place) == [3])
  }
}
