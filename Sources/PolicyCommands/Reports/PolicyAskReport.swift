import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText
import PolicyDocuments
import ProtectionSupport

/// What `pj policy ask` prints: what the rules answer in an app that has just applied a policy, and where policies answer
/// differently.
struct PolicyAskReport {
  typealias Question = QuestionText<AppProtectionMachine>

  /// A policy, and the app that has applied it.
  struct Policy {
    let number: Int
    let name: String
    let item: PolicyFile.Item
    let app: ImaginedApp
  }

  /// What every policy answers to a question.
  struct Row {
    /// What the question asks.
    let section: String
    let question: Question
    let found: [Answer]

    /// Whether a setting of one of the policies was read.
    var readsPolicy: Bool { found.contains { !$0.settings.isEmpty } }
    /// Whether the answer of a policy rests on a value that its document does not tell.
    var isUnknown: Bool { found.contains { $0.unknown != nil } }
    /// Whether not all answers are the same, with everything that they come to.
    var isDifferent: Bool { !isUnknown && found.contains { !$0.isSame(as: found[0]) } }

    /// The name of each answer, with what tells answers of one name apart.
    var names: [String] {
      let isTold = !isDifferent || found.contains { $0.answer.name != found[0].answer.name }
      guard !isTold else { return found.map(\.answer.name) }
      return found.map { answer in
        let own = answer.details.filter { detail in !found.allSatisfy { $0.details.contains(detail) } }
        return ([answer.answer.name] + own).joined(separator: ", ")
      }
    }
  }

  /// What one policy answers.
  struct Answer {
    /// The answer in words.
    let answer: QuestionAnswer
    /// What it comes to beside its name: every condition that is not met, and everything that time brings.
    let details: [String]
    /// The settings of the policy that were read, by their names in Graph.
    let settings: Set<String>
    /// The setting that the document does not tell, or whose comparison needs a version that no option gives; `nil` where the
    /// answer is known.
    let unknown: PolicyProperty?
    /// The versions that would make an answer known.
    let missing: [SituationInput.Version]
    /// The rules that led to it.
    let steps: [Explanation.Step]
    /// The paths of the values that are not known.
    let unknownPaths: Set<String>

    func isSame(as other: Answer) -> Bool { answer.name == other.answer.name && details == other.details }
  }

