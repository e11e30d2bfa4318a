import AppProtection
import AppProtectionInsight
import Journal
import Simulation

/// Writes fleets of journals through the real engine.
enum FleetRunner {
  /// The most journals in work for each thread.
  private static let maximumWaiting = 16

  /// Writes a fleet, and the manifest that says what was planted in it, into a new folder.
  ///
  /// Memory does not grow with the number of journals. What was written stays if a journal cannot be.
  ///
  /// - Parameters:
  ///   - plan: What to write.
  ///   - path: The folder, which must not exist; its parent must. Each journal is a folder in it, numbered from 1.
  ///   - threads: The number of threads, the calling one included.
  ///   - onMember: Called with each member in the order of the numbers.
  /// - Throws: ``ScenarioError`` if the folder exists or a journal cannot be written.
  static func run(
    _ plan: FleetPlan, into path: String, threads: Int, onMember: (FleetMember) -> Void
  ) throws(ScenarioError) {
    let fileSystem = PosixFileSystem()
    do throws(FileSystemError) {
      try fileSystem.createDirectory(path)
    } catch {
      throw ScenarioError(
        .journal, file: path, message: "\(error)",
        remedy: "name a new folder inside one that exists and can be written to")
    }
    var manifest = try FleetManifest(in: path)
    let work = OrderedWork<Int, Result<FleetMember, ScenarioError>>(on: fileSystem, threads: threads) {
      { number in Result { () throws(ScenarioError) in try member(number, of: plan, in: path) } }
    }
    defer { work.end() }
    var given = 0
    while true {
      while given < plan.count, work.count < threads * maximumWaiting {
        given += 1
        work.give(given)
      }
      guard let result = work.next() else { return }
      let member = try result.get()
      try manifest.append(member)
      onMember(member)
    }
  }

  /// The name of a journal's folder: its number, with as many digits as the last one has.
  static func name(_ number: Int, of plan: FleetPlan) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(String(plan.count).count, 5) - digits.count) + digits
  }

  /// Writes one journal.
  static func member(_ number: Int, of plan: FleetPlan, in path: String) throws(ScenarioError) -> FleetMember {
    var random = FleetRandom(seed: plan.seed, index: UInt64(number))
    let (family, fault) = plan.cause(&random)
    return try member(fault, of: family, random, name(number, of: plan), in: path)
  }

  /// Writes the journal of a life.
  static func member(
    _ fault: FleetFault, of family: ProblemFamily?, _ random: FleetRandom, _ name: String, in path: String
  ) throws(ScenarioError) -> FleetMember {
    var life = FleetLife(random)
    fault.happen(&life)
    let scenario = try Scenario(Array(life.text(fault.name).utf8), file: "\(name) (\(fault.name))")
    // The number of events after each step, and before the first.
    var counts = [0]
    let (result, types) = try ScenarioRunner.runListingEvents(scenario, into: "\(path)/\(name)") { counts.append($0) }
    let reached = life.mark?.step.map { counts[min($0, counts.count - 1)] } ?? 0
    let deciding: (event: Int, type: String?)? =
      switch life.mark {
      case .first(let type, _): types[reached...].firstIndex(of: type).map { ($0 + 1, type) }
      case .last(let type, _): types[..<reached].lastIndex(of: type).map { ($0 + 1, type) }
      case .damaged(let event): event <= result.eventCount ? (Int(event), nil) : nil
      case nil: nil
      }
    guard deciding != nil || life.mark == nil else {
      throw ScenarioError(
        .stepOutOfPlace, file: scenario.file, message: "the event that decides did not happen",
        remedy: "report this bug")
    }
    return FleetMember(
      path: name, family: family, cause: fault.name, event: deciding.map { UInt64($0.event) }, type: deciding?.type,
      events: UInt64(result.eventCount))
  }
}
