import AppProtection
import EventSourcing

/// What can happen to a device and its accounts, folded into a copy of the state.
struct FactChanges {
  let state: AppProtectionState
  let moment: Moment
  /// The paths that the rules read.
  let reads: Set<String>

  private typealias Change = PossibleChange<AppProtectionState>

  /// The state after events that happen now.
  private func state(after events: [AppProtectionEvent]) -> AppProtectionState {
    var state = state
    for event in events {
      AppProtectionMachine.reduce(into: &state, event, EventContext(sequence: .max, moment: moment))
    }
    return state
  }

  private func read(_ path: String) -> Bool { reads.contains(path) }

  // MARK: The device and the app

  /// Changes of the device, of the versions on it, and of the app.
  var device: [PossibleChange<AppProtectionState>] {
    var changes: [Change] = []
    if read("/process/osVersion") {
      changes += versions([.minimumRequiredOsVersion, .minimumWarningOsVersion, .minimumWipeOsVersion]).map { version in
        Change(.fact, of: "os", "update the operating system to \(version)", state(with: { $0.osVersion = version }))
      }
    }
    if read("/process/appVersion") {
      changes += versions([.minimumRequiredAppVersion, .minimumWarningAppVersion, .minimumWipeAppVersion]).map {
        version in
        Change(.fact, of: "app", "update the app to \(version)", state(with: { $0.appVersion = version }))
      }
    }
    if read("/process/sdkVersion") {
      changes += versions([.minimumRequiredSdkVersion, .minimumWarningSdkVersion, .minimumWipeSdkVersion]).map {
        version in
        Change(
          .fact, of: "sdk", "build the app with version \(version) of the SDK", state(with: { $0.sdkVersion = version })
        )
      }
    }
    changes += facts
    if read("/settings/multiIdentity") {
      changes.append(
        Change(
          .fact, of: "multiIdentity", "set MultiIdentity to \(!state.settings.app.multiIdentity) in the app's settings",
          changed { $0.settings.app.multiIdentity.toggle() }))
    }
    return changes
  }

  /// The versions that policies ask for, the highest first, without those that are too low to matter.
  private func versions(_ properties: [PolicyProperty]) -> [String] {
    var versions: [String] = []
    for record in state.policies.records {
      for property in properties {
        if case .value(.text(let version)) = record.document[property], !PolicyVersionNumber.isUnset(version),
          !versions.contains(version)
        {
          versions.append(version)
        }
      }
    }
    return versions
  }

  private func state(with change: (inout ProcessSlice) -> Void) -> AppProtectionState {
    changed { change(&$0.process) }
  }

  private func changed(_ change: (inout AppProtectionState) -> Void) -> AppProtectionState {
    var state = state
    change(&state)
    return state
  }

  private var facts: [Change] {
    func fact(_ path: String, _ text: String, _ change: (inout DeviceFacts) -> Void) -> Change? {
      guard read("/launch/device/\(path)") else { return nil }
      var facts = state.launch.device
      change(&facts)
      guard facts != state.launch.device else { return nil }
      return Change(.fact, of: path, text, state(after: [.deviceReported(.with { $0.facts = facts })]))
    }
    return [
      fact("isJailbroken", "use a device that is not jailbroken") { $0.isJailbroken = false },
      fact("hasPasscode", "set a passcode on the device") { $0.hasPasscode = true },
      fact("isKeychainUnreadable", "unlock the device, so that the keychain can be read") {
        $0.isKeychainUnreadable = false
      },
      fact("isPolicyVersionUnknown", "update the SDK, which does not understand the policy") {
        $0.isPolicyVersionUnknown = false
      },
      fact("threatDefense", "activate threat defense on the device") {
        ($0.threatDefense, $0.threatLevel) = (.active, .secured)
      },
      fact("threatLevel", "remove the threats that threat defense names") { $0.threatLevel = .secured },
    ].compactMap { $0 }
  }

  // MARK: Accounts

