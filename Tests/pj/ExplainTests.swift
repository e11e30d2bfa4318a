import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics
import Testing

@testable import CommandSupport

@Suite("Why the rules answer as they do")
struct ExplainTests {
  typealias Machine = AppProtectionMachine

  static let questions = [
    "managed(a1)", "launch(a1)", "saveTo(localDrive, a1)", "saveTo(box, a2, account: none)", "identity", "pin(none)",
    "transfer(a1, unmanagedApp, through: openIn)", "url(https://example.org, a1)",
  ]

  @Test("Where the rule changes within a decision, the list agrees with bisect and with the answer after each event")
  func rulesOfOneDecision() throws {
    try TestFiles.withTemporaryFolder { folder in
      let fixture = "pin-attempts/wiped-by-a-child@pin.failed#5.json"
      let journal = "\(folder)/j"
      expectEqual(
        ToolRun("simulate", "\(Repository.root)/Tests/Simulation/Diagnosis/\(fixture)", "-o", journal).code, .done)
      let history = try History<Machine>(at: journal)
      var wipes: [AnswerHistory<Machine>.Interval] = []
      _ = try AnswerHistory<Machine>(
        of: try QuestionText<Machine>(parsing: "launch(a1)").question, in: history, from: Machine.initialState,
        after: (0, Moment(wallNanoseconds: 0)), upTo: try history.lastSequence()
      ) { if $0.answer.name == "wipe" { wipes.append($0) } }
      expectEqual(wipes.map(\.answer.rule), ["launch.pinAttempts", "launch.pendingWipe"])
      let first = try #require(wipes.first).first
      #expect(ToolRun("bisect", journal, "--where", "launch(a1) = wipe").output.hasPrefix("\(first)  holds "))
      for interval in wipes {
        for event in interval.first...interval.last {
          let run = ToolRun("explain", journal, "launch(a1)", "--at", "\(event)")
          #expect(run.output.contains("(\(interval.answer.rule ?? ""))"), "event \(event): \(run.output)")
        }
      }
      // What followed from it in the same decision is named, although nothing asks its command again.
      let run = ToolRun("whatif", journal, "--drop", "\(first)")
      #expect(run.code == .different && run.output.contains("\(first + 1)–\(first + 2)"), "\(run.output)")
    }
  }

