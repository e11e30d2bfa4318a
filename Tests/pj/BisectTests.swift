import Expectations
import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics
import Testing

@testable import CommandSupport

@Suite("Where a condition flips")
struct BisectTests {
  typealias Machine = AppProtectionMachine

  /// Each state of a history, with the moment of its event.
  private static func states(_ history: History<Machine>) throws -> [(AppProtectionState, Moment)] {
    var states: [(AppProtectionState, Moment)] = [(Machine.initialState, Moment(wallNanoseconds: 0))]
    var cursor = try history.cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item, let state = step.after else { continue }
      states.append((state, step.record.envelope.moment))
    }
    return states
  }

  /// The events at which a condition flips.
  private static func flips(_ condition: String, _ history: History<Machine>) throws -> [UInt64] {
    var flips: [UInt64] = []
    _ = try Bisection(
      of: Condition(state: condition), in: history, from: Machine.initialState, after: 0,
      at: Moment(wallNanoseconds: 0), upTo: try history.lastSequence()
    ) { flip in
      flips.append(flip.sequence)
      return true
    }
    return flips
  }

  private static func flips(_ holds: [Bool]) -> [UInt64] {
    holds.indices.dropFirst().filter { holds[$0] != holds[$0 - 1] }.map { UInt64($0) }
  }

  @Test(
    "The flips are those that judging every state finds",
    arguments: ["first-enrollment", "interrupted-wipe", "multi-identity-day", "framework-history"])
  func everyValue(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let states = try Self.states(history)
    let trees = states.map { $0.0.tree() }
    var tried = 0
    for place in stride(from: 0, to: trees.count, by: max(1, trees.count / 6)) {
      for leaf in trees[place].leaves().filter({ $0.value != .unset }).enumerated().filter({ $0.offset % 17 == 0 }) {
        let text = ValueText(.on).text(leaf.element.value)
        guard case .name = leaf.element.value else { continue }
        let holds = trees.map { $0[path: leaf.element.path] == .value(leaf.element.value) }
        try expectEqual(
          Self.flips("\(leaf.element.path) = \(text)", history), Self.flips(holds),
          "\(leaf.element.path) = \(text)")
        tried += 1
      }
    }
    #expect(tried > 3)
  }

  @Test(
    "Answers are judged after every event", arguments: ["interrupted-wipe", "multi-identity-day", "framework-history"])
  func answers(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    let states = try Self.states(history)
    let account = AccountNumber.first
    let questions: [(String, ProtectionQuestion, String)] = [
      ("managed(a1)", .managed(account), "true"), ("launch(a1)", .launch(account), "allowed"),
      ("saveTo(box, a1)", .saveTo(.box, account: .account(account), owner: account), "denied"),
      ("pin(a1)", .pin(account), "required"), ("identity", .identity(.ui(window: nil), thread: nil), "a1"),
      ("transfer(a1, unmanagedApp)", .transfer(from: .account(account), to: .unmanagedApp, through: .app), "denied"),
    ]
    for (text, question, answer) in questions {
      let holds = states.map { state, moment in
        var explanation = Explanation()
        return state.answer(question, at: moment, explanation: &explanation).name == answer
      }
      try expectEqual(Self.flips("\(text) = \(answer)", history), Self.flips(holds), "\(text)")
      try expectEqual(Self.flips("not \(text) != \(answer)", history), Self.flips(holds), "\(text)")
    }
  }

  @Test("A condition that never flips ends in 1, one that does in 0")
  func exitCodes() {
    let journal = Repository.journal("interrupted-wipe")
    let never = ToolRun("bisect", journal, "--where", "/accounts/a9")
    expectEqual(never.code, .different)
    expectEqual(never.output, "the condition never holds, from before the first event to event 22\n")
    let flips = ToolRun("bisect", journal, "--where", "/accounts/*/status = wiping")
    expectEqual(flips.code, .done)
    expectEqual(flips.lines.count, 3)
    expectEqual(ToolRun("bisect", journal, "--where", "/accounts/*/status = wiping", "-n", "1").lines.count, 2)
    expectEqual(ToolRun("bisect", journal, "..14", "--where", "/accounts/*/status = wiping").code, .different)
    expectEqual(ToolRun("bisect", journal, "16..", "--where", "/accounts/*/status = wiping").lines.count, 2)
    expectEqual(ToolRun("bisect", Repository.journal("damaged-frame"), "--where", "/process/isRunning").code, .partial)
  }

  @Test("Values compare in the order of their kind")
  func order() throws {
    let history = try History<Machine>(at: Repository.journal("framework-history"))
    try expectEqual(Self.flips("/policies/a1/version > 1", history), Self.flips("/policies/a1/version >= 2", history))
    try expectEqual(
      Self.flips("/policies/a1/version < 2 or not /policies/a1/version", history),
      Self.flips("/policies/a1/version > 1", history))
    #expect(try !Self.flips("/policies/a1/version > 1", history).isEmpty)
    try expectEqual(Self.flips("/policies/a1/version > 1", history), [61])
    let wipe = try History<Machine>(at: Repository.journal("interrupted-wipe"))
    for (one, other) in [
      ("/accounts/a1/enrollment/nextCheckIn = 2026-10-07T09:30Z", "/accounts/a1/enrollment/nextCheckIn"),
      ("/accounts/a1/enrollment/nextCheckIn = 2026-10-07T11:30:00+02:00", "/accounts/a1/enrollment/nextCheckIn"),
      ("/process/osVersion = 17", "/process/osVersion = 17.0"), ("/process/launch > 1.5", "/process/launch >= 2"),
      ("/accounts/a1/enrollment/dueElapsed = 30m", "/accounts/a1/enrollment/dueElapsed = PT30M"),
    ] {
      try expectEqual(Self.flips(one, wipe), Self.flips(other, wipe), "\(one)")
      #expect(try !Self.flips(one, wipe).isEmpty, "\(one)")
    }
    try expectEqual(Self.flips("/process/osVersion > 9.9", history), Self.flips("/process/osVersion", history))
  }

  @Test(
    "A condition that cannot be read is named with its column",
    arguments: [
      ("polices", "column 1: unknown question \"polices\"; write one of managed, offline, launch"),
      ("saveTo(locaDrive, a1) = denied", "column 1: \"locaDrive\" is not a value of location; write localDrive"),
      ("saveTo(box) = denied", "column 1: owner is missing in saveTo; write saveTo(location, owner[, account])"),
      ("saveTo(box, a1, a1, a1) = denied", "column 1: saveTo does not take \"a1\" in this place"),
      ("saveTo(box, a1", "column 15: expected \")\" to close column 7, found the end"),
      ("managed(a1)", "column 12: expected = or != after a question, found the end; write managed(a1) = ANSWER"),
      ("managed(a1) > 2", "column 13: expected = or != after a question, found \">\""),
      (
        "saveTo(box, a1) = bogus",
        "column 19: saveTo is never answered with \"bogus\"; write one of allowed, denied"
      ),
      ("launch(a1) = blok", "column 14: launch is never answered with \"blok\"; write block"),
      ("managed(a1) != tru", "column 16: managed is never answered with \"tru\"; write true"),
      ("identity = none", "column 12: identity is never answered with \"none\"; write "),
      ("saveTo(box, a1) = x*", "column 19: saveTo is never answered with \"x*\""),
      ("identity(ui, thread: a/b) = a1", "column 1: \"a/b\" is not a value of thread"),
      ("/accounts/a1/enrollment/status < 3", "/accounts/a1/enrollment/status is a name or a text"),
      ("/accounts/a1/enrollment/nextCheckIn > 5", "/accounts/a1/enrollment/nextCheckIn is a point in time; write one"),
      ("/process/isRunning >= 1", "/process/isRunning is true or false, which have no order"),
      ("/a > x", "column 6: \"x\" has no order; write a number, a version such as 17.2"),
      ("/a =", "column 5: expected a value, found the end"),
      ("/a and", "column 7: expected a path or a question, found the end"),
      ("/a /b", "column 4: unexpected \"/b\" after the condition"),
    ])
  func malformed(text: String, message: String) {
    let run = ToolRun("bisect", Repository.journal("interrupted-wipe"), "--where", text)
    expectEqual(run.code, .wrongUse)
    #expect(run.notes.hasPrefix("pj bisect: --where: \(message)"), "\(run.notes)")
  }

  @Test("A question is only answered with what its form lists", arguments: Repository.journals)
  func possibleAnswers(name: String) throws {
    let history = try History<Machine>(at: Repository.journal(name))
    var cursor = try history.cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item, let state = step.after, step.record.sequence % 9 == 0 else { continue }
      for form in Machine.questions {
        let required = form.parameters.filter { $0.standard == nil }
        let choices = required.map { parameter in
          (parameter.choices + [
            "a1", "a2", "none", "unmanagedApp", "plain", "encrypted:a1", "https://example.org", "tel:1",
          ])
          .filter(parameter.accepts)
        }
        for turn in 0..<8 where choices.allSatisfy({ !$0.isEmpty }) {
          let values = choices.enumerated().map { $1[(turn * (1 + $0)) % $1.count] }
          let question = try QuestionText<Machine>(form.name, values)
          var explanation = Explanation()
          let answer = Machine.answer(
            question.question, in: state, at: step.record.envelope.moment, explanation: &explanation)
          let isListed = form.answers.names.contains(answer.name) || form.answers.acceptsOther(answer.name)
          #expect(isListed, "\(question.text): \(answer.name)")
        }
      }
    }
  }

  @Test("A pattern of an order on values of several kinds compares those that have it")
  func mixedOrder() {
    let journal = Repository.journal("interrupted-wipe")
    expectEqual(ToolRun("bisect", journal, "--where", "/process/* >= 2").code, .done)
  }

  @Test("Two tests of one value give one reason for a flip")
  func singleReason() {
    let run = ToolRun(
      "bisect", Repository.journal("interrupted-wipe"), "--where",
      "/accounts/a1/enrollment/status = wiping and /accounts/a1/enrollment/status != enrolling", "-j")
    let flips = run.records.compactMap { $0?.object }.filter { $0["kind"]?.string == "flip" }
    #expect(!flips.isEmpty)
    for flip in flips { expectEqual(flip["reasons"]?.array?.count, 1) }
  }

  @Test("A question about an account that does not exist is answered with a note")
  func unknownAccount() {
    let journal = Repository.journal("interrupted-wipe")
    for words in [
      ["explain", journal, "managed(a77)"], ["bisect", journal, "--where", "managed(a77) = true"],
      ["explain", journal, "transfer(managedApp:a77, none)"],
    ] {
      #expect(ToolRun(words).notes.contains("account a77 does not exist up to event 22; accounts here: a1"), "\(words)")
    }
    #expect(!ToolRun("explain", journal, "managed(a1)").notes.contains("does not exist"))
  }

  @Test("Every question can be asked as its form says")
  func forms() throws {
    let forms = Machine.questions
    expectEqual(Set(forms.map(\.name)).count, forms.count)
    let questions = "\(Repository.root)/Sources/AppProtectionInsight/Questions"
    let source = try TestFiles.read("\(questions)/ProtectionQuestion.swift")
    let cases = String(decoding: source, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("  case ") }
      .map { String($0.dropFirst(7).prefix { $0 != "(" }) }
    expectEqual(forms.map(\.name).sorted(), cases.sorted(), "a question has no form")
    for form in forms {
      var values: [String] = []
      for parameter in form.parameters where parameter.standard == nil {
        let candidates = parameter.choices + ["a1", "unmanagedApp", "plain", "https://example.org"]
        values.append(try #require(candidates.first(where: parameter.accepts), "\(form.name): \(parameter.name)"))
      }
      let question = try QuestionText<Machine>(form.name, values)
      var explanation = Explanation()
      let answer = Machine.answer(
        question.question, in: Machine.initialState, at: Moment(wallNanoseconds: 0), explanation: &explanation)
      #expect(!answer.name.isEmpty && !answer.reason.isEmpty, "\(form.name)")
      #expect(!form.answers.names.isEmpty, "\(form.name)")
      #expect(ToolRun("help", "questions").output.contains(form.name))
    }
  }

  @Test("What cannot be compared is named, and the answer is not certain")
  func uncomparable() {
    let journal = Repository.journal("interrupted-wipe")
    let run = ToolRun("bisect", journal, "--where", "/accounts/a1/userPrincipalName != 'a*'")
    expectEqual(run.code, .partial)
    #expect(run.notes.contains("personal ones with wildcards, are not compared"))
    expectEqual(ToolRun("bisect", journal, "--where", "/accounts/a1/userPrincipalName").code, .done)
    expectEqual(
      ToolRun("bisect", journal, "--where", "/accounts/a1/userPrincipalName = nobody@contoso.com").code, .different)
  }

  /// An event that no condition on a state looks at.
  private static var noSubject: FilterSubject {
    FilterSubject(
      sequence: 0, type: "", cause: 0, process: 0, accounts: { [] }, changedPaths: { nil }, findings: { nil },
      shownText: { [] })
  }

  @Test("Where a condition rests on what is not compared, it is unknown, and nothing stops there")
  func unknownValues() throws {
    let path = Repository.journal("first-enrollment")
    let test = "/accounts/a1/userPrincipalName != 'a*'"
    let run = ToolRun("bisect", path, "--where", test, "-j")
    expectEqual(run.records.last??.object?["heldAtFirst"]?.bool, true)
    expectEqual(run.records.last??.object?["holdsAtLast"]?.isNull, true, "\(run.output)")
    #expect(
      ToolRun("bisect", path, "5..", "--where", test).output.contains("it is unknown whether the condition holds"))
    // Another test can settle it all the same.
    expectEqual(ToolRun("bisect", path, "--where", "\(test) and /accounts/a1/userPrincipalName = unset").code, .done)
    var condition = try StoppingCondition<Machine>(test)
    var cursor = try History<Machine>(at: path).cursor(after: .sequence(3))
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      let isHolding = condition.holds(at: step, Self.noSubject)
      #expect(!isHolding, "\(step.record.sequence)")
    }
    #expect(condition.isUncertain)
  }

  @Test("What holds between two events of a batch was never in force")
  func batches() throws {
    let path = Repository.journal("first-enrollment")
    // Enrolling brings the policy in the same batch.
    let test = "/accounts/a1/enrollment/status = enrolledWithPolicy and not /policies/a1"
    #expect(
      ToolRun("bisect", path, "--where", test).output.hasPrefix("the condition never holds, from before the first"))
    let listed = ToolRun("explain", path, "managed(a1)", "--when")
    let answers = listed.unfolded
    // The rule of event 8 gives the answer of its batch, so the answer at 8 is in the list, and brings no other one.
    #expect(answers.contains(" 8–8 ") && answers.contains("false the account is enrolled, and no policy targets it"))
    #expect(answers.contains(" 9–11 ") && listed.lines.count { !$0.hasPrefix(" ") } == 6, "\(listed.output)")
    var condition = try StoppingCondition<Machine>(test)
    var cursor = try History<Machine>(at: path).cursor()
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      let isHolding = condition.holds(at: step, Self.noSubject)
      #expect(!isHolding, "\(step.record.sequence)")
    }
  }

  @Test("A path at which nothing was ever set is named with the nearest, and a range after damage has no answer")
  func unknown() {
    let wrong = ToolRun("bisect", Repository.journal("interrupted-wipe"), "--where", "/process/lanch = 3")
    expectEqual(wrong.code, .different)
    #expect(wrong.notes.contains("nothing was ever set at /process/lanch; nearest: /process/launch"), "\(wrong.notes)")
    let damaged = Repository.journal("damaged-frame")
    for words in [["13..", "--where", "/accounts"], ["--run", "true"]] {
      let run = ToolRun(["bisect", damaged] + words)
      #expect(run.code == .partial && run.output.isEmpty, "\(run.output)")
      #expect(run.notes.contains("after that is unknown"), "\(run.notes)")
    }
  }

  @Test("A retired journal is searched, and explained, from the first state that is known")
  func retired() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/retired"
      expectEqual(ToolRun("fork", Repository.journal("framework-history"), "200", path).code, .done)
      for words in [["bisect", path, "--where", "/process/isRunning"], ["explain", path, "managed(a1)"]] {
        let run = ToolRun(words)
        #expect(run.code == .done || run.code == .different, "\(run.notes)")
        #expect(!run.output.contains("1970"), "\(run.output)")
      }
      let listed = ToolRun("explain", path, "offline(a1)", "--when")
      #expect(listed.output.hasPrefix("200–200  before the events that are kept"), "\(listed.output)")
    }
  }

  @Test(
    "A value in quotes is one value, whatever is in it",
    arguments: [
      ("url('https://x.example/z,w?a=(1)', a1)", "url(\"https://x.example/z,w?a=(1)\", a1)"),
      ("saveTo(box , a1,account:none)", "saveTo(box, a1, account:none)"), ("identity", "identity"),
    ])
  func quoted(text: String, shown: String) throws {
    let question = try QuestionText<Machine>(parsing: text)
    expectEqual(question.text, shown)
    try expectEqual(QuestionText<Machine>(parsing: shown), question)
  }

  @Test("A command finds the first event at which it fails, as git bisect run does")
  func command() {
    let journal = Repository.journal("interrupted-wipe")
    let run = ToolRun("bisect", journal, "--run", "test $PJ_EVENT -lt 15")
    expectEqual(run.output, "event 15 is the first bad one; pj show \(journal) 15\n", "\(run.notes)")
    expectEqual(run.code, .done)
    let skipping = ToolRun(
      "bisect", journal, "--run", "test $PJ_EVENT -ge 13 -a $PJ_EVENT -le 15 && exit 125; test $PJ_EVENT -lt 15")
    expectEqual(skipping.output, "the first bad event is one of events 13–16: the others could not be tested\n")
    #expect(ToolRun("bisect", journal, "--run", "exit 1").notes.contains("is bad at event 0, where it must be good"))
    #expect(ToolRun("bisect", journal, "--run", "exit 0").notes.contains("is good at event 22, where it must be bad"))
    #expect(ToolRun("bisect", journal).notes.contains("--where is missing"))
    #expect(ToolRun("bisect", journal, "--where", "/a", "--run", "true").notes.contains("exclude each other"))
  }

  @Test("A command that says neither good nor bad ends the search, as with git bisect run, with a code of its own")
  func failingCommand() {
    let journal = Repository.journal("interrupted-wipe")
    for (command, why) in [
      ("exit 200", "ended with 200, which is neither good nor bad, at event 0"),
      ("exit 128", "ended with 128, which is neither good nor bad, at event 0"),
      ("kill -9 $$", "was ended by the signal 9 (Killed) at event 0"),
      ("test $PJ_EVENT -lt 22 || kill -9 $$", "was ended by the signal 9 (Killed) at event 22"),
      ("no-such-command-here", "cannot be run: the shell ended with 127 at event 0"),
      ("test $PJ_EVENT -lt 9 || test $PJ_EVENT -eq 22 && exit 255", "ended with 255"),
    ] {
      let run = ToolRun("bisect", journal, "--run", command)
      #expect(run.code == .commandFailed && run.code.rawValue == 6 && run.output.isEmpty, "\(command)")
      #expect(run.notes.contains("\(journal): the command \(why)"), "\(run.notes)")
      #expect(run.notes.contains("; the search ends without an answer. Next: PJ_JOURNAL=\(journal) PJ_EVENT="))
    }
    // 127 is a verdict once the command has run.
    let run = ToolRun("bisect", journal, "--run", "test $PJ_EVENT -lt 15 || exit 127")
    #expect(run.code == .done && run.output.hasPrefix("event 15 is the first bad one"), "\(run.notes)")
    expectEqual(ToolRun("bisect", journal, "--run", "exit 129", "-j").records.last??.object?["exit"]?.number?.text, "6")
  }

  @Test("A name that no value at a path can have is refused with the nearest")
  func impossibleNames() {
    let journal = Repository.journal("interrupted-wipe")
    for (text, message) in [
      ("/accounts/a1/enrollment/status = enroling", "\"enroling\"; write enrolling"),
      ("/accounts/*/enrollment/status != wipng", "\"wipng\"; write wiping"),
      ("/process/isRunning = treu", "\"treu\"; write true"), ("/wipes/a1/status = x*", "\"x*\"; write "),
    ] {
      let run = ToolRun("bisect", journal, "--where", text)
      #expect(run.code == .wrongUse && run.output.isEmpty, "\(text): \(run.output)")
      let path = text.prefix { $0 != " " }
      #expect(run.notes.contains("no value of \(path) is ever \(message)"), "\(run.notes)")
    }
    for text in [
      "/accounts/a1/enrollment/status = ENROLL*", "/process/isRunning = FALSE", "/process/osVersion = x",
    ] {
      #expect(ToolRun("bisect", journal, "--where", text).code != .wrongUse, "\(text)")
    }
  }

  @Test("Every value that ever was somewhere can be asked for there", arguments: Repository.journals)
  func possibleNames(name: String) throws {
    var asked: Set<String> = []
    for (state, _) in try Self.states(try History<Machine>(at: Repository.journal(name))) {
      for leaf in state.tree().leaves() {
        let text: String
        switch leaf.value {
        case .name(let name): text = name
        case .bool(let value): text = "\(value)"
        case .list(let values): text = values.first.map { ValueText(.on).text($0) } ?? "x"
        case .unset, .integer, .text, .personal, .sealed, .time, .duration, .sequence: continue
        }
        guard asked.insert("\(leaf.path) \(text)").inserted, !text.contains("\"") else { continue }
        #expect(throws: Never.self) {
          _ = try Condition<StateTest<Machine>>(state: "\(leaf.path) = \"\(text)\"")
        }
      }
    }
    #expect(asked.count > 20)
  }
}
