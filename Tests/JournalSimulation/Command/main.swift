import JournalSimulation

/// Checks crash states for a while: first the sample programs, then programs by seed.
///
/// Usage: crash-states [--seconds N] [--seed S] [--share ONE-IN]
var seconds: UInt64 = 60
var seed: UInt64 = 1
var share = 1
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
  guard let value = arguments.popFirst().flatMap({ UInt64($0) }), ["--seconds", "--seed", "--share"].contains(name)
  else {
    print("crash-states: '\(name)' is not understood here; use crash-states [--seconds N] [--seed S] [--share N]")
    Platform.end(2)
  }
  switch name {
  case "--seed": seed = value
  case "--share": share = Int(clamping: max(value, 1))
  default: seconds = min(value, 1_000_000)
  }
}

let start = Platform.monotonicNanoseconds
var campaign = CrashCampaign(seed: seed, share: share)
var report = await campaign.run(Workload.samples)
report.add(await campaign.run(Workload.samples, .deaths))
var next = seed
while report.failures.isEmpty, Platform.monotonicNanoseconds - start < seconds * 1_000_000_000 {
  report.add(await campaign.run((next..<next + 8).map { Workload.random(seed: $0) }))
  next += 8
}
let faults = await FaultCampaign().run(Workload.short)
let elapsed = (Platform.monotonicNanoseconds - start) / 1_000_000_000
print("\(report.summary); seeds \(seed)..<\(next), \(elapsed) s")
print(faults.summary)
for failure in report.failures.lines + faults.failures.lines { print(failure) }
Platform.end(report.failures.isEmpty && faults.failures.isEmpty ? 0 : 1)
