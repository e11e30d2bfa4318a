import Expectations
import EventSourcing
import Journal
import JSON
import Testing

@testable import AppProtection
@testable import CommandSupport
@testable import Forensics
@testable import JournalCommands
@testable import ReplayTool

@Suite("Histories that did not happen")
struct WhatIfTests {
  typealias Machine = AppProtectionMachine
  typealias Event = AppProtectionEvent

  static let sound = [
    "first-enrollment", "interrupted-wipe", "multi-identity-day", "remediation-queue", "framework-history",
  ]

  /// Numbers that are the same in every run.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private struct Happening {
    var event: Event?
    var moment: Moment
  }

  private static func records(_ history: History<Machine>) throws -> [RecordedEvent<Event>] {
    var records: [RecordedEvent<Event>] = []
    var cursor = try history.events()
    while let item = try cursor.next() { if case .event(let step) = item { records.append(step.record) } }
    return records
  }

  private static let beginning = (sequence: UInt64(0), moment: Moment(wallNanoseconds: 0))

  /// Random edits, and the list of events that they lead to, made without the code under test.
  private static func edited(
    _ records: [RecordedEvent<Event>], _ numbers: inout Numbers
  ) throws -> (HistoryEdits<Machine>, [Happening]) {
    var edits = HistoryEdits<Machine>()
    let count = records.count
    var own = records.map { [Happening(event: $0.event, moment: $0.envelope.moment)] }
    var moved = [[Happening]](repeating: [], count: count + 1)
    var inserted = moved
    var named: Set<Int> = []
    for _ in 0..<Int.random(in: 1...6, using: &numbers) {
      let index = Int.random(in: 0..<count, using: &numbers)
      let place = Int.random(in: 0...count, using: &numbers)
      let other = records[Int.random(in: 0..<count, using: &numbers)]
      let sequence = UInt64(index + 1)
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0 where named.insert(index).inserted:
        try edits.drop(sequence...sequence)
        own[index] = []
      case 1 where named.insert(index).inserted && other.event != nil:
        guard let event = other.event else { continue }
        try edits.replace(sequence, with: .event(event, at: nil))
        own[index] = [Happening(event: event, moment: records[index].envelope.moment)]
      case 2 where named.insert(index).inserted:
        try edits.move(records[index], after: UInt64(place))
        moved[place] += own[index]
        own[index] = []
      case 3:
        guard let event = other.event else { continue }
        let time: Moment? = Bool.random(using: &numbers) ? other.envelope.moment : nil
        try edits.insert(.event(event, at: time), after: UInt64(place))
        let placeTime = place == 0 ? Moment(wallNanoseconds: 0) : records[place - 1].envelope.moment
        inserted[place].append(Happening(event: event, moment: time ?? placeTime))
      case 4 where edits.count > 3:
        // What an edit names stays, although the condition selects it.
        try edits.drop { $0.typeName == other.typeName }
        for index in records.indices where records[index].typeName == other.typeName && !named.contains(index) {
          own[index] = []
          named.insert(index)
        }
      case _: continue
      }
    }
    var happenings = moved[0] + inserted[0]
    for index in records.indices { happenings += own[index] + moved[index + 1] + inserted[index + 1] }
    return (edits, happenings)
  }

  private static func replayed(_ happenings: [Happening]) -> AppProtectionState {
    var state = Machine.initialState
    for (index, happening) in happenings.enumerated() {
      guard let event = happening.event else { continue }
      Machine.reduce(into: &state, event, EventContext(sequence: UInt64(index + 1), moment: happening.moment))
    }
    return state
  }

  @Test("The imagined end is the one to which the edited list of events leads", arguments: sound)
  func oracle(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let records = try Self.records(history)
    for seed in UInt64(0)..<120 {
      var numbers = Numbers(state: seed)
      let (edits, happenings) = try Self.edited(records, &numbers)
      let outcome = try WhatIf(
        edits, in: history, from: Machine.initialState, after: Self.beginning, upTo: UInt64(records.count))
      let expected = Self.replayed(happenings)
      expectEqual(outcome.imagined, expected, "seed \(seed)")
      expectEqual(outcome.imaginedLast, UInt64(happenings.count), "seed \(seed)")
      expectEqual(outcome.real, try history.state(at: .end).state, "seed \(seed)")
    }
  }

  @Test("An imagined journal replays to the imagined end, is sound, and says what it is", arguments: sound)
  func written(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let records = try Self.records(history)
    try TestFiles.withTemporaryFolder { folder in
      for seed in UInt64(200)..<208 {
        var numbers = Numbers(state: seed)
        let (edits, happenings) = try Self.edited(records, &numbers)
        let path = "\(folder)/\(seed)"
        let journal = try ImaginedJournal<Machine>(
          at: path, imagining: history, after: 0, edits, words: "seed \(seed)", createdNanoseconds: 0,
          fileSystem: PosixFileSystem())
        _ = try WhatIf(
          edits, in: history, from: Machine.initialState, after: Self.beginning, upTo: UInt64(records.count),
          emit: { (event, numbering, state) throws(HistoryError) in try journal.append(event, numbering, state) })
        try journal.finish()
        let imagined = try History<Machine>(at: path)
        try expectEqual(imagined.state(at: .end).state, Self.replayed(happenings), "seed \(seed)")
        try expectEqual(imagined.lastSequence(), UInt64(happenings.count), "seed \(seed)")
        #expect(imagined.reader.identity.id.isImagined && !history.reader.identity.id.isImagined)
        expectEqual(imagined.reader.identity.parent?.id, history.reader.identity.id)
        #expect(try imagined.reader.verify().findings.allSatisfy(\.isHarmless), "seed \(seed)")
        for record in try Self.records(imagined) {
          expectEqual(record.envelope.attributes?.metadata.contains { $0.key == "imagined" }, true)
          #expect(record.envelope.cause <= UInt64(happenings.count))
        }
        expectEqual(ToolRun("check", path).code, .done, "seed \(seed)")
      }
    }
  }

  @Test("Most recorded decisions tell the command that led to them", arguments: sound)
  func commands(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    var (count, known) = (0, 0)
    var missing: [String: Int] = [:]
    var events: [Event] = []
    var before: AppProtectionState?
    var first = UInt64(0)
    var cursor = try history.cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item, let event = step.record.event else { continue }
      if events.isEmpty { (before, first) = (step.before, step.record.sequence) }
      events.append(event)
      guard step.record.isLastOfBatch, let state = before else { continue }
      count += 1
      let moment = step.record.envelope.moment
      var explanation = Explanation()
      let command = Machine.command(leadingTo: events, in: state, at: moment)
      let decided = command.flatMap {
        try? Machine.decide(
          $0, in: state, at: EventContext(sequence: first, moment: moment), explanation: &explanation
        ).events
      }
      if decided == events { known += 1 } else { missing[step.record.typeName, default: 0] += 1 }
      events = []
    }
    #expect(Double(known) >= 0.9 * Double(count), "\(known) of \(count); not: \(missing)")
  }

  @Test("A check-in tells whether it was due or asked for", arguments: CheckInTrigger.allCases)
  func checkIn(trigger: CheckInTrigger) throws {
    var (asked, due) = (0, 0)
    for name in Self.sound {
      var cursor = try History<Machine>(at: Repository.journal(name)).cursor()
      while let item = try cursor.next() {
        guard case .event(let step) = item, let state = step.before else { continue }
        let place = "\(name), event \(step.record.sequence)"
        let now = step.record.envelope.moment
        func events(_ command: AppProtectionCommand, at moment: Moment) -> [Event] {
          var explanation = Explanation()
          let next = EventContext(sequence: step.record.sequence, moment: moment)
          return (try? Machine.decide(command, in: state, at: next, explanation: &explanation).events) ?? []
        }
        if events(.startDueWork, at: now).isEmpty {
          for account in state.accounts.records where account.enrollment.status.isEnrolled {
            let requested = events(.requestCheckIn(AccountReference(account.account), trigger), at: now)
            guard !requested.isEmpty else { continue }
            let told = try #require(Machine.command(leadingTo: requested, in: state, at: now), "\(place)")
            expectEqual(events(told, at: now), requested, "\(place)")
            asked += 1
          }
        }
        var later = now
        later.wallNanoseconds += 100_000_000_000_000_000
        let started = events(.startDueWork, at: later)
        if case .checkInRequested? = started.first {
          let told = try #require(Machine.command(leadingTo: started, in: state, at: later), "\(place)")
          expectEqual(events(told, at: later), started, "\(place)")
          due += 1
        }
      }
    }
    #expect(asked > 20 && due > 20, "\(asked) asked for, \(due) due")
  }

  @Test("Events that an edit makes impossible are named, with how that is known")
  func affected() throws {
    let history = try History<Machine>(at: Repository.journal("interrupted-wipe"))
    var edits = HistoryEdits<Machine>()
    let introduced = try #require(try Self.records(history).first { $0.typeName == "account.registered" })
    try edits.drop(introduced.sequence...introduced.sequence)
    let last = try history.lastSequence()
    let outcome = try WhatIf(edits, in: history, from: Machine.initialState, after: Self.beginning, upTo: last)
    #expect(outcome.counts.dropped == 1 && outcome.partsAt == introduced.sequence)
    #expect(outcome.tally.count > 0)
    #expect(outcome.affected.allSatisfy { $0.events.lowerBound > introduced.sequence })
    let isExact = outcome.affected.contains { if case .redecided = $0.basis { true } else { false } }
    #expect(isExact)
  }

  @Test("A history that nothing changes stays what it is")
  func nothing() throws {
    let history = try History<Machine>(at: Repository.journal("framework-history"))
    var edits = HistoryEdits<Machine>()
    try edits.drop { $0.typeName == "nothing" }
    let last = try history.lastSequence()
    let outcome = try WhatIf(edits, in: history, from: Machine.initialState, after: Self.beginning, upTo: last)
    #expect(outcome.partsAt == nil && outcome.difference.isEmpty && outcome.tally.count == 0)
    #expect(outcome.imagined == outcome.real && outcome.imaginedLast == last)
  }

  @Test("An event that is replaced by itself changes no value and affects no decision", arguments: sound)
  func identical(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let records = try Self.records(history)
    for record in records.prefix(12) {
      guard let event = record.event else { continue }
      var edits = HistoryEdits<Machine>()
      try edits.replace(record.sequence, with: .event(event, at: nil))
      let outcome = try WhatIf(
        edits, in: history, from: Machine.initialState, after: Self.beginning, upTo: UInt64(records.count))
      #expect(outcome.difference.isEmpty && outcome.tally.count == 0, "\(record.sequence)")
      // Once the states are the same, no decision can be another one.
      #expect(outcome.tally.judged <= 1, "\(record.sequence)")
    }
  }

  @Test("Every event that is printed can be read again", arguments: sound)
  func printed(name: String) throws {
    let path = Repository.journal(name)
    let run = ToolRun("log", path, "-j", "--reveal")
    var count = 0
    let lines = run.lines.filter { $0.hasPrefix("{\"kind\":\"event\"") }
    for (line, record) in zip(lines, try Self.records(try History<Machine>(at: path))) {
      let node = try JSONDocument.parse(Array(line.utf8)).root
      let text = try EventText<Event>(node)
      #expect(text.event == record.event && text.moment == record.envelope.moment, "\(record.sequence)")
      count += 1
    }
    #expect(count > 10)
  }

  @Test(
    "Wrong use names the mistake and the nearest name",
    arguments: [
      ([], "nothing is different; name an edit"),
      (["--drop", "wpie.*"], "--drop wpie.* matches no event type; nearest: wipe.*"),
      (["--drop", "99"], "99"),
      (["--drop", "path = /accounts"], "path depends on states, which differ in an imagined history; use type"),
      (["--insert", "3"], "--insert 3: write it as POSITION=EVENT. Next: "),
      (["--insert", "3={\"type\": \"wipe.requestd\"}"], "write \"wipe.requested\""),
      (["--insert", "3={\"type\": \"wipe.requested\", \"data\": {\"acount\": \"a1\"}}"], "write \"account\""),
      (["--insert", "3={\"type\": \"wipe.requested\", \"data\": {\"account\": \"b1\"}}"], "this names no account"),
      (["--insert", "3={\"type\": \"wipe.requested\"}"], "wipe.requested needs \"account\" in its data"),
      (
        ["--insert", "3={\"type\": \"wipe.requested\", \"data\": {\"account\": \"a1\", \"reason\": \"x\"}}"],
        "is not one of the names allowed here"
      ),
      (
        [
          "--insert",
          "3={\"type\": \"account.introduced\", \"data\": {\"objectID\": \"+1111111-2222-4333-8444-555555555555\"}}",
        ], "this is not a GUID"
      ),
      (["--insert", "3={\"wype\": \"a1\"}"], "write \"wipe\""),
      (["--insert", "3={\"launch\": {}}"], "only a step that is a command"),
      (["--insert", "3={\"wipe\": \"a7\"}"], "is not one of the names allowed here"),
      (["--insert", "3={\"checkIn\": \"a1\"}"], "what is to be inserted after event 3 is refused there: "),
      (["--drop", "5", "--move", "5=7"], "event 5 is dropped already"),
      (
        ["--setting", "multIdentity=true"],
        "pj whatif: --setting: the name \"multIdentity\" is not known here; write \"multiIdentity\""
      ),
      (
        ["--setting", "a1/saveAsBlockd=true"],
        "--setting: no policy has the setting \"saveAsBlockd\"; nearest: saveAsBlocked"
      ),
      (["--setting", "a1/saveAsBlocked=7"], "saveAsBlocked"),
      (["--policy", "a1"], "--policy a1: write it as ACCOUNT=FILE"),
      (["--policy", "b=x.json"], "--policy: \"b\" does not name an account; write one such as a1"),
      (["--at", "10", "--drop", "15"], "--drop 15: no event lies there. Next: "),
      (
        ["--at", "10", "--move", "15=3"],
        "--move: event 15 comes after event 10, with which what is read ends. Next: "
      ),
      (["--drop", "5", "--when"], "--when lists the answers to --ask"),
      (["--drop", "5", "--ask", "saveTo(bx, a1)"], "write box"), (["--drop", "5", "-o", "journals"], "is not empty"),
    ])
  func wrongUse(words: [String], note: String) {
    let run = ToolRun(["whatif", Repository.journal("interrupted-wipe")] + words)
    expectEqual(run.code, .wrongUse, "\(words)")
    #expect(run.notes.contains(note), "\(run.notes)")
    #expect(run.output.isEmpty)
  }

  @Test("Only events that are kept can be edited")
  func retired() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = try RetiredJournal.write(in: folder)
      let run = ToolRun("whatif", journal, "--insert", "2001-01-01={\"wipe\": \"a1\"}")
      expectEqual(run.code, .wrongUse)
      let note = " is that of events that are not kept, so that no event before it can be edited. Next: pj log "
      #expect(run.notes.contains(note), "\(run.notes)")
    }
  }

  @Test("As many questions as a file has are asked, up to a limit")
  func manyQuestions() throws {
    try TestFiles.withTemporaryFolder { folder in
      let lines = String(repeating: "managed(a1)\n", count: HistoryImagination.maximumQuestions + 1)
      try TestFiles.write(Array(lines.utf8), to: "\(folder)/questions")
      let run = ToolRun(
        "whatif", Repository.journal("interrupted-wipe"), "--drop", "5", "--ask", "@\(folder)/questions")
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.contains("these are more than 10000 questions; ask fewer at once. Next: "), "\(run.notes)")
    }
  }

  @Test("Questions show both answers, and their difference is the exit code")
  func questions() throws {
    let path = Repository.journal("interrupted-wipe")
    let same = ToolRun("whatif", path, "--drop", "end", "--ask", "managed(a1)")
    expectEqual(same.code, .done, "\(same.output)\(same.notes)")
    let other = ToolRun("whatif", path, "--drop", "policy.received", "--ask", "managed(a1)", "--when")
    expectEqual(other.code, .different, "\(other.output)")
    #expect(other.output.contains("true   → false") || other.output.contains("true  → false"), "\(other.output)")
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array("# saves\nsaveTo(box, a1)\n\nmanaged(a1)\n".utf8), to: "\(folder)/questions")
      let listed = ToolRun("whatif", path, "--drop", "policy.received", "--ask", "@\(folder)/questions", "-j")
      expectEqual(listed.records.compactMap { $0?.object?["kind"]?.string }.filter { $0 == "answer" }.count, 2)
    }
  }

  @Test("A policy and a setting are what the account and the app get from the beginning on")
  func settings() throws {
    let path = Repository.journal("framework-history")
    let run = ToolRun(
      "whatif", path, "--setting", "a1/allowedOutboundDataTransferDestinations=noApps", "--ask", "saveTo(box, a1)",
      "--when")
    expectEqual(run.code, .different, "\(run.notes)")
    #expect(run.output.contains("→ denied"), "\(run.output)")
    let app = ToolRun("whatif", path, "--setting", "policyRequired=true", "--diff")
    #expect(app.code == .different && app.output.contains("policyRequired"), "\(app.output)\(app.notes)")
  }

  @Test("Several settings and policies count together, and nothing else differs where the history begins later")
  func together() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (file, part, target) = ("\(folder)/part.pjx", "\(folder)/part", "\(folder)/imagined")
      _ = ToolRun("export", Repository.journal("multi-identity-day"), "25..", "-o", file, "--reveal")
      expectEqual(ToolRun("import", file, "-o", part).code, .done)
      let words = [
        "--setting", "a1/pinRequired=false", "--setting", "a1/saveAsBlocked=false", "--setting", "multiIdentity=false",
        "--setting", "autoEnrollOnLaunch=true",
      ]
      let run = ToolRun(["whatif", part] + words + ["-j", "-o", target])
      let paths = [
        "/settings/multiIdentity", "/settings/autoEnrollOnLaunch", "/policies/a1/saveAsBlocked",
        "/policies/a1/pinRequired",
      ]
      let changes = run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "change" }
      expectEqual(changes.compactMap { $0["path"]?.string }, paths, "\(run.output)")
      #expect(run.records.allSatisfy { $0?.object?["kind"]?.string != "affected" }, "\(run.output)")
      // The journal begins with the other state.
      expectEqual(ToolRun("check", target).code, .done)
      expectEqual(ToolRun("state", target, "--path", "/policies/a1/pinRequired").output, "false\n")
      let fork = "\(folder)/fork"
      expectEqual(ToolRun("fork", Repository.journal("multi-identity-day"), "24", fork).code, .done)
      let diff = ToolRun("whatif", fork, "--setting", "a1/pinRequired=false", "--diff")
      #expect(diff.output.contains("1 value differs"), "\(diff.output)")
    }
  }

  @Test("A decision ends with the last of its events that is left, and where something is put into it")
  func ends() throws {
    let history = try History<Machine>(at: Repository.journal("framework-history"))
    let records = try Self.records(history)
    let isLast = records.map(\.isLastOfBatch)
    let place = try #require(isLast.indices.dropFirst().first { isLast[$0] && !isLast[$0 - 1] })
    let sequence = records[place].sequence
    var (dropping, inserting) = (HistoryEdits<Machine>(), HistoryEdits<Machine>())
    try dropping.drop(sequence...sequence)
    try inserting.insert(.event(try #require(records[place].event), at: nil), after: sequence - 1)
    try TestFiles.withTemporaryFolder { folder in
      func ends(_ name: String, _ edits: HistoryEdits<Machine>) throws -> [Bool] {
        let journal = try ImaginedJournal<Machine>(
          at: "\(folder)/\(name)", imagining: history, after: 0, edits, words: name, createdNanoseconds: 0,
          fileSystem: PosixFileSystem())
        _ = try WhatIf(
          edits, in: history, from: Machine.initialState, after: Self.beginning, upTo: UInt64(records.count),
          emit: { (event, numbering, state) throws(HistoryError) in try journal.append(event, numbering, state) })
        try journal.finish()
        return try Self.records(try History<Machine>(at: "\(folder)/\(name)")).map(\.isLastOfBatch)
      }
      let dropped = try ends("dropped", dropping)
      expectEqual(dropped, isLast[..<(place - 1)] + [true] + isLast[(place + 1)...])
      let inserted = try ends("inserted", inserting)
      expectEqual(inserted, isLast[..<(place - 1)] + [true, true] + isLast[place...])
    }
  }

  @Test("Every imagined event is marked, even where its metadata is full")
  func fullMetadata() throws {
    let history = try History<Machine>(at: Repository.journal("first-enrollment"))
    let record = try #require(try Self.records(history).first)
    var envelope = record.envelope
    envelope.attributes = CommandAttributes(
      metadata: (1...CommandAttributes.maximumEntryCount).map { MetadataEntry("key\($0)", "value") })
    try TestFiles.withTemporaryFolder { folder in
      let journal = try ImaginedJournal<Machine>(
        at: "\(folder)/imagined", imagining: history, after: 0, HistoryEdits(), words: "", createdNanoseconds: 0,
        fileSystem: PosixFileSystem())
      let event = ImaginedEvent<Event>(
        1, .kept(1), at: envelope.moment, envelope, record.event, isLastOfBatch: true)
      try journal.append(event, Renumbering(same: 1), nil)
      try journal.finish()
      let written = try #require(try Self.records(try History<Machine>(at: "\(folder)/imagined")).first)
      let metadata = try #require(written.envelope.attributes?.metadata)
      #expect(metadata.last == MetadataEntry("imagined", "1") && metadata.count == CommandAttributes.maximumEntryCount)
    }
  }

  @Test("Of a damaged journal, the part before the damage is imagined, and the code says so")
  func damaged() {
    let run = ToolRun("whatif", Repository.journal("damaged-frame"), "--drop", "7")
    expectEqual(run.code, .partial, "\(run.output)")
    #expect(run.output.contains("imagined from event 7 on"), "\(run.output)")
  }

  @Test("Only -o writes, and every command names what it wrote as imagined")
  func written() throws {
    try TestFiles.withTemporaryFolder { folder in
      let target = "\(folder)/imagined"
      let path = Repository.journal("interrupted-wipe")
      let run = ToolRun("whatif", path, "--drop", "wipe.requested", "-o", target)
      expectEqual(run.code, .different, "\(run.notes)")
      expectEqual(ToolRun("whatif", path, "--drop", "wipe.requested", "-o", target).code, .wrongUse)
      for words in [["log", target], ["state", target], ["verify", target], ["diff", "\(target)@3", "\(target)@9"]] {
        let shown = ToolRun(words)
        #expect(shown.notes.contains("these events are imagined"), "\(words): \(shown.notes)")
      }
      #expect(!ToolRun("log", path).notes.contains("imagined"))
      let again = ToolRun("whatif", target, "--drop", "end")
      #expect(again.notes.contains("these events are imagined"))
    }
  }

  @Test("What is withheld stays so")
  func privacy() {
    for name in Self.sound {
      let path = Repository.journal(name)
      for words in [
        ["whatif", path, "--drop", "account.introduced#1", "--diff"], ["whatif", path, "--drop", "3", "-j"],
      ] {
        #expect(!ToolRun(words).output.contains("contoso"), "\(words)")
      }
    }
  }

  @Test("An account that does not exist is named, whatever names it")
  func unknownAccounts() throws {
    let journal = Repository.journal("interrupted-wipe")
    try TestFiles.withTemporaryFolder { folder in
      let policy = "\(folder)/policy.json"
      let text = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Strict"}"##
      try TestFiles.write(Array(text.utf8), to: policy)
      for words in [
        ["--policy", "a9=\(policy)"], ["--setting", "a9/saveAsBlocked=true"],
        ["--drop", "wipe.requested", "--ask", "managed(a9)"],
        ["--insert", "5={\"type\":\"wipe.requested\",\"data\":{\"account\":\"a9\",\"reason\":\"administrator\"}}"],
      ] {
        let run = ToolRun(["whatif", journal] + words)
        #expect(
          run.notes.contains("account a9 does not exist up to event 22; accounts here: a1\n"), "\(words): \(run.notes)")
      }
      #expect(!ToolRun("whatif", journal, "--policy", "a1=\(policy)").notes.contains("does not exist"))
    }
  }

  @Test("--from keeps what came before: edits apply from there on, and decisions before it are not counted")
  func from() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("framework-history")
      let types = ToolRun("log", journal, "-j", "--type", "checkIn.requested").records.compactMap { $0?.object }
        .filter { $0["kind"]?.string == "event" }.compactMap { $0["seq"]?.int }
      let (first, later) = (try #require(types.first), try #require(types.dropFirst(5).first))
      func imagined(_ words: [String]) -> JSONObject? {
        ToolRun(["whatif", journal, "--drop", "checkIn.*", "-j"] + words).records.compactMap { $0?.object }
          .first { $0["kind"]?.string == "imagined" }
      }
      let (all, part) = (try #require(imagined([])), try #require(imagined(["--from", "\(later)"])))
      #expect(all["partsAt"]?.int == first && part["partsAt"]?.int == later, "\(part)")
      let dropped = [all, part].compactMap { $0["dropped"]?.int }
      #expect(dropped.count == 2 && dropped[1] < dropped[0] && dropped[1] > 0, "\(dropped)")
      // A policy that came before the place is the other one from there on, and the state before it stays.
      let setting = ["whatif", journal, "--setting", "a1/printBlocked=true", "--from", "\(later)"]
      let run = ToolRun(setting + ["--ask", "use(printing, a1)", "--when", "-j"])
      let answers = run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "answer" }
      expectEqual(answers.first?["from"]?.int, later - 1, "\(run.output)")
      // What is written begins there, too.
      expectEqual(ToolRun(setting + ["-o", "\(folder)/other"]).code, .different)
      let log = ToolRun("log", "\(folder)/other", "-n", "1", "-j")
      #expect(log.code == .done && log.output.contains(#""kind":"event""#), "\(log.output)\(log.notes)")
    }
  }

  @Test("--from refuses an edit of what comes before it, and a place after the end")
  func beforeFrom() {
    let journal = Repository.journal("interrupted-wipe")
    for (words, note) in [
      (
        ["--move", "4=12", "--from", "10"],
        "--move: event 4 comes before event 10, with which the other history begins (--from 10)"
      ),
      (
        ["--drop", "15", "--from", "2031-01"],
        "--from 2031-01: no event of what is read lies there or later; the last one is event"
      ),
    ] {
      let run = ToolRun(["whatif", journal] + words)
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.contains(note), "\(run.notes)")
    }
    expectEqual(
      ToolRun("whatif", journal, "--drop", "4..15", "--from", "10").output,
      ToolRun("whatif", journal, "--drop", "10..15").output)
    let dropped = ToolRun("whatif", journal, "--drop", "4", "--from", "10")
    #expect(dropped.notes.contains("no event lies there after the beginning of the other history (--from 10)"))
    let none = ToolRun("whatif", journal, "--drop", "type = account.introduced", "--from", "10")
    #expect(none.notes.contains("no event from 10 up to "), "\(none.notes)")
  }
}
