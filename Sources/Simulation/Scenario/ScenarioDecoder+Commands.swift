import AppProtection
import JSON

extension ScenarioDecoder {
  /// A step that is a command to the engine, by its name in a scenario.
  enum CommandStep: String, CaseIterable {
    case registerAndEnroll, loginAndEnroll, answerLogin, deregisterAndUnenroll, identifyAccount, checkIn
    case acquireToken, removeToken, denyToken, setProcess, setUI, setWindow, setThread, closeWindow
    case closeThread, requestIdentitySwitch, wipe, remediate, allowedAccounts, deviceAccount, settings
    case dismissWarning, postponeRestart, signIns, exclusive, configuration, deviceConfiguration
    case reportDevice, userStatus, evaluateLaunch, cancelLaunch, signIn, setPIN, pinAttempt
    case changeBiometrics, overrides
  }

  /// Reads a step that is a command to the engine.
  mutating func command(_ step: CommandStep, _ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    switch step {
    case .registerAndEnroll: .registerAndEnroll(try optionalAccount(node))
    case .loginAndEnroll: .loginAndEnroll(try optionalAccount(node))
    case .answerLogin: .answerLogin(try optionalAccount(node))
    case .deregisterAndUnenroll: try deregistration(node)
    case .identifyAccount: .identifyAccount(try reference(node))
    case .checkIn: .requestCheckIn(try account(node).reference)
    case .acquireToken: .acquireToken(try account(node).reference)
    case .removeToken: .removeToken(try account(node).reference)
    case .denyToken: try tokenDenial(node)
    case .setProcess: try identity(node, in: .process)
    case .setUI: try identity(node, in: .ui)
    case .setWindow: try identity(node, in: .window(try window(node.required("window"))))
    case .setThread: try identity(node, in: try thread(node.required("thread")))
    case .closeWindow: .closeScope(.window(try window(node)))
    case .closeThread: .closeScope(try thread(node))
    case .requestIdentitySwitch: try identitySwitch(node)
    case .wipe: try wipe(node)
    case .remediate: try remediation(node)
    case .allowedAccounts: try allowedAccounts(node)
    case .deviceAccount: try deviceAccount(node)
    case .settings: try changedSettings(node)
    case .dismissWarning: try dismissal(node)
    case .postponeRestart: .answerRestart(.postponed, postponedMinutes: try minutes(node))
    case .signIns: try signIns(node)
    case .exclusive: try exclusivity(node)
    case .configuration: try configuration(node)
    case .deviceConfiguration: try deviceConfiguration(node)
    case .reportDevice: try deviceReport(node)
    case .userStatus: try userStatus(node)
    case .evaluateLaunch: try launchEvaluation(node)
    case .cancelLaunch: .cancelLaunch(try account(node).reference)
    case .signIn: try launchSignIn(node)
    case .setPIN: try pinChoice(node)
    case .pinAttempt: try pinAttempt(node)
    case .changeBiometrics: try biometricsChange(node)
    case .overrides: .overrideSettings(try overrides(node))
    }
  }

  // MARK: Accounts

  /// An account's name, or `null` if the app names none.
  private func optionalAccount(_ node: JSONNode) throws(JSONError) -> AccountReference? {
    if node.isNull { return nil }
    // An app without an account passes an empty id, and the engine must see it as such.
    if node.value.string == "" { return nil }
    return try account(node).reference
  }

  /// Identifying information about an account.
  private func reference(_ node: JSONNode) throws(JSONError) -> AccountReference {
    try node.expectMembers(["objectID", "upn"])
    return AccountReference(
      objectID: try node.optional("objectID").map { (node) throws(JSONError) in try guid(node) },
      userPrincipalName: try node.optional("upn")?.string())
  }

