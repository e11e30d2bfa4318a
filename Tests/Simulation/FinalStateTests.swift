import AppProtection
import AppProtectionInsight
import EventSourcing
import Expectations
import Forensics
import Simulation
import Testing

/// What findings say of the end of a history is compared with its last state.
enum FinalStateTests {
  /// The launch conditions that each family is about.
  private static let conditions: [ProblemFamily: [LaunchRule]] = [
    .jailbreak: [.jailbreak], .osVersion: [.osMinimum, .osMaximum], .deviceModel: [.deviceModel],
    .threatLevel: [.threatLevel], .pinAttempts: [.pinAttempts],
    .launchBlocked: [.sdkVersion, .appVersion, .accountDisabled, .keychain, .devicePasscode, .clockOut],
  ]

  /// What keeps a user out is wrong now, what is wrong now keeps a user out, and out of sight is only what has not been seen for
  /// 14 days.
  static func check(
    _ findings: [HistoryDiagnosis<AppProtectionMachine>.Ranked], of journal: String, _ name: String
  ) throws {
    var reader = try LogReader(try History<AppProtectionMachine>(at: journal))
    var end: (state: AppProtectionState, last: EventContext)?
    var hasClockJumps = false
    while let item = try reader.next() {
      if case .clockJump = item { hasClockJumps = true }
      guard case .event(let step) = item, let state = step.after else { continue }
      end = (state, EventContext(sequence: step.record.sequence, moment: step.record.envelope.moment))
    }
    guard let (state, last) = end else { return }
    let problems = findings.map(\.diagnosis)
    for (family, rules) in conditions {
      let now = problems.filter { $0.family == family && !$0.isOver && $0.severity == .critical }
      let blocked = state.policies.records.map(\.account).filter { account in
        state.conditionalLaunch(for: account, at: last.moment).findings.contains { finding in
          rules.contains(finding.rule) && isClosing(finding.outcome) && isReported(finding.rule, state.launch.device)
        }
      }.map(\.description)
      for account in blocked {
        #expect(now.contains { $0.subject == account }, "\(name): \(account) is kept out, and no \(family.id) says so")
      }
      for problem in now where !problem.sentence.contains("was wiped") {
        #expect(blocked.contains(problem.subject ?? ""), "\(name): nothing keeps the user out: \(problem.sentence)")
      }
    }
    // How much time has passed is not known by the clock then.
    guard !hasClockJumps else { return }
    for problem in problems {
      let next = problem.episodes.dropFirst().map(\.first) + [last]
      let quiet =
        zip(problem.episodes.compactMap(\.ending), next).map { ($0, $1) }
        + (problem.ending.map { [($0, last)] } ?? [])
      for (ending, next) in quiet where ending.kind == .outOfSight {
        let time = next.moment.wallNanoseconds - ending.event.moment.wallNanoseconds
        #expect(time > 14 * 86_400 * 1_000_000_000, "\(name): seen too lately: \(problem.sentence)")
      }
    }
  }

  private static func isClosing(_ outcome: LaunchOutcome) -> Bool {
    [.block, .resetPIN, .wipe].contains(outcome)
  }

  /// Whether the app has reported what the condition is about.
  private static func isReported(_ rule: LaunchRule, _ device: DeviceFacts) -> Bool {
    switch rule {
    case .jailbreak: device.isJailbroken != nil
    case .devicePasscode: device.hasPasscode != nil
    case .threatLevel: device.threatDefense != .unknown || device.defender != .unknown
    default: true
    }
  }
}
