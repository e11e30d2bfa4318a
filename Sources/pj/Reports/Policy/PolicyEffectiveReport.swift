import AppProtection
import CommandLineInterface
import JSON
import PolicyDocuments

/// What `pj policy effective` prints: which policies of an export count for a user in an app and why, and what they add up to.
struct PolicyEffectiveReport {
  /// A policy of the export.
  private struct Candidate {
    let item: PolicyFile.Item
    let file: String
    let targeting: PolicyTargeting

    var name: PortalValue? { PolicyReport.name(of: item.policy) }
    /// The file, and where it lies in it.
    var place: String { item.path.isEmpty ? file : "\(file): \(item.path)" }
  }

  private let context: CommandContext
  private let app: String
  private let candidates: [Candidate]

  static func run(_ words: [String], _ context: CommandContext) throws(Failure) -> ExitCode {
    let users = context.arguments.values(of: "user")
    guard let app = context.arguments.value(of: "app"), !users.isEmpty else {
      throw Failure(.wrongUse, "effective needs --user and --app", next: "pj help policy")
    }
    var groups = GroupMemberships()
    for path in context.arguments.values(of: "groups") {
      let bytes = try FileInput.bytes(of: path)
      try translate { () throws(PolicyDocumentError) in try groups.add(bytes, name: path) }
    }
    var device = FilterFacts()
    if let path = context.arguments.value(of: "device") {
      let bytes = try FileInput.bytes(of: path)
      device = try translate { () throws(PolicyDocumentError) in try FilterFacts.read(bytes, name: path) }
    }
    if context.isJSON { context.output.line(.startRecord("policy.effective", [.init("app", .string(app))])) }
    var items: [(item: PolicyFile.Item, file: String)] = []
    var filters: [AssignmentFilter] = []
    let inputs = PolicyInputs(words, context) { input, inputs in
      items += input.policies.map { ($0, input.name) }
      for document in input.others {
        groups.add(document)
        switch document {
        case .filter(let filter): filters.append(filter)
        case .group, .names: break
        case .appConfiguration, .registration, .deploymentSummary, .operation, .logCollectionRequest, .status,
          .wipeAction, .diagnosticStatus:
          inputs.skip(document.kindName)
        }
      }
    }
    let platform = context.arguments.value(of: "platform").flatMap(PolicyPlatform.init) ?? .ios
    let question = PolicyTargeting.Question(
      app: app, on: platform, user: users, groups: groups, filters: filters, device: device)
    let report = PolicyEffectiveReport(
      context: context, app: app,
      candidates: items.map { item, file in
        Candidate(item: item, file: file, targeting: PolicyTargeting(of: item.policy, for: question))
      })
    return report.print(inputs)
  }

  private static func translate<Result>(
    _ body: () throws(PolicyDocumentError) -> Result
  ) throws(Failure) -> Result {
    do throws(PolicyDocumentError) {
      return try body()
    } catch {
      throw Failure(error)
    }
  }

  private func candidates(_ outcome: Truth) -> [Candidate] { candidates.filter { $0.targeting.outcome == outcome } }

  private func print(_ inputs: PolicyInputs) -> ExitCode {
    let (counting, undecided) = (candidates(.yes), candidates(.unknown))
    let combination = PolicyCombinationReport(counting.map { ($0.item, $0.place) }, context)
    let known = ExitCode.worst(inputs.exitCode, undecided.isEmpty ? .done : .partial)
    let code = ExitCode.worst(known, combination.exitCode)
    guard !context.isJSON else {
      for candidate in candidates { context.output.line(record(candidate)) }
      let disputed = combination.printRecords()
      context.output.line(
        .endRecord(
          code,
          [
            .init("candidates", .number(candidates.count)), .init("policies", .number(counting.count)),
            .init("undecided", .number(undecided.count)), .init("disputed", .number(disputed)), inputs.skippedMember,
          ]))
      return code
    }
    printCandidates()
    if counting.isEmpty {
      context.output.line("no policy certainly counts for this user in \(TerminalText.visible(app))")
    } else {
      let count = counting.count
      context.output.line(
        "effect of \(count) polic\(count == 1 ? "y" : "ies") on this user in \(TerminalText.visible(app))")
      combination.printTable()
      combination.noteLosses()
      combination.noteContradictions()
    }
    if !undecided.isEmpty {
      let count = undecided.count
      context.note(
        "\(count) polic\(count == 1 ? "y" : "ies") may count, too, and \(count == 1 ? "is" : "are") not in the table: facts are missing. "
          + "Next: --groups and --device name them")
    }
    if let skipped = inputs.skippedText { context.note(skipped) }
    return code
  }

  private func words(_ outcome: Truth) -> String {
    switch outcome {
    case .yes: "counts"
    case .no: "does not count"
    case .unknown: "undecided"
    }
  }

  private func printCandidates() {
    var table = TextTable([TextColumn("policy"), TextColumn(""), TextColumn("why")])
    for candidate in candidates {
      let name = candidate.name.map { PolicyReport.shown($0, context) } ?? TerminalText.visible(candidate.place)
      for (index, reason) in candidate.targeting.reasons.enumerated() {
        table.append([
          TextCell(index == 0 ? name : ""), TextCell(index == 0 ? words(candidate.targeting.outcome) : ""),
          TextCell(TerminalText.visible(text(reason))),
        ])
      }
    }
    context.print(table)
  }

  /// The reason, with the group's or filter's name where it may be shown.
  private func text(_ reason: PolicyTargeting.Reason) -> String {
    guard let name = reason.name else { return reason.message }
    let shown = context.redaction.shows(.account) ? name : context.redaction.placeholder(for: .account)
    return "\(reason.message) [\(shown)]"
  }

  private func record(_ candidate: Candidate) -> String {
    let outcome =
      switch candidate.targeting.outcome {
      case .yes: "counts"
      case .no: "doesNotCount"
      case .unknown: "undecided"
      }
    let reasons = candidate.targeting.reasons.map { reason -> JSONValue in
      let truth =
        switch reason.outcome {
        case .yes: "yes"
        case .no: "no"
        case .unknown: "unknown"
        }
      let name: JSONValue =
        reason.name.map { name in
          context.redaction.shows(.account) ? .string(name) : .object([.init("redacted", .string("account"))])
        } ?? .null
      return .object([
        .init("step", .string(reason.step.rawValue)), .init("outcome", .string(truth)),
        .init("message", .string(reason.message)), .init("name", name),
      ])
    }
    return .record(
      "candidate",
      [
        .init("file", .string(candidate.file)), .init("path", .string(candidate.item.path)),
        .init("name", PolicyReport.json(candidate.name, context)), .init("outcome", .string(outcome)),
        .init("reasons", .array(reasons)),
      ])
  }
}