  private func deregistration(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .deregisterAndUnenroll(try optionalAccount(node), wipe: false) }
    try node.expectMembers(["account", "wipe"])
    return .deregisterAndUnenroll(
      try optionalAccount(node.required("account")), wipe: try node.optional("wipe")?.bool() ?? false)
  }

  private func tokenDenial(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .denyToken(try account(node).reference) }
    try node.expectMembers(["account", "error"])
    return .denyToken(
      try account(node.required("account")).reference,
      error: try node.optional("error")?.integer() ?? TokenDenied.protectionRequired)
  }

  private func wipe(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .requestWipe(try account(node).reference, .appRequest, .app) }
    try node.expectMembers(["account", "reason", "origin"])
    let reason = try node.optional("reason")
    return .requestWipe(
      try account(node.required("account")).reference,
      try reason.map { (node) throws(JSONError) in WipeReason(rawValue: try node.integer()) } ?? .appRequest,
      try node.optional("origin")?.member() ?? .app)
  }

  private func remediation(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .remediateCompliance(try optionalAccount(node), isSilent: false) }
    try node.expectMembers(["account", "isSilent"])
    return .remediateCompliance(
      try optionalAccount(node.required("account")), isSilent: try node.optional("isSilent")?.bool() ?? false)
  }

  private func allowedAccounts(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    node.isNull ? .setAllowedAccounts(nil) : .setAllowedAccounts(try references(node))
  }

  private func signIns(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .reportSignIns(try references(node)) }
    try node.expectMembers(["accounts", "workOrSchool"])
    func listed(_ member: String) throws(JSONError) -> [AccountReference] {
      guard let list = try node.optional(member) else { return [] }
      return try references(list)
    }
    return .reportSignIns(try listed("accounts"), workOrSchool: try listed("workOrSchool"))
  }

  private func references(_ node: JSONNode) throws(JSONError) -> [AccountReference] {
    var references: [AccountReference] = []
    for element in try node.elements() { references.append(try account(element).reference) }
    return references
  }

  private func deviceAccount(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .setDeviceAccount(try optionalAccount(node)) }
    try node.expectMembers(["account", "source"])
    return .setDeviceAccount(
      try account(node.required("account")).reference, source: try node.optional("source")?.member() ?? .mdm)
  }

  private func overrides(_ node: JSONNode) throws(JSONError) -> TokenLibraryOverrides {
    var overrides = TokenLibraryOverrides()
    if node.isNull { return overrides }
    try node.expectMembers(TokenLibraryOverrides.Name.allCases.map(\.rawValue))
    for name in TokenLibraryOverrides.Name.allCases {
      guard let value = try node.optional(name.rawValue), !value.isNull else { continue }
      overrides[name] = try value.string()
    }
    return overrides
  }

  // MARK: Identity

  /// An identity as written in a step: an account's name, `""` for explicitly no account, `null` for unset.
  private func target(_ node: JSONNode) throws(JSONError) -> TargetIdentity {
    if node.isNull { return .unset }
    if node.value.string == "" { return .unmanaged }
    return .account(try account(node).reference)
  }

  private func identity(_ node: JSONNode, in scope: IdentityScope) throws(JSONError) -> AppProtectionCommand {
    guard node.value.object != nil else { return .setIdentity(scope, try target(node), outcome: .success) }
    let place: [String] =
      switch scope {
      case .process, .ui: []
      case .window: ["window"]
      case .thread: ["thread"]
      }
    try node.expectMembers(place + ["identity", "outcome"])
    let outcome = try node.optional("outcome")
    // Without an outcome, later steps answer what the launch conditions ask.
    if let outcome, outcome.isNull { return .setIdentity(scope, try target(node.required("identity"))) }
    return .setIdentity(
      scope, try target(node.required("identity")), outcome: try outcome?.member() ?? .success)
  }

  private func identitySwitch(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers(["window", "thread", "identity", "reason"])
    let scope: IdentityScope =
      if let number = try node.optional("window") {
        .window(try window(number))
      } else if let label = try node.optional("thread") {
        try thread(label)
      } else {
        .ui
      }
    return .requestIdentitySwitch(
      scope, try target(node.required("identity")), try node.required("reason").member())
  }

  private func window(_ node: JSONNode) throws(JSONError) -> UInt32 {
    try node.integer(in: 1...UInt32.max)
  }

  func thread(_ node: JSONNode) throws(JSONError) -> IdentityScope {
    let scope = IdentityScope.thread(try node.string())
    guard scope.isValid else {
      throw node.error(
        .invalidValue, "this is not a valid thread label",
        remedy: "write 1 to \(IdentityScope.maximumLabelLength) letters, digits, points, - or _")
    }
    return scope
  }

  // MARK: The process

  /// Settings not named keep their values, so each step builds on the one before.
  private mutating func changedSettings(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers(Self.settingNames)
    var changed = settings
    try read(settings: &changed, from: node)
    settings = changed
    return .changeSettings(changed)
  }

  private func dismissal(_ node: JSONNode) throws(JSONError) -> AppProtectionCommand {
    try node.expectMembers([])
    return .acknowledgeMissingPolicy
  }

  func minutes(_ node: JSONNode) throws(JSONError) -> UInt32 {
    let (minutes, rest) = try duration(node).quotientAndRemainder(dividingBy: 60_000_000_000)
    guard rest == 0, (1...1_440).contains(minutes) else {
      throw node.error(
        .outOfRange, "a restart can be postponed by whole minutes, from one minute to one day",
        remedy: "write a length such as \"PT10M\"")
    }
    return UInt32(minutes)
  }
}
