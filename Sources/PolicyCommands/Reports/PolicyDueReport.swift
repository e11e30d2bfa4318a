import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import PlainText
import PolicyDocuments
import Simulation

/// What `pj policy due` prints: what a policy brings to a device that is offline, and when.
enum PolicyDueReport {
  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let since = try since(context)
    var policies = 0
    var isKnown = true
    var trouble: Failure?
    context.begin(records, since.map { CivilTime(nanoseconds: $0) })
    let inputs = PolicyInputs(words, context) { input, inputs in
      input.noteUnknown(context)
      for item in input.policies {
        // The intervals of other platforms count in their own way: on Windows, zero is at once.
        guard item.policy.kind.platform == .ios else {
          inputs.skip("policies for \(item.policy.kind.platform.rawValue)")
          continue
        }
        policies += 1
        do throws(Failure) {
          isKnown = try show(item, input, since, context) && isKnown
        } catch {
          trouble = trouble ?? error
        }
      }
      for document in input.others { inputs.skip(document.kindName) }
    }
    JournalSeeking.note(inputs.journals, in: context)
    if let trouble { throw trouble }
    let code = ExitCode.worst(inputs.exitCode(ofNothing: policies == 0), isKnown ? .done : .partial)
    context.end(records, (policies, inputs), code, of: inputs.journals) {
      guard let skipped = inputs.skippedText else { return }
      context.output.line(TerminalText.visible(skipped + "."))
    }
    return code
  }

  /// When the device was last in touch, in nanoseconds since 1970; `nil` where the command line does not say.
  private static func since(_ context: CommandContext) throws(Failure) -> Int64? {
    guard let word = context.arguments.value(of: "since") else { return nil }
    guard case .time(let first, _)? = try? NamedPosition(word), first >= 0 else {
      throw Failure(
        .wrongUse,
        "--since takes a time from 1970 to April 2262, such as 2026-11-27T18:00Z or 2026-11-27T19:00+01:00, not '\(word)'",
        next: "pj help policy due")
    }
    return first
  }

  /// What is due, or not known to be, and how the portal shows the setting that decides it.
  private struct Row {
    let file: String
    let policy: String
    let kind: Deadline.Kind
    /// When it comes; `nil` where the document does not tell.
    let deadline: Deadline?
    let time: Int64?
    let property: PolicyProperty?
    let document: PolicyDocument

    var setting: PortalSetting? { property.flatMap { PortalSetting.showing($0) } }
    var isUnknown: Bool { deadline == nil }
    var statement: String { deadline?.statement ?? kind.statement }
    var after: String? { deadline.map { PolicyDueReport.duration($0.remaining) } }
  }

  private static func show(
    _ item: PolicyFile.Item, _ input: PolicyInput, _ since: Int64?, _ context: CommandContext
  ) throws(Failure) -> Bool {
    let app = try app(under: item.policy, since)
    let unknown = Deadline.Kind.allCases.compactMap { kind in item.unknownSetting(of: kind).map { (kind, $0) } }
    let deadlines = app.state.deadlines(for: .first, at: app.moment).filter { deadline in
      !unknown.contains { $0.0 == deadline.kind }
    }
    let rows =
      deadlines.map { deadline in
        Row(
          file: input.name, policy: item.path, kind: deadline.kind, deadline: deadline,
          time: since.flatMap { _ in deadline.wall(from: app.moment) }, property: deadline.setting,
          document: item.policy)
      }
      + unknown.map { kind, property in
        Row(
          file: input.name, policy: item.path, kind: kind, deadline: nil, time: nil, property: property,
          document: item.policy)
      }
    context.show(due, each: rows) { printText(rows, item, input, since, context) }
    return unknown.isEmpty
  }

  /// An app that was last in touch at a time, and that meets everything that does not depend on time.
  private static func app(under policy: PolicyDocument, _ since: Int64?) throws(Failure) -> ImaginedApp {
    var timed = PolicyDocument(kind: policy.kind)
    for kind in Deadline.Kind.allCases {
      for property in [kind.settings.demand, kind.settings.interval].compactMap(\.self) {
        timed[property] = policy[property]
      }
    }
    let situation = Situation()
    let account = situation.accounts[0].reference
    var settings = situation.app.settings
    settings.retryProfile = .serviceTable
    do throws(AppProtectionRejection) {
      var app = try ImaginedApp(situation.process, settings: settings, at: Moment(wallNanoseconds: since ?? 1))
      try app.enroll(account, with: timed)
      try app.restart()
      try app.open(account)
      return app
    } catch {
      throw Failure(.wrongUse, "the situation cannot be: \(error)", next: "pj help scenario")
    }
  }

  private static func printText(
    _ rows: [Row], _ item: PolicyFile.Item, _ input: PolicyInput, _ since: Int64?, _ context: CommandContext
  ) {
    let name = PolicyReport.name(of: item.policy).map { ": " + PolicyReport.shown($0, context) } ?? ""
    context.output.line(TerminalText.visible(input.name) + name)
    context.output.line(
      "With this policy, a device that is offline \(since.map { "since \(day($0))" } ?? "from now on"):")
    var table = TextTable([TextColumn(""), TextColumn(""), TextColumn(""), TextColumn("")])
    for row in rows {
      let value = row.isUnknown ? ReportTable.unknown : row.setting?.words(item.policy) ?? ReportTable.unset
      table.append([
        TextCell("  " + (row.time.map(day) ?? "")), TextCell(row.after ?? "unknown"), TextCell(row.statement),
        TextCell(TerminalText.visible(row.setting.map { "\($0.title): \(value)" } ?? ""), [.dim]),
      ])
    }
    context.print(table)
    let kinds = Set(rows.map(\.kind))
    for (kind, what) in [(Deadline.Kind.block, "blocked"), (.wipe, "wiped")] where !kinds.contains(kind) {
      context.output.line("  It is never \(what) for being offline.")
    }
  }

  private static func day(_ time: Int64) -> String {
    (Weekday(ofNanoseconds: time).map { "\($0.name), " } ?? "") + CivilTime(nanoseconds: time).text
  }

  static func duration(_ length: Int64) -> String {
    length > 0 ? String(utf8: { CivilTime.append(duration: length, to: &$0) }) : "at once"
  }

  /// What `-j` writes.
  static let records = JSONOutput<CivilTime, (policies: Int, inputs: PolicyInputs)>(
    "policy.due", start: [.init("since") { $0 }], [due, JSONRecord.unreadable],
    end: [.init("policies", \.policies), JSONMember.skipped.of(\.inputs)])

  private static let due = JSONRecord<Row>(
    "due",
    [
      .init("file", \.file), .init("policy", \.policy),
      .init("type", oneOf: Deadline.Kind.allCases.map(\.rawValue), \.kind.rawValue), .init("after", \.after),
      .init("time") { $0.time.map { CivilTime(nanoseconds: $0) } }, .init("statement", \.statement),
      .init("property") { $0.property?.name }, .init("title") { $0.setting?.title },
      .init("value") { row in row.isUnknown ? nil : row.setting.flatMap { $0.words(row.document) } },
      .init("clock", \.kind.clock), .init("movedBy", \.kind.movedBy),
      .ifAny("unknown") { $0.isUnknown ? true : nil },
    ])
}