  @Test("An assumption is named for what it settles; the rule, which may have a source, is not called unpublished")
  func assumptions() throws {
    // The encryption that a policy's type asks for is in the headers; which type asks for it is assumed.
    let run = ToolRun("explain", Repository.journal("first-enrollment"), "fileEncryption(a1)")
    #expect(
      run.unfolded.contains(
        "It rests on the assumption encryptionTypeRequiresFileEncryption, which settles what no source publishes. "),
      "\(run.output)")
    #expect(!run.output.contains("No source publishes this rule"))
  }

  @Test("The check that decides stands once")
  func deciding() {
    let run = ToolRun("explain", Repository.journal("first-enrollment"), "launch(a1)")
    #expect(run.lines.count { $0.contains(/[✓✗]  a PIN is required, and none was chosen/) } == 1, "\(run.output)")
    expectEqual(run.lines.count { $0.hasSuffix("← decides") }, 1, "\(run.output)")
  }

  @Test(
    "Intervals are those that asking after every batch finds, and each value names its last writer",
    arguments: ["interrupted-wipe", "multi-identity-day", "framework-history"], questions)
  func everyAnswer(name: String, text: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let question = try QuestionText<Machine>(parsing: text).question
    var expected: [(first: UInt64, last: UInt64, answer: QuestionAnswer)] = []
    var steps: [Explanation.Step] = []
    var batch: [(sequence: UInt64, answer: QuestionAnswer)] = []
    func note(_ state: AppProtectionState, _ sequence: UInt64, _ moment: Moment, isLast: Bool) {
      var explanation = Explanation(recording: true)
      let answer = Machine.answer(question, in: state, at: moment, explanation: &explanation)
      steps = explanation.steps
      batch.append((sequence, answer))
      guard isLast else { return }
      let brought = batch.lastIndex { $0.answer.name != answer.name }.map { $0 + 1 } ?? 0
      for (number, answer) in batch[brought...] where answer != expected.last?.answer {
        if let place = expected.indices.last { expected[place].last = number - 1 }
        expected.append((number, number, answer))
      }
      if let place = expected.indices.last { expected[place].last = sequence }
      batch = []
    }
    note(Machine.initialState, 0, Moment(wallNanoseconds: 0), isLast: true)
    var cursor = try history.cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item, let state = step.after else { continue }
      note(state, step.record.sequence, step.record.envelope.moment, isLast: step.record.isLastOfBatch)
    }
    let last = try history.lastSequence()
    let paths = Set(steps.flatMap { $0.reads.map(\.path) })
    var found: [AnswerHistory<Machine>.Interval] = []
    let answers = try AnswerHistory(
      of: question, in: history, from: Machine.initialState, after: (0, Moment(wallNanoseconds: 0)), upTo: last,
      writersOf: paths
    ) { found.append($0) }
    #expect(found.map(\.first) == expected.map(\.first) && found.map(\.last) == expected.map(\.last))
    expectEqual(found.map(\.answer), expected.map(\.answer))
    #expect(answers.current == found.last && answers.count == UInt64(expected.count))
    let since = expected.lastIndex { $0.answer.name != answers.current.answer.name }.map { $0 + 1 } ?? 0
    expectEqual(answers.firstWithAnswer.first, expected[since].first)
    expectEqual(answers.previous?.answer, since > 0 ? expected[since - 1].answer : nil)
    let writers = try LastWriters(in: history, after: 0, upTo: last)
    for path in paths { expectEqual(answers.writers[path], writers[path], "\(path)") }
  }

  @Test("The values that rules read are those of the state, under their paths")
  func reads() throws {
    let history = try History<Machine>(at: Repository.journal("framework-history"))
    let state = try history.state(at: .end).state
    let tree = state.tree()
    var count = 0
    for form in Machine.questions where form.parameters.allSatisfy({ $0.standard != nil || $0.accepts("a1") }) {
      let values = form.parameters.filter { $0.standard == nil }.map { _ in "a1" }
      var explanation = Explanation(recording: true)
      let question = try QuestionText<Machine>(form.name, values).question
      _ = Machine.answer(question, in: state, at: Moment(wallNanoseconds: 0), explanation: &explanation)
      for read in explanation.steps.flatMap(\.reads) {
        guard let part = tree[path: read.path] else { continue }
        expectEqual(part, .value(read.value), "\(form.name): \(read.path)")
        count += 1
      }
    }
    #expect(count > 30)
  }

  @Test(
    "Wrong use names the mistake and the next step",
    arguments: [
      (["explain", "J", "lunch(a1)"], "column 1: unknown question \"lunch\"; write launch(account)"),
      (["explain", "J", "launch"], "column 1: account is missing in launch; write launch(account)"),
      (
        ["explain", "J", "launch(a1) = open"],
        "column 12: unexpected \"=\" after the question; write the question in quotes"
      ),
      (["explain", "J", "launch(a1"], "column 10: expected \")\" to close column 7, found the end"),
      (["explain", "J", ""], "column 1: expected a question, found the end; write one of managed"),
      (["explain", "J", "J", "launch(a1)"], "unexpected word"),
      (["explain", "J"], "interrupted-wipe/journal: a question about the journal is missing"),
      (["explain", "J", "managed(a1)", "launch(a1)"], "one question at a time: managed(a1), or launch(a1)"),
      (["explain", "J@3", "launch(a1)", "--at", "4"], "the position is given twice: after @ and with --at"),
    ])
  func wrongUse(words: [String], note: String) {
    let journal = Repository.journal("interrupted-wipe")
    let run = ToolRun(words.map { $0.hasPrefix("J") ? journal + $0.dropFirst() : $0 })
    expectEqual(run.code, .wrongUse)
    #expect(run.notes.contains(note), "\(run.notes)")
    #expect(run.output.isEmpty)
  }

  @Test("The question may stand before the journal")
  func order() {
    let journal = Repository.journal("interrupted-wipe")
    expectEqual(ToolRun("explain", "managed(a1)", journal).output, ToolRun("explain", journal, "managed(a1)").output)
  }

  @Test("What is advised leads to another answer, and what is not found is said", arguments: WhatIfTests.sound)
  func advice(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let state = try history.state(at: .end).state
    var cursor = try history.cursor()
    var moment = Moment(wallNanoseconds: 0)
    while let item = try cursor.next() { if case .event(let step) = item { moment = step.record.envelope.moment } }
    var count = 0
    for text in Self.questions + ["saveTo(box, a1)", "use(printing, a1)", "offline(a1)", "paste(a1, unmanagedApp)"] {
      let question = try QuestionText<Machine>(parsing: text).question
      var explanation = Explanation(recording: true)
      let answer = Machine.answer(question, in: state, at: moment, explanation: &explanation)
      let advice = Advice<Machine>(for: question, in: state, at: moment, instead: answer, explanation.steps)
      count += advice.items.count
      for item in advice.items {
        #expect(item.answer.name != answer.name, "\(text)")
        #expect(!item.texts.isEmpty && item.texts.count == item.kinds.count)
      }
      let run = ToolRun("explain", Repository.journal(name), text)
      #expect(run.output.contains("To get another answer") || run.output.contains("No change of a setting"), "\(text)")
    }
    #expect(count > 0)
  }

  @Test("Settings show in the portal's words, and one of them is what to change")
  func portal() {
    let journal = Repository.journal("framework-history")
    let run = ToolRun("explain", journal, "saveTo(box, a1)")
    #expect(run.unfolded.contains("Send Org data to other apps: All apps"), "\(run.output)")
    let change =
      "in a1's policy, set Data protection: Data Transfer > Send Org data to other apps from All apps to None"
    #expect(run.unfolded.contains(change), "\(run.output)")
    let records = ToolRun("explain", journal, "saveTo(box, a1)", "-j").records.compactMap { $0?.object }
    let changes = records.filter { $0["kind"]?.string == "change" }
    #expect(changes.contains { $0["answer"]?.string == "denied" })
  }

  @Test("Answers of all intervals stand in one column")
  func columns() {
    let run = ToolRun("explain", Repository.journal("interrupted-wipe"), "managed(a1)", "--when")
    let starts = run.lines.filter { !$0.hasPrefix(" ") }.map { line in
      line.ranges(of: /true|false/).first?.lowerBound.utf16Offset(in: line) ?? -1
    }
    #expect(run.lines.count > 2 && Set(starts).count == 1, "\(run.output)")
  }

  @Test("A path that rules read and that nothing set is blamed on nothing")
  func unsetReads() throws {
    let journal = Repository.journal("interrupted-wipe")
    for record in ToolRun("explain", journal, "launch(a1)", "-j").records {
      for read in record?.object?["reads"]?.array ?? [] {
        let path = try #require(read.object?["path"]?.string)
        let run = ToolRun("blame", journal, path)
        expectEqual(run.code, .done, "\(path): \(run.notes)")
      }
    }
    expectEqual(ToolRun("blame", journal, "/launch/devise/isJailbroken").code, .wrongUse)
    expectEqual(ToolRun("blame", journal, "/" + String(repeating: "a*", count: 4096)).code, .wrongUse)
    expectEqual(ToolRun("log", journal, "--type", String(repeating: "a*", count: 4096)).code, .wrongUse)
  }

  @Test("A history whose oldest events are not kept says that others may have set a value, or given an answer")
  func retired() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/retired"
      expectEqual(ToolRun("fork", Repository.journal("framework-history"), "200", path).code, .done)
      try TestFiles.write([], to: "\(folder)/nothing")
      let blame = ToolRun("blame", path, "/accounts/a1/enrollment/status", "-j")
      expectEqual(
        blame.lines.dropFirst().first?.contains("\"isComplete\":false,\"keptFrom\":201"), true, "\(blame.output)")
      let explained = ToolRun("explain", path, "managed(a1)", "-j")
      #expect(explained.output.contains("\"sinceIsComplete\":false"), "\(explained.output)")
      let whole = ToolRun("blame", Repository.journal("framework-history"), "/process/launch", "-j")
      #expect(whole.output.contains("\"isComplete\":true"))
    }
  }

  @Test("A person's name is withheld unless it is to be revealed")
  func privacy() {
    let journal = Repository.journal("interrupted-wipe")
    for question in Self.questions {
      for words in [
        ["explain", journal, question], ["explain", journal, question, "-j"], ["explain", journal, question, "--when"],
      ] {
        #expect(!ToolRun(words).output.contains("contoso"), "\(words)")
      }
    }
  }

  @Test("An explanation fits a page, and has each rule once, also one that is checked against two settings")
  func page() throws {
    try TestFiles.withTemporaryFolder { folder in
      let policy =
        ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "minimumRequiredOsVersion": "18.0", "minimumWipeOsVersion": "16.4", "pinRequired": true, "minimumPinLength": 6, "allowedDataStorageLocations": ["oneDriveForBusiness", "sharePoint", "box", "localStorage", "photoLibrary"], "saveAsBlocked": true}"##
      try Self.simulate(policy, #"{"wait": "PT1H"}"#, into: "\(folder)/j")
      for question in ["launch(a1)", "saveTo(dropbox, a1)"] {
        let run = ToolRun("explain", "\(folder)/j", question)
        #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
        let rules = run.lines.filter { $0.contains(/^ *[0-9]+  [✓✗]/) }.map {
          $0.drop { !"✓✗".contains($0) }.dropFirst()
        }
        #expect(!rules.isEmpty)
        expectEqual(Set(rules).count, rules.count, "\(run.output)")
      }
      let launch = ToolRun("explain", "\(folder)/j", "launch(a1)").unfolded
      #expect(launch.contains("minimumRequiredOsVersion = 18.0, set by event "), "\(launch)")
      #expect(launch.contains("minimumWipeOsVersion = 16.4, set by event "), "\(launch)")
    }
  }

  @Test("Where a rule depends on what the user chose, what the user can do is offered first")
  func userActions() throws {
    let policy =
      ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": true, "minimumPinLength": 8, "simplePinBlocked": true}"##
    for (steps, advice) in [
      (
        #"{"setPIN": {"account": "dora", "pin": "13971397"}}, {"service": {"dora": {"policy": "q"}}}, {"checkIn": "dora"}"#,
        "choose another PIN that the policy accepts: allowed"
      ),
      (#"{"wait": "PT1H"}"#, "choose a PIN that the policy accepts: allowed"),
    ] {
      try TestFiles.withTemporaryFolder { folder in
        try Self.simulate(policy, steps + #", {"wait": "PT1M"}"#, into: "\(folder)/j")
        let words = ToolRun("explain", "\(folder)/j", "launch(a1)").unfolded
        let offered = try #require(words.split(separator: "To get another answer").last)
        #expect(words.hasPrefix("promptNewPIN") && offered.contains(advice), "\(words)")
        let first = try #require(offered.firstRange(of: advice)?.lowerBound)
        #expect(offered.firstRange(of: "in a1's policy").map { first < $0.lowerBound } ?? true, "\(offered)")
      }
    }
  }

  @Test("A key of the app configuration is explained: where its value is from, what differs, and since which event")
  func configuration() throws {
    let policy = ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "pinRequired": false}"##
    func delivers(_ rest: String) -> String { #"{"configuration": {"account": "dora", \#(rest)}}, {"wait": "PT1H"}"# }
    for (steps, key, answer, words) in [
      (delivers(#""targeted": [{"home": "a"}]"#), "home", "targeted", "configuration 1 of event"),
      (
        delivers(#""default": {"home": "d"}, "targeted": [{"home": "a"}, {"home": "b"}]"#), "home", "conflict",
        "target the account and differ, and an app that does not settle it reads the first"
      ),
      (delivers(#""targeted": [{"home": "a"}, {"home": "a"}]"#), "home", "targeted", "target the account and agree"),
      (
        delivers(#""default": {"home": "d"}, "targeted": [{"tint": "red"}]"#), "home", "tenantDefault",
        "is the tenant's default, and none that targets the account has the key"
      ),
      (#"{"deviceConfiguration": {"home/page": "x"}}"#, "home/page", "device", "device management gives it to the app"),
      (delivers(#""targeted": [{"home": "a"}]"#), "hom", "unset", "no configuration has the key"),
      (#"{"deregisterAndUnenroll": "dora"}, {"wait": "PT1H"}"#, "home", "notEnrolled", "the account is not enrolled"),
    ] {
      try TestFiles.withTemporaryFolder { folder in
        try Self.simulate(policy, steps, into: "\(folder)/j")
        let run = ToolRun("explain", "\(folder)/j", "config('\(key)', a1)", "--reveal")
        #expect(run.unfolded.hasPrefix(answer + " ") && run.unfolded.contains(words), "\(run.output)\(run.notes)")
        guard answer == "conflict" else { return }
        #expect(run.unfolded.contains(" = b, set by event "), "\(run.output)")
        // What an administrator delivered may name a person.
        let withheld = ToolRun("explain", "\(folder)/j", "config(home, a1)")
        #expect(!withheld.unfolded.contains(" = b,") && withheld.unfolded.contains("(withheld)"), "\(withheld.output)")
      }
    }
  }

  private static func simulate(_ policy: String, _ steps: String, into journal: String) throws {
    let scenario = """
      {"scenario": 1, "title": "One account", "device": {"os": "17.1"},
       "accounts": {"dora": {"objectID": "3f1c9a52-1b0e-4a56-9d7e-0d3a7a5c4401", "upn": "dora@contoso.com"}},
       "policies": {"p": {"document": \(policy)}, "q": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection",
         "pinRequired": true, "minimumPinLength": 12}}}, "start": "2026-03-02T08:00:00Z",
       "steps": [{"service": {"dora": {"policy": "p"}}}, {"launch": {}}, {"registerAndEnroll": "dora"}, {"restart": {}},
         \(steps)]}
      """
    try TestFiles.write(Array(scenario.utf8), to: "\(journal).json")
    let run = ToolRun("simulate", "\(journal).json", "-o", journal)
    #expect(run.code == .done, "\(run.notes)")
  }
}
