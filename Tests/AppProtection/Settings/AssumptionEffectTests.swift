import Expectations
import EventSourcing
import Testing

@testable import AppProtection

/// Each assumption is switched, and an answer of the product changes with it.
@Suite("Every assumption decides something")
struct AssumptionEffectTests {
  /// A choice, and an answer under each of two values of it.
  struct Effect: Sendable, CustomTestStringConvertible {
    let choice: String
    let values: [@Sendable (inout Assumptions) -> Void]
    let answers: [String]
    let ask: @Sendable (Assumptions) throws -> String

    var testDescription: String { choice }

    /// Of a choice that is answered by yes or no.
    init(
      _ choice: String, yes: String, no: String, _ ask: @escaping @Sendable (Assumptions) throws -> String
    ) {
      self.choice = choice
      let number = Assumptions.descriptor.fields.first { $0.name == choice }?.number ?? 0
      values = [{ _ = $0.set(number, to: 1) }, { _ = $0.set(number, to: 0) }]
      answers = [yes, no]
      self.ask = ask
    }

    /// Of a choice among several values: the answer by default, and under another one.
    init(
      _ choice: String, _ standard: String, _ other: String, _ change: @escaping @Sendable (inout Assumptions) -> Void,
      _ ask: @escaping @Sendable (Assumptions) throws -> String
    ) {
      (self.choice, self.ask) = (choice, ask)
      (values, answers) = ([{ _ in }, change], [standard, other])
    }
  }

  /// Decided by the services, whose tests switch them.
  private static let ofServices: Set = ["remediationWithoutToken", "remediationOfUnknownOutcome"]
  /// Read by `ThreadIdentities` alone, a model of threads. In an app, the language decides what a task inherits.
  private static let ofTheModel: Set = ["childTasksInheritIdentity", "detachedTasksInheritIdentity"]

  @Test("It changes the answer that the table names", arguments: effects)
  func effect(_ effect: Effect) throws {
    for (value, answer) in zip(effect.values, effect.answers) {
      var assumptions = Assumptions()
      value(&assumptions)
      try expectEqual(effect.ask(assumptions), answer)
    }
    #expect(effect.answers[0] != effect.answers[1])
  }

  @Test("The table has every assumption that the rules read, once")
  func completeness() {
    let all = Assumptions.descriptor.fields.map(\.name)
    expectEqual(
      Self.effects.map(\.choice).sorted(), Set(all).subtracting(Self.ofServices).subtracting(Self.ofTheModel).sorted())
    #expect(Self.ofServices.union(Self.ofTheModel).isSubset(of: all))
  }

  static let effects = ofAccounts + ofTheRest + ofLaunch + ofTransfers + ofProtection

  // MARK: Situations

  private static let owner = ProtectionSituation.owner
  private static let personal = ProtectionSituation.personal
  private static let colleague = ProtectionSituation.colleague

  private static func app(
    _ assumptions: Assumptions, _ configure: (inout AppSettings) -> Void = { _ in }
  ) throws -> TestApp {
    try TestApp {
      $0.assumptions = assumptions
      configure(&$0)
    }
  }

  /// Alice is managed, and her policy in force.
  private static func managed(
    _ assumptions: Assumptions, _ configure: (inout AppSettings) -> Void = { _ in }
  ) throws -> TestApp {
    var app = try app(assumptions, configure)
    try app.enroll(.a)
    try app.restart()
    _ = app.takeCallbacks()
    return app
  }

  /// The same, by a policy with launch conditions.
  private static func launched(
    _ assumptions: Assumptions, _ configure: (inout PolicyDocument) throws -> Void
  ) throws -> TestApp {
    try LaunchSituation.managed(
      settings: {
        $0.multiIdentity = true
        $0.assumptions = assumptions
      }, configure)
  }

  private static func state(_ assumptions: Assumptions, _ situation: ProtectionSituation) -> AppProtectionState {
    var situation = situation
    situation.assumptions = assumptions
    return situation.state()
  }

  private static func word<Outcome>(_ decision: Decision<Outcome>) -> String { "\(decision.outcome)" }