  let context: CommandContext
  let situation: SituationInput
  private(set) var policies: [Policy] = []
  /// What is shown.
  private(set) var rows: [Row] = []
  /// How many questions were asked.
  private(set) var askedCount = 0
  /// The settings in which two policies differ and by which no answer tells them apart.
  private(set) var untold: [PolicyProperty] = []

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let form = try ReportInput(context)
    var report = PolicyAskReport(context: context, situation: try SituationInput(context))
    let asked = words.filter(isQuestion)
    try refuseMistaken(words)
    let files = words.filter { !isQuestion($0) }
    let question = try asked.first.map { (text) throws(Failure) in try report.situation.question(text) }
    if let question { try report.situation.refuseMissingAccounts(of: question) }
    let isMatrix = context.arguments.flag("matrix")
    guard asked.count < 2, !(isMatrix && question != nil) else {
      throw Failure(
        .wrongUse, "one question at a time: \(asked[0]), or \(isMatrix ? "--matrix" : asked[1])",
        next: "pj help questions")
    }
    guard !files.isEmpty else {
      throw Failure(.wrongUse, "a policy's file is missing, such as policy.json", next: "pj help policy ask")
    }
    var trouble: Failure?
    let inputs = PolicyInputs(files, context) { input, inputs in
      input.noteUnknown(context)
      for item in input.policies {
        guard item.policy.kind.platform == .ios else {
          inputs.skip(item.policy.kind.platform.rawValue)
          continue
        }
        do throws(Failure) {
          try report.add(item, input)
        } catch {
          trouble = trouble ?? error
        }
      }
    }
    if let trouble { throw trouble }
    JournalSeeking.note(inputs.journals, in: context)
    let policies = report.policies
    guard inputs.exitCode == .done || inputs.exitCode == .partial || !policies.isEmpty else { return inputs.exitCode }
    guard question != nil || isMatrix || policies.count == 2 else {
      throw Failure(
        .wrongUse, "a question is missing, such as 'saveTo(box, \(report.situation.names[0]))'",
        next: "pj help questions, or --matrix for all of them")
    }
    if let skipped = inputs.skippedText, !inputs.namesRefusals {
      context.note("\(skipped); the rules are those of apps on iOS")
    }
    guard !policies.isEmpty else { return inputs.exitCode(ofNothing: true) }
    report.ask(question)
    let explained = form == nil && policies.count == 1 ? question.map { report.explanation(of: $0) } : nil
    let isDifferent = policies.count == 2 && (report.rows.contains(where: \.isDifferent) || !report.untold.isEmpty)
    let judged = ExitCode.worst(inputs.exitCode, report.unknownCount > 0 ? .partial : .done)
    let code: ExitCode = judged != .done ? judged : isDifferent ? .different : .done
    if let form {
      form.print(report.report, to: context)
    } else {
      report.print(inputs, code, explained)
    }
    return code
  }

  /// Whether a word is a question rather than a file.
  private static func isQuestion(_ word: String) -> Bool {
    let name = word.prefix { $0 != "(" && $0 != " " }
    return AppProtectionMachine.questions.contains { $0.name == name } && !Platform.exists(word)
  }

  /// Refuses a word that is meant as a question and is none, which would otherwise be missed as a file.
  private static func refuseMistaken(_ words: [String]) throws(Failure) {
    for word in words where !isQuestion(word) && word.contains("(") && !Platform.exists(word) {
      let names = AppProtectionMachine.questions.map(\.name)
      let near = EditDistance.nearest(to: String(word.prefix { $0 != "(" }), in: names, limit: 1).first
      let form = AppProtectionMachine.questions.first { $0.name == near }
      throw Failure(
        .wrongUse,
        "'\(word)' is neither a question nor a file\(form.map { "; nearest: \(Question.usage(of: $0))" } ?? "")",
        next: "pj help questions")
    }
  }

  private mutating func add(_ item: PolicyFile.Item, _ input: PolicyInput) throws(Failure) {
    policies.append(
      Policy(
        number: policies.count + 1, name: item.path.isEmpty ? input.name : "\(input.name): \(item.path)", item: item,
        app: try situation.app(applying: item.policy)))
  }

  /// How many questions have an answer that is not known.
  private(set) var unknownCount = 0

  /// Asks every policy: one question, or all that a policy answers. Of two policies, only what they answer, or may answer, differently counts.
  private mutating func ask(_ question: Question?) {
    if let question {
      rows = [row("", question)]
      askedCount = 1
      unknownCount = rows.count(where: \.isUnknown)
      return
    }
    let names = situation.names
    for surface in ProtectionQuestion.surface(of: names[0], beside: names.count > 1 ? names[1] : "a2") {
      for texts in surface.texts {
        let asked = texts.compactMap { text in (try? situation.question(text)).map { row(surface.meaning, $0) } }
        askedCount += asked.count(where: \.readsPolicy)
        // A location of another account is of interest where it makes a difference.
        rows += asked.enumerated().filter { index, row in
          row.readsPolicy && (index == 0 || !zip(row.found, asked[0].found).allSatisfy { $0.isSame(as: $1) })
        }.map(\.element)
      }
    }
    unknownCount = rows.count(where: \.isUnknown)
    if policies.count == 2 { untold = settingsUntold }
    // Unknown answers may differ.
    if !context.arguments.flag("matrix") { rows.removeAll { !$0.isDifferent && !$0.isUnknown } }
  }

  /// What the only policy answers, rule by rule, and what to change.
  private typealias Explained = (answer: ExplainedAnswer, advice: Advice<AppProtectionMachine>?)

  private func explanation(of question: Question) -> Explained {
    let (policy, found) = (policies[0], rows[0].found[0])
    return (
      ExplainedAnswer(found.answer, found.steps, unknown: found.unknownPaths, context) {
        AppProtectionMachine.wording(of: $0, in: policy.app.state)
      },
      // What is not known may be what would have to change.
      found.unknown == nil
        ? Advice(
          for: situation.asked(question.question), in: policy.app.state, at: policy.app.moment, instead: found.answer,
          found.steps) : nil
    )
  }

  private func row(_ section: String, _ question: Question) -> Row {
    Row(section: section, question: question, found: policies.map { answer(to: question, in: $0) })
  }

  private func answer(to question: Question, in policy: Policy) -> Answer {
    let asked = situation.asked(question.question)
    let (app, item) = (policy.app, policy.item)
    var explanation = Explanation(recording: true)
    let verdict = AppProtectionMachine.verdict(on: asked, in: app.state, at: app.moment, explanation: &explanation)
    let prefix = "/policies/\(AccountNumber.first)/"
    let reads = explanation.steps.flatMap(\.reads).filter { $0.path.hasPrefix(prefix) }
    var settings = Set(reads.map { String($0.path.dropFirst(prefix.count).prefix { $0 != "/" }) })
    var details = verdict.findings.map { "\($0.rule.id): \($0.outcome.name)" }
    switch asked {
    case .launch(.first):
      // A condition whose setting a document lacks is not checked.
      settings.formUnion(launchSettings(in: policy))
    case .due(let account):
      details += app.state.deadlines(for: account, at: app.moment).map { deadline in
        let after = deadline.isTimed ? "after \(PolicyDueReport.duration(deadline.remaining))" : "now"
        return "\(deadline.kind.rawValue) \(after)"
      }
      if account == .first {
        settings.formUnion(Deadline.Kind.allCases.compactMap(item.unknownSetting).map(\.name))
      }
    case .managed, .offline, .launch, .pin, .identity, .saveTo, .openFrom, .transfer, .shareSheet, .receive, .paste,
      .thirdPartyKeyboards, .dictation, .use, .notification, .screenCapture, .webView, .url, .universalLink, .browser,
      .dialer, .messaging, .fileProtection, .fileEncryption, .fileProvider, .protect, .unprotect, .protectionInfo,
      .config:
      break
    }
    let lost = item.policy.kind.platform.properties.filter(item.isUnknown)
    var unknownPaths = Set(lost.map { prefix + $0.name })
    var unknown = lost.first { settings.contains($0.name) }
    var words = unknown.map { property in
      "it depends on \(Self.title(of: property)) (\(property.name)), of which the document says nothing"
    }
    let compared = comparedVersions(in: explanation.steps)
    unknownPaths.formUnion(compared.map(\.version.path))
    let missing = unknown == nil ? compared.map(\.version) : []
    if unknown == nil, let first = compared.first?.property {
      unknown = first
      words =
        "it depends on \(Self.title(of: first)) (\(first.name)), and on the version of "
        + "\(missing.map(\.subject).joined(separator: ", and of ")): say "
        + missing.map { "--\($0.option)" }.joined(separator: " and ")
    }
    let answer = words.map { QuestionAnswer("unknown", reason: $0) } ?? AppProtectionMachine.words(of: verdict)
    var steps = explanation.steps.map { relative($0, in: app) }
    if unknown != nil { for index in steps.indices { steps[index].decides = false } }
    return Answer(
      answer: answer, details: details, settings: settings, unknown: unknown, missing: missing, steps: steps,
      unknownPaths: unknownPaths)
  }

  private static func title(of property: PolicyProperty) -> String {
    PortalSetting.showing(property)?.title ?? property.name
  }

  /// The versions that rules compared with a setting and that nothing gives, each with the first such setting.
  private func comparedVersions(
    in steps: [Explanation.Step]
  ) -> [(version: SituationInput.Version, property: PolicyProperty)] {
    SituationInput.Version.allCases.filter(situation.missing.contains).compactMap { version in
      let reads = steps.filter { step in version.rules.contains { $0.id == step.rule } }.flatMap(\.reads)
      let names = reads.filter { $0.path.hasPrefix("/policies/") }.compactMap { $0.path.split(separator: "/").last }
      let property = PolicyPlatform.ios.properties.first { property in names.contains { $0 == property.name } }
      return property.map { (version, $0) }
    }
  }

  /// A rule with its times as lengths since the moment that is asked about, which has no date.
  private func relative(_ step: Explanation.Step, in app: ImaginedApp) -> Explanation.Step {
    var step = step
    let now = app.moment.wallNanoseconds
    for index in step.reads.indices {
      if case .time(let time) = step.reads[index].value {
        step.reads[index].value = .duration(time.distanceClamping(from: now))
      }
    }
    for account in [AccountNumber.first] + (0..<situation.names.count).compactMap({ AccountNumber(UInt32($0 + 1)) }) {
      for deadline in app.state.deadlines(for: account, at: app.moment) where deadline.kind.id == step.rule {
        guard let time = deadline.wall(from: app.moment).map({ CivilTime(nanoseconds: $0).text }) else { continue }
        step.statement = step.statement.replacing("at \(time), in", with: "in").replacing("since \(time)", with: "now")
      }
    }
    return step
  }

  /// The settings on which the launch of the first account may depend. One that is not known counts where the switch before it is
  /// on, or may be, and a choice only where one of its values decides.
  private func launchSettings(in policy: Policy) -> Set<String> {
    let item = policy.item
    var settings: Set<String> = []
    for rule in LaunchRule.allCases {
      for properties in LaunchOutcome.allCases.map({ rule.properties(for: $0) }) {
        guard let first = properties.first else { continue }
        let isOff = !item.isUnknown(first) && !Self.isSet(item.policy[first])
        for property in properties where !item.isUnknown(property) || !isOff && decides(property, in: policy) {
          settings.insert(property.name)
        }
      }
    }
    return settings
  }

  private static func isSet(_ setting: PolicySetting) -> Bool {
    switch setting {
    case .value(.flag(let flag)): flag
    case .value: true
    case .absent, .null: false
    }
  }

  /// Whether a setting may change which conditions of the launch are met: of a choice, each value is tried.
  private func decides(_ property: PolicyProperty, in policy: Policy) -> Bool {
    guard case .choice(let names) = property.kind else { return true }
    let found = policy.app.state.conditionalLaunch(for: .first, at: policy.app.moment).findings
    return names.members.contains { member in
      var document = policy.item.policy
      document[property] = .value(.choice(member.number))
      guard let app = try? situation.app(applying: document) else { return true }
      return app.state.conditionalLaunch(for: .first, at: app.moment).findings != found
    }
  }

  /// The settings in which two policies differ, and that were not read for an answer in which they differ. Which conditions an app
  /// meets depends on its surroundings: those that the launch conditions read are among them.
  private var settingsUntold: [PolicyProperty] {
    let told = rows.filter { $0.isDifferent && $0.question.name != "launch" }
      .reduce(into: Set<String>()) { told, row in for answer in row.found { told.formUnion(answer.settings) } }
    let items = policies.map(\.item)
    return PolicyPlatform.ios.properties.filter { property in
      let values = items.map { (item) -> PolicyValue? in
        if case .value(let value) = item.policy[property] { value } else { nil }
      }
      return property.combination != .notCombined && values[0] != values[1] && !told.contains(property.name)
        && !items.contains { $0.isUnknown(property) }
    }
  }
}

