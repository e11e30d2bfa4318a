import Journal
import JournalSimulation

/// The campaigns that `tools/damage`, `tools/crash-states`, `tools/system-calls` and `tools/simulate` run.
let options = CampaignOptions(Array(CommandLine.arguments.dropFirst()))
let begin = Platform.monotonicNanoseconds
Invariants.areChecked = true
let hasFailed =
  switch options.campaign {
  case .damage: await Campaigns.damage(options)
  case .salvage: await Campaigns.salvage(options)
  case .crashStates: await Campaigns.crashStates(options)
  case .systemCalls: await Campaigns.systemCalls(options)
  case .simulate: await Campaigns.simulate(options)
  }
print("\((Platform.monotonicNanoseconds - begin) / 10_000_000 * 10) ms")
Platform.end(hasFailed ? 1 : 0)
