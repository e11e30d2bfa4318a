import Journal
import ProcessTesting
import Simulation

/// Writes a fleet for `tools/fleet`.
func generateFleet(_ words: [String]) -> Int32 {
  do {
    let options = try FleetOptions(words)
    var events: UInt64 = 0
    var healthy = 0
    try FleetRunner.run(options.plan, into: options.folder, threads: PosixFileSystem().processorCount) { member in
      events += member.events
      healthy += member.family == nil ? 1 : 0
    }
    Platform.tell(
      "\(options.plan.count) journals with \(events) events in \(options.folder), \(healthy) of them healthy; "
        + "\(options.folder)/\(FleetManifest.name) says what was planted")
    return 0
  } catch {
    Platform.tell("fleet-generator: \(error)", to: 2)
    return error is FleetOptions.WrongUse ? 2 : 4
  }
}

Platform.end(generateFleet(Array(CommandLine.arguments.dropFirst())))
