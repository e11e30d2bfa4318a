import EventSourcing

extension LaunchEvaluation {
  /// What a finding rests on: the setting and the fact that a person would compare.
  func comparison(behind finding: LaunchFinding) -> LaunchComparison {
    let (settings, facts) = (finding.rule.settings(for: finding.outcome), finding.rule.facts(of: account))
    func compared(_ setting: Int, _ fact: Int, ago time: Int64?? = .none) -> LaunchComparison {
      let name = settings.indices.contains(setting) ? settings[setting] : ""
      let path = facts.indices.contains(fact) ? facts[fact] : ""
      return LaunchComparison(
        setting: name, settingValue: valueText(name), fact: path,
        factValue: time == .none ? factText(path) : "", age: time.flatMap { $0 }.map(elapsed))
    }
    let pin = state.launch.pin
    return switch finding.rule {
    case .offlineWipe, .offlineAccess: compared(0, 0, ago: record.checkedInAt)
    case .sdkVersion: compared(0, dialog(for: finding) == .policyVersionMismatch ? 1 : 0)
    case .threatLevel: compared(0, threatFact)
    case .clockOut: record.offWorkSince == nil ? compared(0, 0) : compared(0, 1, ago: record.offWorkSince)
    case .pinAttempts: compared(1, 0)
    case .pinExpired: compared(1, 0, ago: pin.setAt)
    case .pinQuality: weakness
    case .pin: compared(1, 0, ago: pin.verifiedAt)
    case .signIn: compared(1, 0, ago: record.signedInAt)
    case .met, .pendingWipe, .jailbreak, .appVersion, .osMinimum, .osMaximum, .deviceModel, .accountDisabled, .keychain,
      .devicePasscode, .pinMissing, .unmanaged:
      compared(0, 0)
    }
  }

  /// What is first wrong with the PIN that is set.
  private var weakness: LaunchComparison {
    let refusal = policy.access.refusals(of: state.launch.pin.facts).first ?? .tooShort
    let path =
      switch refusal {
      case .tooShort, .reused: "/launch/pin/length"
      case .notNumeric, .lacksLetterOrSymbol, .lacksCharacterClass: "/launch/pin/hasLetter"
      case .simple: "/launch/pin/hasSimpleRun"
      }
    return LaunchComparison(
      setting: refusal.setting, settingValue: valueText(refusal.setting), fact: path, factValue: factText(path))
  }

  /// Which of the facts about threat defense counts: the level of the partner that does, or its state where it reports none.
  private var threatFact: Int {
    let device = state.launch.device
    let report = device.threatDefense(by: policy.conditionalLaunch.mobileThreatDefensePartnerPriority)
    let isPartner = report.state == device.threatDefense && report.level == device.threatLevel
    return (isPartner ? 0 : 2) + (report.state == .active && report.level != .unknown ? 1 : 0)
  }

  /// A setting's value as text, or the standard that counts in its place.
  private func valueText(_ setting: String) -> String {
    guard let property = PolicyProperty.named(setting), case .value(let value) = policy[property] else {
      switch setting {
      case "maximumPinRetries": return "\(Self.defaultPINAttempts)"
      case "periodOnlineBeforeAccessCheck": return "PT30M"
      default: return ""
      }
    }
    if case .duration(let duration) = value { return duration.text }
    if case .value(let shown) = property.tree(of: value) { return Self.text(shown) }
    return ""
  }

  private func factText(_ path: String) -> String {
    guard let end = path.lastIndex(of: "/") else { return "" }
    // The tree of a whole slice would cost more than the decision.
    let part: StateTree? =
      switch path[..<end] {
      case "/launch/device": state.launch.device.tree()
      case "/launch/pin": state.launch.pin.tree()
      case "/launch/accounts/\(account)": record.tree()
      case "/process": state.process.tree()
      case let other: state.tree(at: String(other))
      }
    if case .value(let value)? = part?.member(named: path[path.index(after: end)...]) { return Self.text(value) }
    return ""
  }

  private static func text(_ value: StateValue) -> String {
    switch value {
    case .bool(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .name(let text), .text(let text): text
    case .sequence(let sequence): "\(sequence)"
    case .list(let values): values.map(text).joined(separator: ", ")
    case .unset, .personal, .time, .duration: ""
    }
  }
}