extension PolicyAskReport {
  // MARK: Text

  private func printText() {
    if policies.count > 1 {
      for policy in policies { context.output.line(TerminalText.visible("  \(policy.number)  \(policy.name)")) }
    }
    var table = TextTable(
      [TextColumn("question")] + policies.map { TextColumn(policies.count == 1 ? "answer" : "\($0.number)") }
        + (policies.count == 1 ? [TextColumn("reason")] : []))
    var section = ""
    for row in rows {
      if row.section != section { table.append([TextCell(Self.heading(row.section), [.bold])]) }
      section = row.section
      let reason = policies.count == 1 ? [TextCell(TerminalText.visible(row.found[0].answer.reason))] : []
      table.append(
        [TextCell((section.isEmpty ? "" : "  ") + TerminalText.visible(row.question.text))]
          + row.names.map { TextCell(TerminalText.visible($0)) } + reason)
    }
    context.print(table)
    context.output.line(conclusion)
  }

  private static func heading(_ meaning: String) -> String { meaning.prefix(1).uppercased() + meaning.dropFirst() }

  /// How many questions were asked, and how many answers differ.
  private var conclusion: String {
    let different = rows.count(where: \.isDifferent)
    let count = "\(different.counted("answer differs", "answers differ"))"
    let unknown = unknownCount == 0 ? "" : " \(unknownCount.counted("answer is", "answers are")) unknown."
    let titles = untold.map { PortalSetting.showing($0)?.title ?? $0.name }
    let others = titles.isEmpty ? "" : " Other settings differ, and no answer here: \(titles.joined(separator: ", "))."
    return
      (policies.count == 1
      ? "\(askedCount.counted("question"))." : "\(count) of \(askedCount.counted("question")).") + unknown + others
  }

