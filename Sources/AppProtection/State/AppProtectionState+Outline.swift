import EventSourcing

extension AppProtectionState {
  /// Placeholder names in the ``outline``.
  public enum OutlineName: String, CaseIterable, Sendable {
    /// Any account.
    case account = "a1"
    /// Any number: of a window, of a place in a list.
    case number = "1"
    /// Any name that the app or the service chose.
    case name = "NAME"
    /// Any scope of an identity, with a dot for its slash.
    case scope = "threads.NAME"
  }

  /// Every path a state can have: the tree of a state with one of everything.
  public static let outline = sample.tree()

  private static var sample: AppProtectionState {
    let account = AccountNumber.first
    let name = OutlineName.name.rawValue
    let values = [ConfigurationValue(name, "")]
    var state = AppProtectionState()
    state.process.restart = PendingRestart(reason: .firstPolicy, account: account, requestedBy: 1)
    state.accounts.set(Account(account))
    state.policies.set(
      PolicyRecord(account: account, document: samplePolicy, version: 1, receivedBy: 1, isEnforced: true))
    let scope = IdentityScope.thread(name)
    for scope in [scope, .window(1)] { state.identities.set(scope, to: .unmanaged) }
    state.identities.requests = [
      IdentitySwitchRequest(scope: scope, identity: .unmanaged, reason: .openURL, requestedBy: 1)
    ]
    state.wipes.set(WipeRecord(account: account, reason: .unspecified, origin: .service, requestedBy: 1))
    state.compliance.accounts.set(RemediationRecord(account: account))
    state.compliance.untold = [UntoldRemediation(account, .compliant, finishedBy: 1)]
    var device = DeviceConfiguration()
    device.values = values
    state.configuration.device = device
    state.configuration.accounts.set(
      ConfigurationRecord(account: account, entries: [ConfigurationEntry(values)], receivedBy: 1))
    state.launch.accounts.set(LaunchRecord(account: account))
    return state
  }

  /// A document that sets every setting.
  private static var samplePolicy: PolicyDocument {
    let name = OutlineName.name.rawValue
    var app = PolicyApp()
    (app.id, app.bundleID, app.version) = (name, "", "")
    var assignment = PolicyAssignment()
    (assignment.id, assignment.targetTypeName, assignment.groupID) = (name, "", "")
    (assignment.filterID, assignment.filterType) = ("", "")
    var document = PolicyDocument()
    document.keptMembers = [KeptMember(name, json: "null")]
    for property in PolicyProperty.all {
      document[property] =
        switch property.kind {
        case .pairs: .value(.pairs([PolicyPair(name, nil)]))
        case .apps: .value(.apps([app]))
        case .assignments: .value(.assignments([assignment]))
        case .text, .flag, .number, .duration, .date, .choice, .choices, .flags, .texts: .null
        }
    }
    return document
  }
}
