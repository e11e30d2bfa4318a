import AppProtection

/// How a policy's value is compared with one that a level of the framework names.
///
/// No comparison is published; all are derived.
public struct LevelComparison: Sendable {
  /// The result of a comparison.
  enum Verdict {
    case met
    /// The value is not strict enough, for this reason where one is worth words.
    case missing(String?)
    /// The value cannot be judged.
    case unknown(String)
  }

  /// What meets a value, in words.
  public let meaning: String
  /// Compares the row's properties in a policy.
  let verdict: @Sendable (_ demand: FrameworkDemand, _ properties: [PolicyProperty], PolicyDocument) -> Verdict

  private init(
    _ meaning: String,
    _ verdict: @escaping @Sendable (FrameworkDemand, [PolicyProperty], PolicyDocument) -> Verdict
  ) {
    self.meaning = meaning
    self.verdict = verdict
  }

  /// A value meets another one if combining both policies for one user would change nothing: one rule says what is stricter.
  static let strictness = Self("a value that is as strict or stricter") { demand, properties, policy in
    if properties.contains(where: { isUnrecognized(policy[$0]) }) { return .unknown(unrecognized) }
    let policy = filled(policy, demand)
    var least = demand.least
    least.kind = policy.kind
    let combined = PolicyCombination(of: [policy, least], on: policy.kind.platform).policy
    return properties.allSatisfy { $0.isSame(in: combined, as: policy) } ? .met : .missing(nil)
  }

  /// A policy with what the absence of a setting means where a value of it is demanded.
  private static func filled(_ policy: PolicyDocument, _ demand: FrameworkDemand) -> PolicyDocument {
    var policy = policy
    for (place, property) in demand.values.enumerated() where property.isUnset(in: policy) {
      // An absent flag is off, an absent limit of characters is 0, and the action beside a condition is to block.
      switch demand.least[property] {
      case .value(.flag): policy[property] = .value(.flag(false))
      case .value(.number(0)): policy[property] = .value(.number(0))
      case .value(.choice) where place > 0: policy[property] = .value(.choice(0))
      case .value, .absent, .null: break
      }
    }
    return policy
  }

  /// The value itself.
  static let equality = Self("this value") { demand, properties, policy in
    if properties.contains(where: { isUnrecognized(policy[$0]) }) { return .unknown(unrecognized) }
    let policy = filled(policy, demand)
    return properties.allSatisfy { isEqual(demand.least, policy, $0) } ? .met : .missing(nil)
  }

  /// Whether two policies agree in a setting; a length of time may be written in any way.
  private static func isEqual(_ one: PolicyDocument, _ other: PolicyDocument, _ property: PolicyProperty) -> Bool {
    if case .value(.duration(let one)) = one[property], case .value(.duration(let other)) = other[property] {
      return one.nanoseconds == other.nanoseconds
    }
    return property.isSame(in: one, as: other)
  }

  /// Any value.
  static let presence = Self("any value") { _, properties, policy in
    properties.contains { $0.isUnset(in: policy) } ? .missing(nil) : .met
  }

  /// No value.
  static let absence = Self("no value") { _, properties, policy in
    properties.allSatisfy { $0.isUnset(in: policy) } ? .met : .missing(nil)
  }

  /// A list of what stays allowed meets another one if it names nothing more. It counts only where `restricts` holds: what
  /// is missing elsewhere is the restriction, which has a row of its own.
  private static func list(_ meaning: String, where restricts: @escaping @Sendable (PolicyDocument) -> Bool) -> Self {
    Self(meaning) { demand, properties, policy in
      guard restricts(policy), let property = properties.first else { return .met }
      let more = entries(policy[property]).subtracting(entries(demand.least[property]))
      guard !more.isEmpty else { return .met }
      return .missing("\(more.count) more than asked for")
    }
  }

  static let saveLocations = list("no other locations, where saving copies is blocked") {
    $0.dataTransfer.saveAsBlocked == true
  }
  static let openLocations = list("no other locations, where opening data is blocked") {
    $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments == true
  }
  static let exemptions = list("no other schemes, where data may not go to all apps") {
    $0.dataTransfer.allowedOutboundDataTransferDestinations.map { $0 != .allApps } ?? false
  }

  static let exemptedApps = list("no other apps, where data may not go to all apps") {
    $0.dataTransfer.allowedOutboundDataTransferDestinations.map { $0 != .allApps } ?? false
  }

