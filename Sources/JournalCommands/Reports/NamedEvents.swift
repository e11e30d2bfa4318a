import AppProtection
import AppProtectionInsight
import EventSourcing
import Forensics

/// What is known of the events that problems name besides what the problems say of them.
struct NamedEvents {
  /// One event.
  struct Facts {
    /// The type's name.
    let type: String
    /// When it was recorded.
    let moment: Moment
    /// What it says of versions; `nil` if nothing.
    let told: Versions?
  }

  /// Versions of the app, of what it is built with and runs on, and of an account's policy; empty where one is not known.
  struct Versions {
    var app = ""
    var sdk = ""
    var os = ""
    var policy: UInt64?

    /// Those that are known, in words; `nil` if none is.
    var words: String? {
      let known = [("app", app), ("SDK", sdk), ("OS", os), ("policy version", policy.map { "\($0)" } ?? "")]
      let words = known.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1)" }
      return words.isEmpty ? nil : words.joined(separator: ", ")
    }

    fileprivate init(in state: AppProtectionState, of account: AccountNumber?) {
      self.init(of: state.process)
      policy = account.flatMap { state.policies[$0]?.version }
    }

    fileprivate init(of process: ProcessSlice) {
      (app, sdk, os) = (process.appVersion, process.sdkVersion, process.osVersion)
    }

    fileprivate init(policy: UInt64?) { self.policy = policy }
  }

  /// So many events are rather read than passed over: what comes before a place must be folded to reach it.
  private static let reach: UInt64 = 1_000

  /// Where a problem was decided, and whom it concerns.
  private struct Decision: Hashable {
    let event: UInt64
    let subject: String?
  }

  private var facts: [UInt64: Facts] = [:]
  /// The versions in force after the events that decided a problem.
  private var versions: [Decision: Versions] = [:]

  /// Looks up the events that problems name, as far as they can be read.
  init(of problems: [Problem], in history: History<AppProtectionMachine>) {
    let events = problems.flatMap { $0.evidence.compactMap(\.sequence) }
    let wanted = Set(events).filter { $0 >= max(history.firstSequence, 1) }.sorted()
    let subjects = Dictionary(grouping: problems, by: \.decidingEvent).mapValues { $0.map(\.subject) }
    var start = wanted.startIndex
    while start < wanted.endIndex {
      var end = start + 1
      while end < wanted.endIndex, wanted[end] - wanted[end - 1] <= Self.reach { end += 1 }
      read(wanted[start..<end], subjects, history)
      start = end
    }
  }

  /// Reads a stretch of events; those that cannot be read stay unknown, which the problems say themselves.
  private mutating func read(
    _ wanted: ArraySlice<UInt64>, _ subjects: [UInt64: [String?]], _ history: History<AppProtectionMachine>
  ) {
    guard let first = wanted.first, let last = wanted.last,
      var reader = try? LogReader(history, from: first, upTo: last)
    else { return }
    let numbers = Set(wanted)
    while let item = try? reader.next() {
      guard case .event(let step) = item, numbers.contains(step.record.sequence) else { continue }
      let (sequence, state) = (step.record.sequence, step.after)
      facts[sequence] = Facts(
        type: step.record.typeName, moment: step.record.envelope.moment,
        told: step.record.event.flatMap { Self.versions(told: $0, state) })
      guard let state else { continue }
      for subject in subjects[sequence] ?? [] {
        versions[Decision(event: sequence, subject: subject)] = Versions(
          in: state, of: subject.flatMap { AccountNumber($0) })
      }
    }
  }

  private static func versions(told event: AppProtectionEvent, _ state: AppProtectionState?) -> Versions? {
    switch event {
    case .processStarted: state.map { Versions(of: $0.process) }
    case .policyReceived(let event): Versions(policy: state?.policies[event.account]?.version)
    default: nil
    }
  }

  /// What is known of an event.
  subscript(sequence: UInt64?) -> Facts? { sequence.flatMap { facts[$0] } }

  /// The versions in force when a problem was decided; `nil` if that is not known.
  func versions(at problem: Problem) -> Versions? {
    versions[Decision(event: problem.decidingEvent, subject: problem.subject)]
  }
}
