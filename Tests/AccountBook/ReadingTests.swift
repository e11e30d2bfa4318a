import Expectations
import EventSourcing
import Forensics
import Testing

@Suite("Reading the history of an account book")
struct ReadingTests {
  /// The steps of a log, in order.
  private func steps(of history: History<Book>) throws -> [HistoryStep<Book>] {
    var steps: [HistoryStep<Book>] = []
    var reader = try LogReader(history)
    while let item = try reader.next() {
      guard case .event(let step) = item else {
        Issue.record("this is no event: \(item)")
        continue
      }
      steps.append(step)
    }
    return steps
  }

  @Test("A log has each event with its headline in the domain's words, its other changes and its findings")
  func log() throws {
    let folder = try BookFolder()
    let headlines = EventHeadline<Book>(ValueText(.on))
    var (lines, others, findings): ([String], [Int?], [[String]]) = ([], [], [])
    for step in try steps(of: folder.write()) {
      var bytes: [UInt8] = []
      others.append(headlines.append(step.record, changing: try #require(step.changes), to: &bytes))
      lines.append("\(step.record.sequence) \(step.record.typeName) \(String(decoding: bytes, as: UTF8.self))")
      findings.append((step.findings ?? []).map(\.rule))
    }
    expectEqual(
      lines,
      [
        "1 money.deposited 5000 cents, 0 → 5000", "2 money.withdrawn 1250 cents, 5000 → 3750",
        "3 money.deposited 800 cents, 3750 → 4550", "4 money.withdrawn 4000 cents, 4550 → 550",
      ])
    expectEqual(others, [0, 1, 0, 1])
    expectEqual(findings, [[], [], [], ["B-1"]])
  }

  @Test("A filter selects events by their type, changes, findings and shown text")
  func filter() throws {
    let folder = try BookFolder()
    let printer = EventPrinter(Entry.catalog, .on)
    let steps = try steps(of: folder.write())
    func selected(by text: String) throws -> [UInt64] {
      let filter = try FilterExpression(text)
      return steps.filter { step in
        filter.holds(
          for: FilterSubject(
            sequence: step.record.sequence, type: step.record.typeName, cause: 0, process: 0, accounts: { [] },
            changedPaths: { step.changes?.changes.map(\.path) }, findings: { step.findings?.map(\.rule) },
            shownText: {
              var bytes: [UInt8] = []
              printer.appendLines(of: PrintedEvent(step.record), to: &bytes)
              return bytes
            })) == true
      }.map(\.record.sequence)
    }
    try expectEqual(selected(by: "type = money.w*"), [2, 4])
    try expectEqual(selected(by: "path = /withdrawals"), [2, 4])
    try expectEqual(selected(by: "finding = B-1"), [4])
  }

  @Test("An event shows its fields, without those of a person, and its changes")
  func show() throws {
    let folder = try BookFolder()
    let steps = try steps(of: folder.write())
    let text = ValueText(.on)
    let fields = text.fields(steps[2].record.fields).map { "\($0.name): \($0.text)" }
    expectEqual(fields, ["cents: 800", "payer: (withheld)"])
    let revealed = ValueText(.revealing).fields(steps[2].record.fields).map(\.text)
    expectEqual(revealed, ["800", "Bob"])
    expectEqual(FieldLeaf.all(in: steps[1].record.fields).map(\.value), [.signed(1_250)])
    expectEqual(
      steps[1].changes?.changes,
      [
        StateChange(path: "/cents", before: .integer(5_000), after: .integer(3_750)),
        StateChange(path: "/withdrawals", before: .integer(0), after: .integer(1)),
      ])
  }

  @Test("A state is listed value by value")
  func state() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let text = TreeText(.on)
    try expectEqual(
      text.flat(history.state(at: .sequence(3)).state.tree(), under: "/"), ["/cents = 4550", "/withdrawals = 1"])
    try expectEqual(
      text.indented(history.state(at: .end).state.tree()).map(\.text), ["cents        550", "withdrawals  2"])
  }

  @Test("Each field has its value, the number of its changes and the event that made the last one")
  func fields() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let blame = try Blame(
      of: PathPattern(Glob("/")), in: history, upTo: 3, state: history.state(at: .sequence(3)).state, limit: 1)
    expectEqual(
      blame.values.map { "\($0.path) \($0.count) by \($0.writes.first?.sequence ?? 0)" },
      [
        "/cents 3 by 3", "/withdrawals 1 by 2",
      ])
    expectEqual(blame.values.map(\.value), [.integer(4_550), .integer(1)])
  }

