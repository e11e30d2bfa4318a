import AppProtection
import EventSourcing
import JSON

extension ScenarioDecoder {
  /// The members that describe what the app finds out about the device.
  static let deviceFactNames = [
    "isJailbroken", "hasPasscode", "isManaged", "biometry", "threatDefense", "threatLevel", "isKeychainUnreadable",
    "isPolicyVersionUnknown", "defender", "defenderThreatLevel",
  ]

  /// Overwrites the facts named in `node`; `null` resets a fact to unknown.
  func read(facts: inout DeviceFacts, from node: JSONNode) throws(JSONError) {
    let unknown = DeviceFacts()
    func read<Value>(
      _ name: String, _ fact: WritableKeyPath<DeviceFacts, Value>, _ value: (JSONNode) throws(JSONError) -> Value
    ) throws(JSONError) {
      guard let node = try node.optional(name) else { return }
      facts[keyPath: fact] = node.isNull ? unknown[keyPath: fact] : try value(node)
    }
    func flag(_ node: JSONNode) throws(JSONError) -> Bool { try node.bool() }
    func member<Choice: WireEnumeration>(_ node: JSONNode) throws(JSONError) -> Choice { try node.member() }
    try read("isJailbroken", \.isJailbroken, flag)
    try read("hasPasscode", \.hasPasscode, flag)
    try read("isManaged", \.isManaged, flag)
    try read("biometry", \.biometry, member)
    try read("threatDefense", \.threatDefense, member)
    try read("threatLevel", \.threatLevel, member)
    try read("isKeychainUnreadable", \.isKeychainUnreadable, flag)
    try read("isPolicyVersionUnknown", \.isPolicyVersionUnknown, flag)
    try read("defender", \.defender, member)
    try read("defenderThreatLevel", \.defenderThreatLevel, member)
  }

  /// The members of `app` that decide about data and that no event records.
  static let protectionSettingNames = ["maxFileProtectionLevel", "treatAllWebViewsAsUnmanaged"]

  func protectionSettings(_ node: JSONNode) throws(JSONError) -> ProtectionSettings {
    var settings = ProtectionSettings()
    if let level = try node.optional("maxFileProtectionLevel") {
      let levels = FileProtectionClass.allCases.filter { $0 != .deviceSettings }
      settings.maximumFileProtection = FileProtectionClass(name: try level.name(from: levels.map(\.name)))
    }
    if let flag = try node.optional("treatAllWebViewsAsUnmanaged") {
      settings.treatsAllWebViewsAsUnmanaged = try flag.bool()
    }
    return settings
  }

  // MARK: Steps

  mutating func deviceReport(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    // Facts not named keep their values, so each step builds on the one before.
    try node.expectMembers(Self.deviceFactNames)
    try read(facts: &facts, from: node)
    return .reportDevice(facts)
  }

  func userStatus(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers(["account", "clockStatus", "isDisabled"])
    return .reportUserStatus(
      try account(node.required("account")).reference, try node.optional("clockStatus")?.member() ?? .notConfigured,
      isDisabled: try node.optional("isDisabled")?.bool() ?? false)
  }

  func launchEvaluation(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .evaluateLaunch(try account(node).reference, .resume) }
    try node.expectMembers(["account", "trigger"])
    return .evaluateLaunch(
      try account(node.required("account")).reference, try node.optional("trigger")?.member() ?? .resume)
  }

  func launchSignIn(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else {
      let reference = try account(node).reference
      return .signInForLaunch(reference, as: reference)
    }
    try node.expectMembers(["account", "as"])
    return .signInForLaunch(
      try account(node.required("account")).reference, as: try account(node.required("as")).reference)
  }

  func pinChoice(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers(["account", "pin", "equalTo"])
    // The scenario contains the PIN; the journal does not.
    return .setPIN(
      try account(node.required("account")).reference, PINFacts(of: try node.required("pin").string()),
      equalTo: try node.optional("equalTo")?.integer(in: 1...1_000))
  }

  func pinAttempt(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers(["account", "isRight", "byBiometrics"])
    return .reportPINAttempt(
      try account(node.required("account")).reference, isRight: try node.required("isRight").bool(),
      byBiometrics: try node.optional("byBiometrics")?.bool() ?? false)
  }

  func biometricsChange(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers([])
    return .reportBiometricsChange
  }
}
