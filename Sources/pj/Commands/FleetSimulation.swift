import AppProtection
import CommandLineInterface
import JSON
import Simulation
import PlainText

/// `pj simulate --fleet`: writes many journals, and says what was planted in each.
enum FleetSimulation {
  /// The file that says it, in the folder of the fleet.
  private static let manifest = "manifest.jsonl"

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let arguments = context.arguments
    if let scenario = arguments.positional("SCENARIO") {
      throw Failure(.wrongUse, "\(scenario): --fleet needs no scenario", next: "pj help simulate")
    }
    let target = arguments.value(of: "output") ?? "fleet"
    guard !target.isEmpty, target != "-" else {
      throw Failure(.wrongUse, "--output needs the name of a new folder", next: "pj help simulate")
    }
    try NewPlace.refuseTaken(target, by: .folder(mayExist: true), context)
    func number(_ option: String) -> Int? { arguments.value(of: option).flatMap { Int($0) } }
    var plan = FleetPlan(count: number("fleet") ?? 1, seed: UInt64(number("seed") ?? 1))
    if let percent = number("healthy") { plan.healthyPercent = percent }
    let shares = try arguments.values(of: "share").map { (word) throws(Failure) in try share(word) }
    if !shares.isEmpty { plan.weights = shares }
    return try write(plan, target, context)
  }

  /// A family and its weight: `jailbreak=3`.
  private static func share(_ word: String) throws(Failure) -> (family: ProblemFamily, weight: Int) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let names = ProblemFamily.allCases.map(\.id)
    guard let family = ProblemFamily(rawValue: parts[0]) else {
      let nearest = EditDistance.nearest(to: parts[0], in: names, limit: 1).first.map { "; nearest: \($0)" } ?? ""
      throw Failure(.wrongUse, "--share \(word): no family has this name\(nearest)", next: "pj diagnose --families")
    }
    guard parts.count > 1 else { return (family, 1) }
    guard let weight = Int(parts[1]), (1...1_000_000).contains(weight) else {
      throw Failure(
        .wrongUse, "--share \(word): the weight is a whole number from 1 to 1,000,000", next: "pj help simulate")
    }
    return (family, weight)
  }

  private static func write(_ plan: FleetPlan, _ target: String, _ context: CommandContext) throws(Failure) -> ExitCode
  {
    let progress = context.environment.progress
    progress?.begin("simulating", total: UInt64(plan.count), in: .items("journals"), estimates: true)
    var lines: [UInt8] = []
    var file: OutputFile?
    var (events, healthy) = (UInt64(0), 0)
    var failure: Failure?
    func flush() {
      file?.write(lines)
      lines.removeAll(keepingCapacity: true)
    }
    if context.isJSON { context.output.line(.startRecord("simulate", [.init("journal", .string(target))])) }
    do throws(ScenarioError) {
      try FleetRunner.run(plan, into: target, threads: context.environment.threadCount) { member in
        if file == nil, failure == nil {
          do throws(Failure) { file = try OutputFile("\(target)/\(manifest)") } catch { failure = error }
        }
        events += member.events
        healthy += member.family == nil ? 1 : 0
        let record = JSONValue.object(members(of: member)).text(style: .compact)
        lines += Array(record.utf8) + [UInt8(ascii: "\n")]
        if lines.count >= 1 << 16 { flush() }
        if context.isJSON { context.output.line(.record("member", members(of: member))) }
        progress?.note(1)
      }
    } catch {
      // What was written so far stays, and so does what it says of it.
      flush()
      try? file?.finish()
      throw Failure(error)
    }
    flush()
    if let failure { throw failure }
    try file?.finish()
    try FileOutput.keepName(of: "\(target)/\(manifest)", context.environment.fileSystem)
    if context.isJSON {
      context.output.line(
        .endRecord(.done, [.init("events", .number(events)), .init("journals", .number(plan.count))]))
      return .done
    }
    let count = plan.count.grouped
    context.output.line(
      "\(count) journal\(plan.count == 1 ? "" : "s") with \(events.grouped) events in "
        + "\(TerminalText.visible(target)), \(healthy.grouped) of them healthy; "
        + "\(TerminalText.visible("\(target)/\(manifest)")) says what was planted")
    return .done
  }

  private static func members(of member: FleetMember) -> [JSONObject.Member] {
    [
      .init("path", .string(member.path)), .init("family", member.family.map { .string($0.id) } ?? .null),
      .init("cause", .string(member.cause)), .init("event", member.event.map { .number($0) } ?? .null),
      .init("type", member.type.map(JSONValue.string) ?? .null), .init("events", .number(member.events)),
    ]
  }
}
