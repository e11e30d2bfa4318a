import JournalSimulation

/// What each command does: prints what it found, and returns whether anything is wrong.
enum Campaigns {
  static func damage(_ options: CampaignOptions) async -> Bool {
    let share = options.share ?? 1
    var report = await DamageCampaign(share: share, seed: options.seed).run(
      DamageFixture.samples + DamageFixture.format10(root: "."))
    if let blocks = DamageFixture.blocks {
      report.rows += await DamageCampaign(share: share * 64, seed: options.seed).run([blocks], [.flips, .cuts]).rows
      report.rows += await DamageCampaign(share: share, seed: options.seed).run([blocks], [.sectors]).rows
    }
    print(report.table)
    print(report.summary)
    var failures = report.failures
    if options.records > 0, let log = DamageFixture.records(options.records, length: options.length) {
      let flips = await DamageCampaign(share: options.share ?? 8, writingShare: .max, seed: options.seed)
        .run([log], [.flips])
      print("\(log.name), closed: \(flips.comparison)")
      failures += flips.failures
    }
    for line in failures { print(line) }
    return !failures.isEmpty
  }

  static func salvage(_ options: CampaignOptions) async -> Bool {
    let campaign = SalvageCampaign(
      share: options.share ?? 1, mixes: options.mixes, runs: options.mixes, seed: options.seed)
    let fixtures = SalvageFixture.samples
    // Apart, so that a seed stands for the same mixes whatever is added.
    var report = await campaign.run(fixtures)
    report.rows += await campaign.run(SalvageFixture.copies).rows
    print(report.table)
    print("\(report.summary); mixes of the seeds \(options.seed)..<\(options.seed + UInt64(options.mixes))")
    var failures = report.failures
    if options.share != 0 {
      let deaths = await SalvageDeaths(share: options.share ?? 1, powerCutShare: 16).run(fixtures)
      print(deaths.summary)
      failures += deaths.failures.lines
    }
    for line in failures { print(line) }
    return !failures.isEmpty
  }

  static func crashStates(_ options: CampaignOptions) async -> Bool {
    let start = Platform.monotonicNanoseconds
    let campaign = CrashCampaign(seed: options.seed, share: options.share ?? 1)
    var report = await campaign.run(Workload.samples)
    report.add(await campaign.run(Workload.samples, .deaths))
    var next = options.seed
    while report.failures.isEmpty,
      Platform.monotonicNanoseconds - start < (options.seconds ?? 0) * 1_000_000_000
    {
      report.add(await campaign.run((next..<next + 8).map { Workload.random(seed: $0) }))
      next += 8
    }
    print("\(report.summary); programs of the seeds \(options.seed)..<\(next)")
    for failure in report.failures.lines { print(failure) }
    return !report.failures.isEmpty
  }

  static func systemCalls(_ options: CampaignOptions) async -> Bool {
    let report = await FaultCampaign(share: options.share ?? 1).run(Workload.short)
    print(report.summary)
    for failure in report.failures.lines { print(failure) }
    return !report.failures.isEmpty
  }

  static func simulate(_ options: CampaignOptions) async -> Bool {
    let campaign = SeedCampaign(canary: options.canary)
    if options.seconds == nil, options.isSeedGiven {
      let report = campaign.run(seed: options.seed)
      print(report.summary)
      for failure in report.failures { print("seed \(failure.seed): \(failure.what)") }
      return !report.failures.isEmpty
    }
    let start = Platform.monotonicNanoseconds
    var report = SeedCampaign.Report()
    var next = options.seed
    while report.failures.isEmpty,
      Platform.monotonicNanoseconds - start < (options.seconds ?? 10) * 1_000_000_000
    {
      report.add(await campaign.run(next..<next + 64))
      next += 64
    }
    let seconds = Double((Platform.monotonicNanoseconds - start) / 10_000_000) / 100
    print(
      "\(report.summary); seeds \(options.seed)..<\(next), \(Int(Double(report.seeds) / max(seconds, 0.01))) a second")
    for failure in report.failures.prefix(10) {
      print("seed \(failure.seed): \(failure.what)\n  tools/simulate --seed \(failure.seed)\(options.canaryArgument)")
    }
    return !report.failures.isEmpty
  }
}