  // MARK: A report

  private var report: Report {
    var table = ReportTable(
      subject: "Question", columns: policies.map { PolicyReport.column(of: $0.item, at: $0.name, context) })
    table.rows = rows.map { row in
      ReportTable.Row(
        section: Self.heading(row.section), title: TerminalText.visible(row.question.text),
        cells: zip(row.names, row.found).map { name, found in
          ReportTable.Cell(
            text: TerminalText.visible(name), verdict: found.answer.rule ?? "",
            reason: TerminalText.visible(found.answer.reason), isNotable: found.unknown != nil)
        },
        isDifferent: row.isDifferent || row.isUnknown)
    }
    return Report(
      title: policies.count == 1 ? "What the policy allows" : "What the policies allow", summary: conclusion,
      tables: [table], filter: policies.count == 1 ? "Unknown only" : "Differences only", attention: "unknown")
  }

  // MARK: JSON

  private typealias Answered = (policy: Int, question: String, found: Answer)

  /// What `-j` writes.
  static let records = JSONOutput<Void, (report: PolicyAskReport, inputs: PolicyInputs)>(
    "policy.ask", [policyRecord, answerRecord, ExplainedAnswer.rule, ExplainedAnswer.change, JSONRecord.unreadable],
    end: [
      .init("policies", \.report.policies.count), .init("questions", \.report.askedCount),
      .init("different") { $0.report.rows.count(where: \.isDifferent) }, .init("unknown", \.report.unknownCount),
      .init("untold") { $0.report.untold.map(\.name) }, JSONMember.skipped.of(\.inputs),
    ])