  @Test("A value is blamed on every event that changed it, newest first")
  func blame() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let blame = try Blame(
      of: PathPattern(Glob("/cents")), in: history, upTo: 4, state: history.state(at: .end).state)
    let writes = try #require(blame.values.first).writes
    expectEqual(writes.map(\.sequence), [4, 3, 2, 1])
    expectEqual(writes.map(\.before), [.integer(4_550), .integer(3_750), .integer(5_000), .integer(0)])
    expectEqual(writes.map(\.wallNanoseconds), [240_000_000_000, 180_000_000_000, 120_000_000_000, 60_000_000_000])
  }

  @Test("Statistics count the events by type and day, and the findings")
  func statistics() throws {
    let folder = try BookFolder()
    let statistics = try HistoryStatistics(of: folder.write())
    #expect(statistics.events == 4 && statistics.sequences == 1...4)
    expectEqual(statistics.types, ["money.deposited": 2, "money.withdrawn": 2])
    expectEqual(statistics.days, [0: 4])
    expectEqual(statistics.times, 60_000_000_000...240_000_000_000)
    #expect(statistics.longestPause == (60_000_000_000, 2))
    expectEqual(statistics.findings, ["B-1": 1])
    #expect(statistics.isStateKnown && statistics.unknown == 0 && statistics.clockJumpCount == 0)
  }

  @Test("Two states differ in the values between them, each with the event that changed it last")
  func diff() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let diff = try history.diff(.sequence(1), .sequence(3))
    let writers = try LastWriters(in: history, after: 1, upTo: 3)
    let groups = DiffText(.on).groups(of: diff, writers)
    expectEqual(groups.map(\.heading), ["/"])
    expectEqual(
      groups.flatMap(\.rows).map { "\($0.name): \($0.text) by \($0.writer ?? 0)" },
      [
        "cents: 5000 → 4550 by 3", "withdrawals: 0 → 1 by 2",
      ])
  }

  @Test("Two journals agree up to the first different fact, which is named with its fields")
  func compare() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    var entries = BookFolder.entries
    entries[2] = .deposited(cents: 900, payer: "Bob")
    let other = try folder.write(entries, to: "other")
    let comparison = try HistoryComparison(ComparedSide(history), ComparedSide(other))
    #expect(comparison.kind == .differentEvents && comparison.sameEvents == 2)
    #expect(comparison.first?.record.sequence == 3 && comparison.second?.record.sequence == 3)
    let field = try #require(comparison.fieldDifferences.first)
    #expect(field.path == "cents" && field.first?.value == .signed(800) && field.second?.value == .signed(900))
    expectEqual(comparison.fieldDifferences.count, 1)

    let shorter = try folder.write(Array(BookFolder.entries.prefix(3)), to: "shorter")
    try expectEqual(HistoryComparison(ComparedSide(shorter), ComparedSide(history)).kind, .prefix(firstIsShorter: true))
  }

  @Test("A state, a change and a finding are text and JSON, with what is personal withheld unless it is asked for")
  func printed() throws {
    let folder = try BookFolder()
    let history = try folder.write()
    let (early, late) = (try history.state(at: .sequence(1)).state.tree(), try history.state(at: .end).state.tree())
    expectEqual(late.text(), "cents        550\nwithdrawals  2")
    expectEqual(late.json(), #"{"cents":550,"withdrawals":2}"#)
    let diff = StateDiff(from: early, to: late)
    expectEqual(diff.text(), "/cents  5000 → 550\n/withdrawals  0 → 2")
    expectEqual(
      diff.json(),
      #"[{"path":"/cents","before":5000,"after":550},{"path":"/withdrawals","before":0,"after":2}]"#)
    let payer = StateTree.members([.init("payer", .personal("Bob", .account))])
    #expect(payer.text() == "payer  (withheld)" && payer.text(.revealing) == "payer  Bob")
    #expect(payer.json() == #"{"payer":{"redacted":"account"}}"# && payer.json(.revealing) == #"{"payer":"Bob"}"#)
    try folder.damage("Bob")
    let finding = try #require(try History<Book>(at: folder.path()).reader.verify().findings.first { $0.isDamage })
    #expect(finding.json.hasPrefix(#"{"verdict":"damaged","isDamage":true,"file":"00000000000000000001.seg","#))
  }
}