  private static func saving(
    _ assumptions: Assumptions, _ location: SaveLocation, as account: AccountNumber?,
    _ change: (inout PolicyDocument.DataTransfer) -> Void = { _ in }
  ) -> String {
    var situation = SaveToTests.level2
    situation.assumptions = assumptions
    change(&situation.policy)
    return SaveToTests.save(situation, to: location, as: account).isAllowed ? "allowed" : "refused"
  }

  // MARK: The table

  private static let ofAccounts: [Effect] = [
    Effect("organizationRule", "identity.switchRefused", "identity.switched", { $0.organizationRule = .never }) {
      var app = try managed($0) { $0.multiIdentity = true }
      return try app.run(.setIdentity(.ui, .account(.colleague))).last ?? ""
    },
    Effect("unreachableUnenrollment", "removed", "unenrolling", { $0.unreachableUnenrollment = .waitForToken }) {
      var app = try managed($0)
      try app.run(.removeToken(.a), .deregisterAndUnenroll(.a, wipe: true), .answerWipe(.a, removedEverything: true))
      try app.run(.answerUnenrollment(.a, failure: .init(.authRequired)))
      return app.status(1)?.name ?? ""
    },
    Effect(
      "refusedAccountCode", "enrollmentRequest a2 227", "enrollmentRequest a2 299",
      { $0.refusedAccountCode = EnrollmentStatusCode(rawValue: 299) }
    ) {
      var app = try managed($0) { $0.multiIdentity = true }
      try app.run(.registerAndEnroll(namesake))
      return app.takeCallbacks().first { $0.hasPrefix("enrollmentRequest") } ?? ""
    },
    Effect("namesakeRule", "enrollment.failed", "enrollment.requested", { $0.namesakeRule = .askWhichToKeep }) {
      var app = try managed($0) { $0.multiIdentity = true }
      return try app.run(.registerAndEnroll(namesake)).first { $0 != "enrollment.conflictDetected" && isOutcome($0) }
        ?? ""
    },
    Effect("firstPolicyScope", "true", "false", { $0.firstPolicyScope = .account }) {
      var app = try managed($0) {
        $0.multiIdentity = true
        $0.maximumManagedAccounts = 2
      }
      try app.enroll(.b)
      return "\(app.state.policies[.a2]?.isEnforced == true)"
    },
    Effect("launchEnrollmentNeedsNoRestart", yes: "true", no: "false") {
      var app = try app($0) {
        $0.autoEnrollOnLaunch = true
        $0.policyRequired = true
      }
      try app.enroll(.a)
      return "\(app.state.policies[.a1]?.isEnforced == true)"
    },
    Effect(
      "reenrollmentRefusal", "enrollmentRequest a1 221", "enrollmentRequest a1 220",
      { $0.reenrollmentRefusal = .firstAttempt }
    ) {
      var app = try AssumptionTests.lost($0.reenrollmentRefusal)
      return app.takeCallbacks().first ?? ""
    },
    Effect("backoffSequence", "1", "60", { $0.backoffSequence = .capAtOnce }) {
      var app = try app($0)
      try app.enroll(.a, .failure(.init(.timeout)))
      return try app.enrollment(.a1).nextRetry.map { "\(($0 - app.now) / TestApp.minute)" } ?? ""
    },
    Effect(
      "unlistedAccountCode", "enrollmentRequest a1 209", "enrollmentRequest a1 211",
      { $0.unlistedAccountCode = .notDeviceAccount }
    ) {
      var app = try app($0)
      try app.enroll(.a, .failure(.init(.authRequired)))
      try app.run(.setAllowedAccounts([.b]))
      _ = app.takeCallbacks()
      try app.run(.acquireToken(.a))
      return app.takeCallbacks().first ?? ""
    },
    Effect("unknownCodeRule", "repeated", "left", { $0.unknownCodeRule = .never }) {
      var app = try app($0)
      try app.enroll(.a, .failure(.init(EnrollmentStatusCode(rawValue: 228))))
      return try app.enrollment(.a1).nextRetry == nil ? "left" : "repeated"
    },
    Effect(
      "serviceCodeCallback", "policyRequest a1 226", "enrollmentRequest a1 226",
      { $0.serviceCodeCallback = .enrollment }
    ) {
      var app = try managed($0)
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.deviceBlockedEnrollment))))
      return app.takeCallbacks().first ?? ""
    },
    Effect("singleIdentityMayChange", yes: "identity.switched", no: "identity.switchRefused") {
      var app = try managed($0)
      return try app.run(.setIdentity(.ui, .unmanaged)).first ?? ""
    },
  ]

  private static var namesake: AccountReference {
    AccountReference(objectID: AccountReference.b.objectID, userPrincipalName: "A@CONTOSO.com")
  }

  private static func isOutcome(_ event: String) -> Bool { event.hasPrefix("enrollment.") }

  private static let ofTheRest: [Effect] = [
    Effect("restartAfterWipe", "conditionalLaunchWipe", "none", { $0.restartAfterWipe = .never }) {
      var app = try managed($0)
      try app.run(.requestWipe(.a, .offlineInterval, .engine), .answerWipe(.a, removedEverything: true))
      return app.state.process.restart?.reason.name ?? "none"
    },
    Effect("unpublishedWipeReason", "1", "0", { $0.unpublishedWipeReason = .unspecified }) {
      var app = try managed($0)
      try app.run(.requestWipe(.a, .administrator, .service))
      return app.state.wipeNotice(for: .a1).map { "\($0.reason)" } ?? ""
    },
    Effect("queuedRemediationIsInProgress", yes: "true", no: "false") { assumptions in
      "\(try RemediationAssumptionTests.queued { $0 = assumptions }.state.remediationInProgress(.a2))"
    },
    Effect("queuedRemediationSurvivesRestart", yes: "2", no: "1") { assumptions in
      var app = try RemediationAssumptionTests.queued { $0 = assumptions }
      try app.restart()
      return "\(app.state.compliance.queue.count)"
    },
    Effect("copiedFilesKeepOwner", yes: "a1", no: "a2") {
      var files = FileOwners(assumptions: $0)
      files.open("f", .create, as: .account(.a1))
      _ = files.copy("f", to: "g", as: .account(.a2))
      return files["g"]?.account?.description ?? ""
    },
    Effect("protectionConflictRefuses", yes: "a1", no: "a2") {
      var files = FileOwners(assumptions: $0)
      files.open("f", .create, as: .account(.a1))
      _ = files.verifyAndProtect("f", as: .account(.a2))
      return files["f"]?.account?.description ?? ""
    },
    Effect("configurationTextConverts", yes: "true", no: "nil") {
      var app = try managed($0)
      try app.run(.deliverConfiguration(.a, [ConfigurationEntry([ConfigurationValue("k", "true")])]))
      return app.state.appConfiguration(for: .a1).bool("k").map { "\($0)" } ?? "nil"
    },
    Effect("policySourceRule", "mdm", "other", { $0.policySourceRule = .service }) {
      var app = try app($0)
      try app.run(.setDeviceConfiguration(ConfigurationDeliveryTests.managed))
      return app.state.policySource.name
    },
  ]

  private static let ofLaunch: [Effect] = [
    Effect("launchOrder", "jailbreak", "appVersion", { $0.launchOrder = .versionsFirst }) { assumptions in
      let breaches = LaunchPrecedenceTests.breaches.filter {
        [LaunchFinding(.jailbreak, .block), LaunchFinding(.appVersion, .block)].contains($0.finding)
      }
      return "\(try LaunchPrecedenceTests.decision(breaches, order: assumptions.launchOrder).rule)"
    },
    Effect("wipeVersionInclusive", yes: "wipe", no: "allowed") {
      "\(try LaunchSituation.outcome(launched($0) { $0.conditionalLaunch.minimumWipeOsVersion = "17.5" }))"
    },
    Effect("unreportedFactsPass", yes: "allowed", no: "block") {
      var app = try launched($0) { $0.conditionalLaunch.minimumRequiredOsVersion = "1.0" }
      try LaunchSituation.restart(&app) { $0.osVersion = "" }
      return "\(try LaunchSituation.outcome(app))"
    },
    Effect("uncertainClockStatusCountsAsOut", yes: "block", no: "allowed") {
      var app = try launched($0) {
        $0.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = try PolicyDuration("PT0S")
        $0.conditionalLaunch.appActionIfAccountIsClockedOut = .block
      }
      try app.run(.reportUserStatus(.a, .unknown, isDisabled: false))
      return "\(try LaunchSituation.outcome(app))"
    },
    Effect("encryptionNeedsDevicePasscode", yes: "block", no: "allowed") {
      var app = try launched($0) { $0.encryption.appDataEncryptionType = .whenDeviceLocked }
      try app.report { $0.hasPasscode = false }
      return "\(try LaunchSituation.outcome(app))"
    },
    Effect("policyChangeNeedsNewPIN", yes: "pinQuality", no: "met") {
      var app = try launched($0) { $0.access.pinRequired = true }
      try app.run(.setPIN(.a, PINFacts(of: "2580")))
      var policy = TestApp.policy()
      (policy.access.pinRequired, policy.access.minimumPinLength) = (true, 6)
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(policy)))
      return "\(try LaunchSituation.decision(app).rule)"
    },
    Effect("recheckRunsFromLastOpening", yes: "allowed", no: "promptPIN") {
      var app = try launched($0) {
        $0.access.pinRequired = true
        $0.access.periodOnlineBeforeAccessCheck = try PolicyDuration("PT10M")
      }
      try app.run(.setPIN(.a, PINFacts(of: "2580")))
      app.now += 9 * TestApp.minute
      try app.run(.evaluateLaunch(.a, .launch))
      app.now += 9 * TestApp.minute
      return "\(try LaunchSituation.outcome(app))"
    },
    Effect("failedCheckInEndsOfflineStay", yes: "wipe.requested", no: "checkIn.failed") { assumptions in
      var app = try LaunchFlowTests.lapsed { $0.assumptions = assumptions }
      try app.run(.signInForLaunch(.a, as: .a))
      return try app.run(.answerCheckIn(.a, .failure(.init(.timeout)))).last ?? ""
    },
    Effect("unmetConditionsLeaveScreen", yes: "identity.switchRequested", no: "launch.canceled") {
      var app = try launched($0) { $0.access.organizationalCredentialsRequired = true }
      try app.run(.evaluateLaunch(.a, .launch), .signInForLaunch(.a, as: .a), .setIdentity(.ui, .account(.a)))
      app.now += TestApp.day
      try app.run(.evaluateLaunch(.a, .launch))
      return try app.run(.cancelLaunch(.a)).last ?? ""
    },
    Effect("oldSDKCountsAnyAnswer", yes: "open", no: "blocked") { assumptions in
      var app = try OfflineIntervalTests.managed()
      var settings = app.state.settings.app
      settings.assumptions = assumptions
      try app.run(.changeSettings(settings))
      try LaunchSituation.restart(&app) { $0.sdkVersion = "16.1.0" }
      app.now += 11 * TestApp.hour
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .failure(.init(.licensedNotTargeted))))
      app.now += 11 * TestApp.hour
      return "\(OfflineIntervalTests.outcome(app))"
    },
  ]

  private static let ofTransfers: [Effect] = [
    Effect("saveAllowCoversForeignLocations", yes: "allowed", no: "refused") {
      saving($0, .oneDriveForBusiness, as: TransferSituation.personal) { $0.saveAsBlocked = false }
    },
    Effect("listedLocationNeedsOwnerAccount", yes: "refused", no: "allowed") {
      saving($0, .oneDriveForBusiness, as: TransferSituation.personal)
    },
    Effect("listedLocalDriveNeedsOwnerAccount", yes: "refused", no: "allowed") {
      saving($0, .localDrive, as: nil) { $0.allowedDataStorageLocations = [.localStorage] }
    },
    Effect("accountDocumentStaysInAccount", yes: "allowed", no: "refused") {
      saving($0, .accountDocument, as: TransferSituation.owner)
    },
    Effect("openAllowCoversForeignLocations", yes: "allowed", no: "refused") {
      let situation = ProtectionSituation { $0.dataTransfer.allowedInboundDataTransferSources = .managedApps }
      let decision = state($0, situation).openFrom(.oneDriveForBusiness, account: personal, receiver: owner)
      return decision.isAllowed ? "allowed" : "refused"
    },
    Effect("absentExemptionsMeanDefaults", yes: "url.4", no: "url.6") {
      state($0, LinkTests.sending(.managedApps)).url("skype:x", for: owner).rule
    },
    Effect("exemptSchemesNeedManagedSending", yes: "false", no: "true") {
      let situation = LinkTests.sending(.noApps) {
        $0.dataTransfer.exemptedAppProtocols = [PolicyPair("Default", "skype")]
      }
      return "\(state($0, situation).url("skype:x", for: owner).isAllowed)"
    },
    Effect("webLinksFollowBrowserRule", yes: "true", no: "false") {
      "\(state($0, LinkTests.sending(.noApps)).url("https://x/", for: owner).isAllowed)"
    },
    Effect("universalLinksFollowBrowserRule", yes: "true", no: "false") {
      "\(state($0, LinkTests.sending(.managedApps)).universalLink("https://other.example", for: owner).isAllowed)"
    },
    Effect("osSharingNeedsManagedInstallation", yes: "managedInstallationNeeded", no: "allowed") {
      var situation = ProtectionSituation.level2
      situation.policy.dataTransfer.disableProtectionOfManagedOutboundOpenInData = true
      situation.deviceAccount = owner
      return state($0, situation).receive(from: .managedApp(owner), as: owner, isInstalledByManagement: false).outcome
        .name
    },
    Effect("unknownSendersAreRefused", yes: "senderNotManaged", no: "allowed") {
      state($0, .level2).receive(from: .managedApp(nil), as: owner).outcome.name
    },
    Effect("otherAppsHaveSamePolicy", yes: "transfer.send.3", no: "transfer.receive.3") {
      var situation = ProtectionSituation.level2
      situation.policy.dataTransfer.allowedInboundDataTransferSources = .managedApps
      return state($0, situation).transfer(from: .managedApp(owner), to: .account(owner)).rule
    },
    Effect("clipboardExceptionNeedsBothSides", yes: "false", no: "true") {
      var situation = ProtectionSituation {
        $0.dataTransfer.allowedOutboundClipboardSharingLevel = .blocked
        $0.dataTransfer.allowedOutboundClipboardSharingExceptionLength = 10
      }
      situation.colleaguePolicy.dataTransfer.allowedOutboundClipboardSharingLevel = .blocked
      situation.colleaguePolicy.dataTransfer.allowedOutboundClipboardSharingExceptionLength = 5
      let decision = state($0, situation).paste(from: .account(owner), into: .account(colleague), characters: 8)
      return "\(decision.isAllowed)"
    },
  ]

  private static let ofProtection: [Effect] = [
    Effect("nearestWebViewPolicyCounts", yes: "unmanaged", no: "currentIdentity") {
      let parents: [WebViewPolicy] = [.unmanaged, .unset, .currentIdentity]
      return word(state($0, .level2).webView(.unset, parents: parents, treatsAllAsUnmanaged: false))
    },
    Effect("encryptionTypeRequiresFileEncryption", yes: "required", no: "notRequired") {
      let situation = ProtectionSituation { $0.encryption.appDataEncryptionType = .whenDeviceLocked }
      return word(state($0, situation).fileEncryption(for: owner))
    },
    Effect("protectionLevelChangesAreAnnounced", yes: "DataProtectionDidChange a1", no: "PolicyDidChange a1") {
      assumptions in
      var app = try DataProtectionChangeTests.app(.whenDeviceLocked) { $0.assumptions = assumptions }
      let policy = DataProtectionChangeTests.policy(.afterDeviceRestart, name: "q")
      try app.run(.requestCheckIn(.a), .answerCheckIn(.a, .policy(policy)))
      return app.takeCallbacks().last ?? ""
    },
    Effect("fileProviderEncryptsForManagedApps", yes: "required", no: "notRequired") {
      word(state($0, LinkTests.sending(.managedApps)).fileProviderEncryption(for: owner))
    },
    Effect("screenCaptureSettingCountsFirst", yes: "screenCapture.3", no: "screenCapture.4") {
      state($0, FeatureTests.capturing(.allApps, "20.4.0", .blocked))
        .screenCapture(for: owner, configuration: "Disabled").rule
    },
    Effect("dictationBlockIsPerAccount", yes: "true", no: "false") {
      "\(state($0, ProtectionSituation()).dictation(for: personal, blockedBy: owner).isAllowed)"
    },
    Effect("protectionNeedsManagedApp", yes: "applicationNotManaged", no: "marked") {
      var state = state($0, ProtectionSituation())
      state.policies.updateAll { $0.isEnforced = false }
      return state.protect(.plain, for: personal).outcome.name
    },
  ]
}