  /// What the user of an account can do on the spot.
  func doing(by account: AccountNumber) -> [PossibleChange<AppProtectionState>] {
    guard state.accounts[account] != nil else { return [] }
    var changes: [Change] = []
    if state.policies[account]?.isEnforced == false {
      changes.append(
        Change(
          .fact, of: "\(account) restart", "restart the app, so that \(account)'s policy applies",
          changed { state in state.policies.update(account) { $0.isEnforced = true } }))
    }
    guard state.policies[account] != nil else { return changes }
    changes += [
      Change(
        .fact, of: "\(account) PIN", "let \(account) enter its PIN",
        state(after: [.pinVerified(.with { $0.account = account })])),
      Change(
        .fact, of: "\(account) signIn", "let \(account) sign in",
        state(after: [.launchSignedIn(.with { $0.account = account })])),
    ]
    guard reads.contains(where: { $0.hasPrefix("/launch/pin/") }) else { return changes }
    // Only what the launch conditions ask for: another PIN would answer a question for the one that is there, too.
    switch (state.conditionalLaunch(for: account, at: moment).outcome, state.launch.device.biometry) {
    case (.promptNewPIN, _), (.resetPIN, _):
      changes.append(
        Change(
          .fact, of: "\(account) new PIN",
          "choose \(state.launch.pin.setAt == nil ? "a" : "another") PIN that the policy accepts",
          state(after: [.pinSet(.with { $0.facts = acceptedPIN })])))
    case (.promptPIN, .fingerprint), (.promptBiometrics, .fingerprint): changes.append(use("Touch ID", by: account))
    case (.promptPIN, .face), (.promptBiometrics, .face): changes.append(use("Face ID", by: account))
    default: break
    }
    return changes
  }

  private func use(_ biometry: String, by account: AccountNumber) -> Change {
    Change(
      .fact, of: "\(account) biometrics", "let \(account) use \(biometry)",
      state(after: [.pinVerified(.with { ($0.account, $0.byBiometrics) = (account, true) })]))
  }

  /// A PIN that every policy accepts: as long as the longest must be, and of every kind of characters that one asks for.
  private var acceptedPIN: PINFacts {
    let documents = state.policies.records.map(\.document)
    let isNumeric = documents.allSatisfy { ($0.access.pinCharacterSet ?? .numeric) == .numeric }
    var facts = PINFacts()
    facts.length = UInt32(clamping: max(6, documents.compactMap(\.access.minimumPinLength).max() ?? 0))
    (facts.hasDigit, facts.hasLetter, facts.hasSymbol) = (true, !isNumeric, !isNumeric)
    return facts
  }

  /// What else can happen to an account, with its policy's end last.
  func happening(to account: AccountNumber) -> [PossibleChange<AppProtectionState>] {
    guard let record = state.accounts[account] else { return [] }
    var changes: [Change] = []
    if record.enrollment.status.isEnrolled {
      changes.append(
        Change(
          .fact, of: "\(account) checkIn", "let \(account) check in with the service",
          state(after: [
            .checkInUnchanged(.with { ($0.account, $0.code) = (account, .policiesHaveNotChanged) })
          ])))
    }
    if state.policies[account] != nil {
      changes.append(
        Change(
          .fact, of: "\(account) target", "let no policy target \(account)",
          state(after: [.policyWithdrawn(.with { ($0.account, $0.reason) = (account, .untargeted) })])))
    } else {
      changes.append(
        Change(
          .fact, of: "\(account) target", "enroll \(account), and let a policy target it", enrolled(account)))
    }
    return changes
  }

  /// The state in which an account has a policy that sets nothing.
  private func enrolled(_ account: AccountNumber) -> AppProtectionState {
    changed { state in
      state.accounts.update(account) { $0.enrollment.status = .enrolledWithPolicy }
      state.policies.set(
        PolicyRecord(account: account, document: PolicyDocument(), version: 1, receivedBy: 0, isEnforced: true))
    }
  }
}
