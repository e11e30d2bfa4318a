import AppProtection
import JSON

extension ScenarioDecoder {
  /// The members that describe what the app finds out about the device.
  static let deviceFactNames = [
    "isJailbroken", "hasPasscode", "isManaged", "biometry", "threatDefense", "threatLevel", "isKeychainUnreadable",
    "isPolicyVersionUnknown", "defender", "defenderThreatLevel",
  ]

  /// Overwrites the facts named in `node`; `null` resets a fact to unknown.
  func read(facts: inout DeviceFacts, from node: JSONNode) throws(JSONError) {
    func flag(_ name: String, _ fact: inout Bool?) throws(JSONError) {
      if let value = try node.optional(name) { fact = value.isNull ? nil : try value.bool() }
    }
    try flag("isJailbroken", &facts.isJailbroken)
    try flag("hasPasscode", &facts.hasPasscode)
    try flag("isManaged", &facts.isManaged)
    if let biometry = try node.optional("biometry") { facts.biometry = try biometry.member() }
    if let state = try node.optional("threatDefense") { facts.threatDefense = try state.member() }
    if let level = try node.optional("threatLevel") { facts.threatLevel = try level.member() }
    if let flag = try node.optional("isKeychainUnreadable") { facts.isKeychainUnreadable = try flag.bool() }
    if let flag = try node.optional("isPolicyVersionUnknown") { facts.isPolicyVersionUnknown = try flag.bool() }
    if let state = try node.optional("defender") { facts.defender = try state.member() }
    if let level = try node.optional("defenderThreatLevel") { facts.defenderThreatLevel = try level.member() }
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