  /// A dialer that is prescribed must be named; a managed one, or none, is as strict.
  static let dialer = Self("a named dialer, any policy-managed dialer, or none") { _, _, policy in
    let redirection = policy.redirection
    switch redirection.dialerRestrictionLevel {
    case .managedApps, .blocked: return .met
    case .customApp:
      let noun = policy.kind.platform == .ios ? "URL scheme" : "package"
      guard let name = policy.text(.customDialerAppProtocol) ?? policy.text(.customDialerAppPackageId) else {
        return .missing("no \(noun) names the dialer")
      }
      return TemplateText.mustBeReplaced(name) ? .missing("the \(noun) is left from a template") : .met
    case .unrecognized: return .unknown(unrecognized)
    case .allApps, nil: return .missing(nil)
    }
  }

  /// The time after which biometrics are not enough does not count where no biometrics are.
  static let biometricTimeout = Self("the same time or less, or biometrics that are blocked") {
    demand, properties, policy in
    guard !policy.blocksBiometrics else { return .met }
    return strictness.verdict(demand, properties, policy)
  }

  /// The framework gives an example; below it, access is blocked or data removed.
  static let minimumVersion = Self("this version or a later one, with block or wipe") { demand, _, policy in
    let launch = policy.conditionalLaunch
    let least = demand.least.conditionalLaunch.minimumRequiredOsVersion.flatMap(PolicyVersionNumber.init)
    let versions = [launch.minimumRequiredOsVersion, launch.minimumWipeOsVersion].compactMap { $0 }
    guard let least, let version = versions.compactMap(PolicyVersionNumber.init).max() else { return .missing(nil) }
    return version >= least ? .met : .missing(nil)
  }

  /// The framework gives an example. To demand that version or an earlier one would block every device of today.
  static let maximumVersion = Self("any version, with block or wipe") { _, _, policy in
    let launch = policy.conditionalLaunch
    let versions = [launch.maximumRequiredOsVersion, launch.maximumWipeOsVersion].compactMap { $0 }
    return versions.contains { PolicyVersionNumber($0) != nil }
      ? .met : .missing("any version; the level's is an example")
  }

  /// On Windows, zero blocks at once.
  static let offlineBlock = Self("the same time or less", strictness.verdict)

  /// Keyboards are restricted to those of a list, whose content is free.
  static let keyboards = Self("approved keyboards alone, one or more") { demand, properties, policy in
    let switches = Array(properties.prefix(1))
    if case .missing(let reason) = strictness.verdict(demand, switches, policy) { return .missing(reason) }
    guard policy.flag(.keyboardsRestricted) == true, policy.pairs(.approvedKeyboards)?.isEmpty ?? true else {
      return .met
    }
    return .missing("no keyboard is approved")
  }

  /// A lock of this complexity or a higher one. The older form demands any lock, which is one of low complexity.
  static let deviceLock = Self("this complexity or a higher one, with this action or a stricter one") {
    demand, properties, policy in
    guard case .value(.choice(let number)) = demand.least[properties[0]] else { return .met }
    var actions: [RemediationAction] = properties.compactMap { policy.choice($0) }
    if properties.contains(.appActionIfDevicePasscodeComplexityLessThanLow), policy.flag(.deviceLockRequired) == true {
      actions.append(policy.choice(.appActionIfDeviceLockNotSet) ?? .block)
    }
    if actions.contains(.unrecognized) { return .unknown(unrecognized) }
    return actions.contains { $0.strictness >= RemediationAction(number: number).strictness } ? .met : .missing(nil)
  }

  /// The framework gives an example; below it, access is blocked or data removed.
  static let minimumPatchLevel = Self("this patch level or a later one, with block or wipe") { demand, _, policy in
    func level(_ property: PolicyProperty, in policy: PolicyDocument) -> PolicyVersionNumber? {
      policy.text(property).flatMap(PolicyVersionNumber.init)
    }
    let levels = [PolicyProperty.minimumRequiredPatchVersion, .minimumWipePatchVersion].compactMap {
      level($0, in: policy)
    }
    guard let least = level(.minimumRequiredPatchVersion, in: demand.least), let highest = levels.max() else {
      return .missing(nil)
    }
    return highest >= least ? .met : .missing(nil)
  }

  private static let unrecognized = "a value that is not known"

  /// Every enumeration keeps the same number for names that are not known.
  private static func isUnrecognized(_ setting: PolicySetting) -> Bool {
    setting == .value(.choice(RemediationAction.unrecognizedNumber))
  }

  private static func entries(_ setting: PolicySetting) -> Set<String> {
    switch setting {
    case .value(.choices(let numbers)): Set(numbers.map { "\($0)" })
    case .value(.pairs(let pairs)): Set(pairs.flatMap { PolicyText.list($0.value ?? "") }.map { $0.lowercased() })
    case .value, .absent, .null: []
    }
  }
}

extension PolicyProperty {
  /// Whether a policy does not set it.
  func isUnset(in policy: PolicyDocument) -> Bool {
    if case .value = policy[self] { false } else { true }
  }
}
