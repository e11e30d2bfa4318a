import AppProtection
import JSON

/// A policy in a device's encoding, converted to the same values as one from Graph.
///
/// Values that Graph cannot express are kept in ``/AppProtection/PolicyDocument/keptMembers`` under the device's
/// names. A value that cannot be read leaves its setting absent, and a finding reports it.
public struct DevicePolicy: Equatable, Sendable {
  /// The dump's settings as those of Graph.
  public private(set) var policy = PolicyDocument()
  /// The entries of the dump, in order.
  public let entries: [DeviceEntry]
  /// Reports settings and values that could not be read or are ambiguous.
  public private(set) var findings: [PolicyFinding] = []

  /// Values of one property collected from several settings, until all are read.
  private var modelLists: [RemediationAction: String] = [:]
  private var isBiometricTimeoutRequired: Bool?
  private var biometricTimeout: Int64?
  private var keptNames: Set<String> = []

  /// Reads the settings of one policy. Of several with the same name, the last counts.
  public init(_ entries: [DeviceEntry]) {
    self.entries = entries
    for entry in entries { read(entry) }
    joinModelLists()
    joinBiometricTimeout()
    // The device has this flag with every level; Graph has it only with policy managed apps.
    if let send = policy.dataTransfer.allowedOutboundDataTransferDestinations, send != .managedApps,
      policy.dataTransfer.disableProtectionOfManagedOutboundOpenInData != nil
    {
      policy.dataTransfer.disableProtectionOfManagedOutboundOpenInData = false
    }
    policy.keptMembers.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private mutating func read(_ entry: DeviceEntry) {
    guard let setting = DeviceSetting.named(entry.name) else {
      keep(entry)
      addFinding(
        .unknownDeviceSetting, entry, "no such setting of a device is documented", remedy: "look up what it is")
      return
    }
    if case .deviceOnly = setting.form { return keep(entry) }
    // An empty text or a placeholder for no value means that the setting is not configured.
    if case .text("") = entry.value, setting.emptyIsUnset { return setNull(setting) }
    if !assign(setting, entry) {
      keep(entry)
      addFinding(
        .unreadableDeviceValue, entry, "\(entry.value.phrase) is none of its values",
        remedy: "its values are: \(setting.values)")
    }
  }

  private mutating func assign(_ setting: DeviceSetting, _ entry: DeviceEntry) -> Bool {
    let value = entry.value
    switch setting.form {
    case .flag(let negated):
      guard let flag = value.flag else { return false }
      return set(setting, .flag(flag != negated))
    case .choice(let numbers):
      guard let member = value.number.flatMap({ number in numbers.first { $0.number == number } }) else { return false }
      return set(setting, .choice(member.graphNumber))
    case .mask(let numbers): return assignMask(setting, numbers, entry)
    case .number: return value.number.map { set(setting, .number($0)) } ?? false
    case .minutes: return set(setting, minutes: value.number)
    case .days: return set(setting, days: value.number)
    case .version:
      guard let text = value.text else { return false }
      if PolicyVersionNumber.isUnset(text) {
        setNull(setting)
        return true
      }
      return set(setting, .text(text))
    case .text: return value.text.map { set(setting, .text($0)) } ?? false
    case .schemes:
      return value.text.map { set(setting, .pairs($0.isEmpty ? [] : [PolicyPair("Default", $0)])) } ?? false
    case .links: return value.text.map { set(setting, .texts(PolicyText.list($0, separator: "|"))) } ?? false
    case .models(let action):
      guard let text = value.text else { return false }
      modelLists[action] = text
      return true
    case .biometricTimeoutRequired:
      isBiometricTimeoutRequired = value.flag
      return value.flag != nil
    case .biometricTimeout:
      biometricTimeout = value.number.flatMap { $0 < 0 ? nil : $0 }
      return biometricTimeout != nil
    case .clockOutGrace: return assignClockOut(setting, value.number)
    case .deviceOnly: return false
    }
  }

  private mutating func assignMask(
    _ setting: DeviceSetting, _ numbers: [DeviceEncoding.DeviceNumber], _ entry: DeviceEntry
  ) -> Bool {
    guard let bits = entry.value.number, bits >= 0, bits < 1 << 16 else { return false }
    let members = numbers.filter { bits & $0.number != 0 }
    guard set(setting, .choices(members.map(\.graphNumber))) else { return false }
    let rest = members.reduce(bits) { $0 & ~$1.number }
    let isForSaving = setting.properties.first == .allowedDataStorageLocations
    if isForSaving, bits & (64 | 128) != 0 {
      addFinding(
        .ambiguousLocation, entry,
        bits & 128 != 0
          ? "the bit 128 is read as the photo library; in the SDK it is the account's document"
          : "the bit 64 has no documented meaning; in the SDK it is the camera roll",
        remedy: "compare with the policy in the service")
    }
    if rest & ~64 != 0 || (rest != 0 && !isForSaving) {
      keep(entry)
      addFinding(
        .unreadableDeviceValue, entry, "the bits \(rest) have no counterpart in Graph",
        remedy: "its values are: \(setting.values)")
    }
    return true
  }

  private mutating func assignClockOut(_ setting: DeviceSetting, _ minutes: Int64?) -> Bool {
    guard let minutes, minutes >= -1 else { return false }
    guard minutes >= 0 else {
      setNull(setting)
      return true
    }
    guard set(setting, minutes: minutes) else { return false }
    policy.conditionalLaunch.appActionIfAccountIsClockedOut = .block
    return true
  }

  private mutating func joinModelLists() {
    guard let first = modelLists[.block] ?? modelLists[.wipe] else { return }
    let wipe = modelLists[.wipe].flatMap { $0.isEmpty ? nil : $0 }
    let block = modelLists[.block].flatMap { $0.isEmpty ? nil : $0 }
    policy.conditionalLaunch.allowedIosDeviceModels = wipe ?? block ?? first
    if wipe != nil || block != nil {
      policy.conditionalLaunch.appActionIfIosDeviceModelNotAllowed = wipe != nil ? .wipe : .block
    }
    if wipe != nil, block != nil,
      let entry = entries.last(where: { DeviceSetting.named($0.name)?.isBlockingModels == true })
    {
      keep(entry)
      addFinding(
        .twoModelLists, entry, "there is also a list whose other models lose their data, and a policy holds one list",
        remedy: "compare both")
    }
  }

  private mutating func joinBiometricTimeout() {
    guard isBiometricTimeoutRequired != nil || biometricTimeout != nil else { return }
    let property = PolicyProperty.pinRequiredInsteadOfBiometricTimeout
    guard isBiometricTimeoutRequired ?? true, let minutes = biometricTimeout,
      let duration = try? PolicyDuration("PT\(minutes)M")
    else {
      policy[property] = .null
      return
    }
    policy[property] = .value(.duration(duration))
  }

  // MARK: Setting

  /// Sets the first property of a setting; returns `false` if the property cannot have the value.
  private mutating func set(_ setting: DeviceSetting, _ value: PolicyValue) -> Bool {
    guard let property = setting.properties.first else { return false }
    if case .number(let range) = property.kind, case .number(let number) = value, !range.contains(number) {
      return false
    }
    policy[property] = .value(value)
    return true
  }

  private mutating func set(_ setting: DeviceSetting, minutes: Int64?) -> Bool {
    guard let minutes, minutes >= 0, let duration = try? PolicyDuration("PT\(minutes)M") else { return false }
    return set(setting, .duration(duration))
  }

  private mutating func set(_ setting: DeviceSetting, days: Int64?) -> Bool {
    guard let days, days >= 0, let duration = try? PolicyDuration(days == 0 ? "PT0S" : "P\(days)D") else {
      return false
    }
    return set(setting, .duration(duration))
  }

  private mutating func setNull(_ setting: DeviceSetting) {
    for property in setting.properties { policy[property] = .null }
  }

  private mutating func keep(_ entry: DeviceEntry) {
    guard keptNames.insert(entry.name).inserted else { return }
    policy.keptMembers.append(KeptMember(entry.name, json: entry.value.json.description))
  }

  private mutating func addFinding(_ rule: PolicyRule, _ entry: DeviceEntry, _ message: String, remedy: String) {
    findings.append(
      PolicyFinding(rule, JSONExcerpt.plain(entry.name), at: entry.place, message, remedy: remedy))
  }
}

extension DeviceSetting {
  /// Whether an empty text means that the setting is not configured. For texts and lists, an empty text is a value.
  fileprivate var emptyIsUnset: Bool {
    switch form {
    case .text, .schemes, .links, .models, .deviceOnly: false
    case .flag, .choice, .mask, .number, .minutes, .days, .version, .biometricTimeoutRequired, .biometricTimeout,
      .clockOutGrace:
      true
    }
  }

  fileprivate var isBlockingModels: Bool {
    if case .models(.block) = form { true } else { false }
  }
}
