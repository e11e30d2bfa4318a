import Journal

/// Runs programs again and again, and lets each of their calls fail in each way in which it can.
package struct FaultCampaign: Sendable {
  package struct Report: Sendable {
    package var runs = 0
    /// How many calls the longest run made.
    package var calls = 0
    /// How often steps ended with which error.
    package var errors: [String: Int] = [:]
    package var failures = FailureLog()

    package mutating func add(_ other: Report) {
      runs += other.runs
      calls = max(calls, other.calls)
      errors.merge(other.errors, uniquingKeysWith: +)
      failures.add(other.failures)
    }

    /// One line.
    package var summary: String {
      let counts = errors.keys.sorted().map { "\($0) \(errors[$0] ?? 0)" }.joined(separator: ", ")
      return "\(runs) runs with failing calls, of up to \(calls) calls: \(counts)"
    }
  }

  /// Random states of the device that are looked at after each run.
  package var randomCount: Int

  /// One in so many faults is tried; failing syncs all are.
  package var share: Int

  package init(randomCount: Int = 3, share: Int = 1) {
    self.randomCount = randomCount
    self.share = share
  }

  /// Lets call 1, 2, 3, ... fail in every way, until a run is not hit any more.
  package func run(_ workload: Workload) -> Report {
    var report = Report()
    var clean = FaultRun(workload, FaultPlan(at: .max / 2, .error(0)))
    clean.run()
    for failure in clean.failures + clean.errors { report.failures.note(failure, "\(workload.name), no fault") }
    var number = 1
    var tried = 0
    var calls = clean.fileSystem.calls
    while number <= calls.count {
      for plan in Self.plans(for: calls[number - 1], at: number) {
        tried += 1
        guard tried % share == 0 || calls[number - 1] == "sync" else { continue }
        var run = FaultRun(workload, plan)
        run.run()
        report.runs += 1
        report.calls = max(report.calls, run.fileSystem.calls.count)
        for error in run.errors { report.errors[error, default: 0] += 1 }
        check(run, &report)
        // A fault changes what follows; the longest run decides when every call has had its turn.
        if run.fileSystem.calls.count > calls.count, plan.count == 1 {
          calls += run.fileSystem.calls[calls.count...]
        }
      }
      number += 1
    }
    return report
  }

  /// Every way in which a call of a kind can fail, once, for a while, and for ever.
  package static func plans(for kind: String, at number: Int) -> [FaultPlan] {
    var plans = SystemCallErrors.codes(of: kind).map { FaultPlan(at: number, .error($0)) }
    plans.append(FaultPlan(at: number, count: 40, .error(Platform.deviceError), kinds: [kind]))
    plans.append(FaultPlan(at: number, count: .max / 2, .error(Platform.deviceError)))
    switch kind {
    case "read":
      plans += [1, 7, 100].map { FaultPlan(at: number, .short($0)) }
      plans.append(FaultPlan(at: number, count: 200, .short(3)))
    case "write":
      plans += [0, 1, 17, 100].map { FaultPlan(at: number, .short($0)) }
      plans += [1, 30].map { FaultPlan(at: number, .shortThenError($0, Platform.noSpace)) }
      plans.append(
        FaultPlan(at: number, count: 12, .error(Platform.noSpace), kinds: ["write", "setSize", "open", "rename"]))
    default: break
    }
    return plans
  }

  /// Looks at what programs see afterwards, and at what power cuts leave of it.
  private func check(_ run: FaultRun, _ report: inout Report) {
    func place() -> String {
      let calls = run.fileSystem.calls
      let kind = run.plan.firstCall <= calls.count ? calls[run.plan.firstCall - 1] : "none"
      return
        "\(run.workload.name), call \(run.plan.firstCall) (\(kind)) and \(run.plan.count - 1) more: \(run.plan.fault)"
    }
    for failure in run.failures { report.failures.note(failure, place()) }
    var moment = Chronicle.Moment(
      position: 0, events: run.events + run.uncertain, promised: run.mayLoseUndurable ? run.promised : run.events.count)
    moment.isClosed = false
    let check = CrashCheck(moment: moment, options: run.workload.options)
    for failure in check.check(run.fileSystem.image).failures { report.failures.note(failure, place()) }
    moment.promised = run.promised
    moment.isClosed = true
    var disk = Disk()
    for operation in run.fileSystem.operations { disk.perform(operation) }
    var fates = [Fates(.all(.lost)), Fates(.all(.kept), names: .all(.lost))]
    fates += (0..<randomCount).map { Fates(.random(UInt64($0))) }
    for fate in fates {
      let outcome = CrashCheck(moment: moment, options: run.workload.options).check(disk.image(fate))
      for failure in outcome.failures { report.failures.note(failure, "\(place()), then a power cut, \(fate)") }
    }
  }
}

extension FaultCampaign {
  /// Checks several workloads, side by side.
  package func run(_ workloads: [Workload]) async -> Report {
    await withTaskGroup(of: Report.self) { group in
      for workload in workloads { group.addTask { run(workload) } }
      var report = Report()
      for await part in group { report.add(part) }
      return report
    }
  }
}
