import AppProtection
import EventSourcing

/// Where an account's app configuration has the value of a key from.
public enum ConfigurationOutcome: String, DecisionOutcome, CaseIterable {
  /// The account is not enrolled, and has no configuration before that.
  case notEnrolled
  /// Configurations that target the account have different values.
  case conflict
  /// One that targets the account, or several that agree.
  case targeted
  /// The tenant's default, because none that targets the account has the key.
  case tenantDefault
  /// Device management, which configures the app for all accounts.
  case device
  /// Nothing has the key.
  case unset

  /// The case's name.
  public var name: String { rawValue }
}

/// The answer to the question where a configured value comes from.
struct ConfigurationAnswer: Equatable {
  let outcome: ConfigurationOutcome
  /// The places of the configurations that have the key and count, from 1.
  var entries: [Int] = []
  /// The event that delivered them; 0 where none did.
  var receivedBy: UInt64 = 0

  /// The name of the rule that settled it.
  var rule: String { "configuration.\(outcome.rawValue)" }

  var reason: String {
    let places = entries.map { "\($0)" }.joined(separator: ", ")
    let configurations = "\(entries.count == 1 ? "configuration" : "configurations") \(places) of event \(receivedBy)"
    return switch outcome {
    case .notEnrolled: "the account is not enrolled, and has no configuration before that"
    case .conflict:
      "\(configurations) target the account and differ, and an app that does not settle it reads the first"
    case .targeted where entries.count > 1: "\(configurations) target the account and agree"
    case .targeted: "\(configurations) targets the account"
    case .tenantDefault: "\(configurations) is the tenant's default, and none that targets the account has the key"
    case .device: "device management gives it to the app, and no configuration of the account has the key"
    case .unset: "no configuration has the key"
    }
  }
}

extension AppProtectionState {
  /// Where the value of a key comes from that the app reads for an account. Keys that are secrets are not looked for.
  func configuration(
    _ key: String, of account: AccountNumber, explanation: inout Explanation
  ) -> ConfigurationAnswer {
    let record = accounts[account]
    let isEnrolled = record?.enrollment.status.isEnrolled ?? false
    let delivered = configuration.accounts[account]
    let entries = isEnrolled ? delivered?.entries ?? [] : []
    let places = entries.indices.filter { has(key, entries[$0].values) }
    let targeting = places.filter { !entries[$0].isDefault }
    let defaults = places.filter { entries[$0].isDefault }
    let isConflict = isEnrolled && appConfiguration(for: account).hasConflict(key) && targeting.count > 1
    let isOfDevice = has(key, configuration.device?.values ?? [])
    let outcome: ConfigurationOutcome =
      !isEnrolled
      ? .notEnrolled
      : isConflict
        ? .conflict
        : !targeting.isEmpty ? .targeted : !defaults.isEmpty ? .tenantDefault : isOfDevice ? .device : .unset
    let counting = !targeting.isEmpty ? targeting : defaults
    let answer = ConfigurationAnswer(
      outcome: outcome, entries: counting.map { $0 + 1 }, receivedBy: counting.isEmpty ? 0 : delivered?.receivedBy ?? 0)
    if explanation.isRecording {
      func reads(_ places: [Int]) -> [Explanation.Read] {
        places.map { read("/configuration/\(account)/\($0 + 1)/values/\(Self.pathName(key))") }
      }
      func step(
        _ rule: ConfigurationOutcome, _ text: String, _ holds: Bool, _ reads: [Explanation.Read], _ decides: Bool
      ) {
        explanation.evaluate("configuration.\(rule.rawValue)", text, holds, reads: reads, decides: decides)
      }
      step(
        .notEnrolled, "\(account) is enrolled", isEnrolled, [read("/accounts/\(account)/enrollment/status")],
        outcome == .notEnrolled)
      guard isEnrolled else { return answer }
      step(
        .conflict, "configurations that target \(account) have different values of the key", isConflict,
        reads(targeting), outcome == .conflict)
      step(
        .targeted, "a configuration that targets \(account) has the key", !targeting.isEmpty,
        isConflict ? [] : reads(targeting), outcome == .targeted)
      step(
        .tenantDefault, "the tenant's default has the key", !defaults.isEmpty, reads(defaults),
        outcome == .tenantDefault)
      step(
        .device, "device management gives the app the key", isOfDevice,
        isOfDevice ? [read("/configuration/device/values/\(Self.pathName(key))")] : [],
        outcome == .device)
      if outcome == .unset { step(.unset, "no configuration has the key", true, [], true) }
    }
    return answer
  }

  private func has(_ key: String, _ values: [ConfigurationValue]) -> Bool {
    values.contains { !$0.isKeySecret && $0.isReadable && $0.key == key }
  }

  /// A value of the state, by its path.
  private func read(_ path: String) -> Explanation.Read {
    if case .value(let value)? = tree(at: path) { return Explanation.Read(path, value) }
    return Explanation.Read(path, .unset)
  }

  /// A key as a part of a path.
  private static func pathName(_ key: String) -> String {
    key.replacing("%", with: "%25").replacing("/", with: "%2F")
  }
}