  private static let policyRecord = JSONRecord<Policy>(
    "policy", [.init("number", \.number)] + PolicyReport.members.of { ($0.name, $0.item) })

  private static let answerRecord = JSONRecord<Answered>(
    "answer",
    [.init("policy", \.policy), .init("question", \.question)] + QuestionAnswer.members.of(\.found.answer) + [
      .init("details", \.found.details), .init("unknown") { $0.found.unknown?.name },
      .ifAny("missing") { $0.found.missing.isEmpty ? nil : $0.found.missing.map(\.option) },
    ])

  private func print(_ inputs: PolicyInputs, _ code: ExitCode, _ explained: Explained?) {
    context.report { lines in
      lines.begin(Self.records, ())
      lines.add(Self.policyRecord, each: policies)
      for row in rows {
        lines.add(
          Self.answerRecord,
          each: zip(policies, row.found).map { ($0.number, row.question.text, $1) })
      }
      explained?.answer.write(to: lines)
    } text: {
      guard let explained else { return printText() }
      explained.answer.printText()
      explained.answer.printAssumption()
    }
    if let advice = explained?.advice {
      ExplainedAnswer.show(
        advice.items, tried: advice.triedCount, "of a setting or of the device", context)
    }
    context.end(Self.records, (self, inputs), code, of: inputs.journals)
  }
}
