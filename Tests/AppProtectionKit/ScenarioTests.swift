import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import FileProtection
import Testing

/// The scenarios of the reference that concern an app, through the engine, its managers, a service and the app's delegates.
/// Those of other suites: S-01 and S-07 (`PolicyEngineTests`), S-36, S-38 and S-39 (`IdentityContextTests`, on the system's queues),
/// S-10 and S-67 (`PresentationTests`), S-46 (the sample app's exit criteria), S-93 (`AccountCallbackTests`). S-66, S-74 and S-94 are about documents, and S-24, S-45,
/// S-47 and S-89 about what a history tells.
@Suite("The scenarios, against the kit")
struct ScenarioTests {
  private static let alice = AccountReference(userPrincipalName: "alice@contoso.com")
  private static let bob = AccountReference(userPrincipalName: "bob@contoso.com")
  private static let personal = AccountReference(userPrincipalName: "me@outlook.com")
  private static let second = AccountNumber.first.next ?? .first
  private static let hour: Int64 = 3_600_000_000_000

  /// A level 2 policy of the guides, with changes.
  private static func level2(_ configure: (inout PolicyDocument) throws -> Void) rethrows -> PolicyDocument {
    var policy = strict
    try configure(&policy)
    return policy
  }

  /// A level 2 policy of the guides.
  private static let strict: PolicyDocument = {
    var policy = PolicyDocument()
    policy.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
    policy.dataTransfer.saveAsBlocked = true
    policy.dataTransfer.allowedDataStorageLocations = [.oneDriveForBusiness, .sharePoint]
    return policy
  }()

  /// An engine that was launched.
  private static func launched(
    recordsRefusals: Bool = false, _ configure: (inout AppSettings) -> Void = { _ in }
  ) async throws -> TestEngine {
    let test = try TestEngine(recordsRefusals: recordsRefusals)
    var settings = AppSettings()
    settings.multiIdentity = true
    settings.firstPolicyNeedsNoRestart = true
    configure(&settings)
    try await test.engine.launch(ProcessStart(), settings: settings)
    return test
  }

  /// An engine with Alice enrolled, and her policy in force.
  private static func managed(
    _ policy: PolicyDocument = strict, _ configure: (inout AppSettings) -> Void = { _ in }
  ) async throws -> TestEngine {
    let test = try await launched(configure)
    test.app.answers.withLock { $0.enrollment = [.policy(policy)] }
    _ = try await log(of: test) { try await $0.enrollment.registerAndEnroll(alice) }
    return test
  }

  /// What the service and the delegates were asked and told from a command to the end of its work.
  private static func log(
    of test: TestEngine, _ body: (PolicyEngine) async throws -> Void
  ) async throws -> [String] {
    let before = test.app.log.count
    try await body(test.engine)
    try await test.engine.run()
    return test.app.log.dropFirst(before).map { $0.hasPrefix("enroll ") ? "enroll" : $0 }
  }

  private static func policy(_ test: TestEngine) -> AccountPolicy { test.engine.policies.policy(for: alice) }

  // MARK: Enrollment

  @Test("S-02: an account that registers again is refused, and neither the service nor the app hears of it")
  func registeredAgain() async throws {
    let test = try await Self.managed()
    let heard = try await Self.log(of: test) { engine in
      let error = await #expect(throws: EngineError.self) { try await engine.enrollment.registerAndEnroll(Self.alice) }
      expectEqual(error?.rejection, .alreadyRegistered(.first))
    }
    expectEqual(heard, [])
  }

  @Test("S-03: an account that no policy targets is enrolled and not managed, without a restart")
  func untargeted() async throws {
    let test = try await Self.launched { $0.firstPolicyNeedsNoRestart = false }
    let heard = try await Self.log(of: test) { try await $0.enrollment.registerAndEnroll(Self.alice) }
    expectEqual(heard, ["enroll", "enrollmentRequest a1 103"])
    #expect(!test.engine.policies.isManaged(Self.alice) && test.engine.enrollment.enrolledAccounts.count == 1)
    #expect(Self.policy(test).isSaveToAllowed(to: .dropbox, account: nil).isAllowed)
  }

  @Test(
    "S-04: an account without a license works unmanaged, and is asked for again by the chosen profile",
    arguments: [(RetryProfile.serviceTable, 12), (.guide2019, 24)] as [(RetryProfile, Int64)])
  func unlicensed(profile: RetryProfile, hours: Int64) async throws {
    let test = try await Self.launched { $0.retryProfile = profile }
    test.app.answers.withLock { $0.enrollment = [.failure(ServiceFailure(.accountNotLicensed))] }
    try await expectEqual(
      Self.log(of: test) { try await $0.enrollment.registerAndEnroll(Self.alice) },
      ["enroll", "enrollmentRequest a1 200"])
    #expect(Self.policy(test).isSaveToAllowed(to: .dropbox, account: nil).isAllowed)
    test.app.advance(hours * Self.hour - 1)
    try await expectEqual(Self.log(of: test) { _ in }, [])
    test.app.advance(1)
    try await expectEqual(Self.log(of: test) { _ in }, ["enroll", "enrollmentRequest a1 103"])
  }

  @Test(
    "S-06: an account that the service refuses for good must go, and no other is touched", arguments: [209, 210, 211])
  func refusedForGood(code: UInt32) async throws {
    let test = try await Self.managed()
    let alice = test.engine.state.accounts[.first]
    test.app.answers.withLock { $0.enrollment = [.failure(ServiceFailure(EnrollmentStatusCode(rawValue: code)))] }
    try await expectEqual(
      Self.log(of: test) { try await $0.enrollment.registerAndEnroll(Self.bob) },
      ["enroll", "enrollmentRequest a2 \(code)"])
    let refused = try #require(test.engine.state.accounts[Self.second])
    #expect(refused.removalCode?.rawValue == code && refused.enrollment.nextRetry == nil)
    expectEqual(test.engine.state.accounts[.first], alice)
    test.app.advance(10 * 24 * Self.hour)
    try await expectEqual(Self.log(of: test) { _ in }.contains("enroll"), false)
  }

  @Test("S-08: an account that is not named leads to 207")
  func unnamed() async throws {
    let test = try await Self.launched(recordsRefusals: true)
    let heard = try await Self.log(of: test) { engine in
      let error = await #expect(throws: EngineError.self) {
        try await engine.enrollment.registerAndEnroll(AccountReference(""))
      }
      expectEqual(error?.rejection, .missingAccount)
    }
    expectEqual(heard, ["enrollmentRequest none 207"])
  }

  @Test(
    "S-09: an enrollment at launch fails in silence; where a policy is required the user is asked",
    arguments: [false, true])
  func atLaunch(isRequired: Bool) async throws {
    let test = try await Self.launched {
      $0.autoEnrollOnLaunch = true
      $0.policyRequired = isRequired
    }
    test.app.answers.withLock {
      $0.lastingEnrollment = .failure(ServiceFailure(.authRequired))
      $0.login = nil
    }
    try await test.engine.send(.setDeviceAccount(Self.alice))
    let before = test.app.log.count
    try await test.relaunch()
    let heard = test.app.log.dropFirst(before).map { $0.hasPrefix("enroll ") ? "enroll" : $0 }
    expectEqual(heard, ["enroll"] + (isRequired ? ["askLogin"] : []))
    expectEqual(test.engine.withState { $0.launchGate }, isRequired ? .blocked : .open)
  }

  @Test(
    "S-11: a sign-in without a name enrolls the device's user; without one the user is asked, and may cancel with 219")
  func login() async throws {
    let test = try await Self.launched()
    test.app.answers.withLock { $0.login = .canceled }
    try await expectEqual(
      Self.log(of: test) { try await $0.enrollment.loginAndEnroll() }, ["askLogin", "enrollmentRequest none 219"])
    test.app.advance(10 * 24 * Self.hour)
    try await expectEqual(Self.log(of: test) { _ in }, [], "no retry")
    try await test.engine.send(.setDeviceAccount(Self.alice))
    try await expectEqual(
      Self.log(of: test) { try await $0.enrollment.loginAndEnroll() }, ["enroll", "enrollmentRequest a1 103"])
    expectEqual(test.engine.enrollment.deviceAccount?.userPrincipalName, "alice@contoso.com")
  }

  @Test(
    "S-12: of two managed accounts the user keeps one; the other is refused, or takes its place after a wipe",
    arguments: [true, false])
  func rivals(keeps: Bool) async throws {
    let test = try await Self.managed { $0.maximumManagedAccounts = 1 }
    test.app.answers.withLock {
      $0.lastingEnrollment = .policy(Self.strict)
      $0.choice = keeps ? .keepExisting : .switchAccounts
    }
    let heard = try await Self.log(of: test) { try await $0.enrollment.registerAndEnroll(Self.bob) }
    expectEqual(heard.prefix(2), ["enroll", "chooseAccount a2 a1"])
    if keeps {
      expectEqual(heard.dropFirst(2), ["enrollmentRequest a2 227"])
      expectEqual(test.engine.policies.managedAccounts.map(\.account), [.first])
    } else {
      let wiped = try #require(heard.firstIndex(of: "wipeDidComplete a1"))
      let applied = try #require(heard.firstIndex(of: "policyDidChange a2"))
      #expect(heard.contains("enrollmentRequest a2 218") && wiped < applied)
      expectEqual(test.engine.policies.managedAccounts.map(\.account), [Self.second])
    }
  }

  @Test("S-14: letter case never matters: not for names, not for object ids, not for owners of files")
  func letterCase() async throws {
    let folder = try ManagedFolder()
    let upper = AccountReference(
      objectID: GUID("0F1E2D3C-4B5A-4678-8796-A5B4C3D2E1F0"), userPrincipalName: "ALICE@CONTOSO.COM")
    try folder.files.protect(folder.write("minutes", to: "a"), for: upper)
    try folder.files.verifyAndProtect(folder.path("a"), for: ManagedFolder.alice)
    let test = try await Self.managed()
    let name = AccountReference(userPrincipalName: "Alice@Contoso.COM")
    #expect(test.engine.policies.isManaged(name) && test.engine.policies.isSame(name, Self.alice))
    let error = await #expect(throws: EngineError.self) { try await test.engine.enrollment.registerAndEnroll(name) }
    expectEqual(error?.rejection, .alreadyRegistered(.first))
    try await test.engine.send(.setAllowedAccounts([name]))
    expectEqual(test.engine.enrollment.allowedAccounts?.map(\.account), [.first])
  }

  @Test("S-15: without a list any account may sign in; a list restricts to its accounts, and its change is told once")
  func allowedAccounts() async throws {
    let test = try await Self.launched()
    #expect(test.engine.enrollment.allowedAccounts == nil)
    let heard = try await Self.log(of: test) { engine in
      try await engine.send(.setAllowedAccounts([Self.alice]))
      try await engine.send(.setAllowedAccounts([Self.alice]))
    }
    expectEqual(heard, ["allowedAccountsDidChange"])
    let error = await #expect(throws: EngineError.self) {
      try await test.engine.enrollment.registerAndEnroll(Self.personal)
    }
    guard case .notAllowed? = error?.rejection else {
      Issue.record("\(error.map(String.init(describing:)) ?? "no error")")
      return
    }
  }

  // MARK: Check-ins, wipes, restarts

  @Test("S-16, S-17: an unchanged policy tells nothing but 101; a changed one tells the app, and is what decides")
  func checkIns() async throws {
    let test = try await Self.managed()
    let before = test.engine.state.accounts[.first]?.enrollment.lastCompletedCheckIn
    test.app.advance(Self.hour)
    try await expectEqual(
      Self.log(of: test) { try await $0.enrollment.checkIn(Self.alice) },
      [
        "checkIn a1 \(test.lastRequest)", "policyRequest a1 101",
      ])
    #expect(test.engine.state.accounts[.first]?.enrollment.lastCompletedCheckIn != before)
    #expect(!Self.policy(test).isSaveToAllowed(to: .dropbox, account: nil).isAllowed)
    test.app.answers.withLock { $0.checkIn = [.policy(PolicyDocument())] }
    let heard = try await Self.log(of: test) { try await $0.enrollment.checkIn(Self.alice) }
    expectEqual(heard.dropFirst().prefix(2), ["policyRequest a1 100", "policyDidChange a1"])
    #expect(Self.policy(test).isSaveToAllowed(to: .dropbox, account: nil).isAllowed)
  }

  @Test("S-18: 13 hours offline of 12 allowed block the account, and a completed check-in opens it")
  func offline() async throws {
    let test = try await Self.managed(
      try Self.level2 { $0.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H") })
    test.app.advance(13 * Self.hour)
    test.app.answers.withLock { $0.lastingCheckIn = .failure(ServiceFailure(.policyEndPointNetworkFailure)) }
    try await test.engine.run()
    expectEqual(test.engine.launchDecision(for: .first).outcome, .block)
    test.app.answers.withLock { $0.lastingCheckIn = .unchanged }
    try await test.engine.enrollment.checkIn(Self.alice)
    try await test.engine.run()
    expectEqual(test.engine.launchDecision(for: .first).outcome, .allowed)
  }

  @Test(
    "S-20: 91 days offline of 90 ask for a sign-in; a user who refuses loses the data, one who signs in keeps it",
    arguments: [true, false])
  func longOffline(refuses: Bool) async throws {
    let test = try await Self.managed(
      try Self.level2 { $0.conditionalLaunch.periodOfflineBeforeWipeIsEnforced = try PolicyDuration("P90D") })
    test.app.answers.withLock { $0.lastingCheckIn = .failure(ServiceFailure(.policyEndPointNetworkFailure)) }
    test.app.advance(91 * 24 * Self.hour)
    expectEqual(test.engine.launchDecision(for: .first).outcome, .signInOrWipe)
    _ = try await test.engine.policies.setUIIdentity(Self.alice)
    if refuses {
      let heard = try await Self.log(of: test) {
        _ = try await $0.policies.setUIIdentity(Self.alice, outcome: .canceled)
      }
      #expect(heard.contains("wipeData a1") && heard.contains("wipeDidComplete a1"))
      expectEqual(test.engine.state.wipes[.first]?.reason, .offlineInterval)
    } else {
      test.app.answers.withLock { $0.lastingCheckIn = .unchanged }
      try await test.engine.send(.signInForLaunch(Self.alice, as: Self.alice))
      try await test.engine.run()
      #expect(test.engine.launchDecision(for: .first).outcome == .allowed && test.engine.state.wipes.isEmpty)
    }
  }

  @Test("S-21: a wipe that waits for a week is done when the app is opened: 102, wipe, 104, told; and never again")
  func lateWipe() async throws {
    let test = try await Self.managed()
    test.app.answers.withLock { $0.lastingCheckIn = .wipe() }
    test.app.advance(7 * 24 * Self.hour)
    let before = test.app.log.count
    try await test.relaunch()
    let heard = test.app.log.dropFirst(before).filter { !$0.hasPrefix("checkIn ") && !$0.hasPrefix("restart") }
    expectEqual(
      heard,
      [
        "policyRequest a1 102", "wipeData a1", "removeFiles a1", "unenrollRequest a1 104", "wipeDidComplete a1",
      ])
    #expect(test.engine.enrollment.registeredAccounts.isEmpty)
    let count = test.app.log.count
    try await test.relaunch()
    #expect(test.app.log.dropFirst(count).allSatisfy { $0.hasPrefix("restart") })
  }

  @Test(
    "S-23: an account that leaves is reported with 104, and wiped once if the app wants that", arguments: [true, false])
  func leaving(wipes: Bool) async throws {
    let test = try await Self.managed()
    let heard = try await Self.log(of: test) { try await $0.enrollment.deregisterAndUnenroll(Self.alice, wipe: wipes) }
    expectEqual(heard.count { $0 == "wipeData a1" }, wipes ? 1 : 0)
    #expect(heard.contains("unenroll a1") && heard.contains("unenrollRequest a1 104"))
  }

  @Test(
    "S-25, S-26: an app that restarts itself shows no dialog; a host that needs no restart is asked for none",
    arguments: [true, false, nil])
  func restart(restartsItself: Bool?) async throws {
    let (test, user) = (try TestEngine(), Prompted())
    defer { withExtendedLifetime(test) {} }
    let engine = PolicyEngine(
      store: test.engine.store, clock: test.app, service: test.app, files: test.app,
      delegates: .init(policy: test.app, presentation: user))
    test.app.answers.withLock {
      $0.restarts = restartsItself ?? false
      $0.enrollment = [.policy(PolicyDocument())]
    }
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = restartsItself == nil
    try await engine.launch(ProcessStart(), settings: settings)
    try await engine.enrollment.registerAndEnroll(Self.alice)
    try await engine.run()
    expectEqual(user.seen.withLock { $0.restarts }, restartsItself == false ? 1 : 0)
    expectEqual(test.app.log.contains("restartApplication"), restartsItself != nil)
    #expect(
      (engine.policies.policy(for: Self.alice).document == nil) == (restartsItself != nil), "until the next launch")
  }

  @Test("S-28: after 100 days of silence the account registers anew, and is protected meanwhile")
  func silence() async throws {
    let test = try await Self.managed()
    test.app.advance(100 * 24 * Self.hour)
    test.app.answers.withLock { $0.lastingEnrollment = .unchanged }
    let before = test.app.log.count
    try await test.relaunch()
    expectEqual(test.app.log.dropFirst(before).first?.hasPrefix("enroll a1"), true)
    #expect(test.app.log.last == "enrollmentRequest a1 101" && Self.policy(test).document != nil)
  }

  @Test("S-30: a status code that is not known is kept and told, and nothing stops")
  func unknownCode() async throws {
    let test = try await Self.launched()
    test.app.answers.withLock { $0.enrollment = [.failure(ServiceFailure(EnrollmentStatusCode(rawValue: 228)))] }
    try await expectEqual(
      Self.log(of: test) { try await $0.enrollment.registerAndEnroll(Self.alice) },
      ["enroll", "enrollmentRequest a1 228"])
    expectEqual(test.engine.state.accounts[.first]?.enrollment.lastCode?.name, "unknown(228)")
  }

  // MARK: Identities

  @Test("S-31, S-32: an app of one identity has that of its account; one of several has none at launch")
  func atStart() async throws {
    for isMulti in [false, true] {
      let test = try await Self.managed { $0.multiIdentity = isMulti }
      try await test.relaunch()
      let policies = test.engine.policies
      expectEqual(policies.processIdentity, isMulti ? .unset : .account(.first))
      expectEqual(policies.currentIdentity(of: .file), isMulti ? .unset : .account(.first))
      #expect((policies.currentPolicy().document == nil) == isMulti)
    }
  }

  @Test("S-33, S-35: a window's identity counts for what is on the screen, a task's for all that it does")
  func scopes() async throws {
    let test = try await Self.managed()
    let policies = test.engine.policies
    try await expectEqual(policies.setUIIdentity(Self.alice), .success)
    let (screen, file) = await MainActor.run { (policies.currentIdentity(), policies.currentIdentity(of: .file)) }
    #expect(screen == .account(.first) && file == .unset)
    IdentityContext.with(.first) {
      #expect(policies.currentIdentity() == .account(.first) && policies.currentIdentity(of: .file) == .account(.first))
    }
  }

  @Test(
    "S-41: data of an unmanaged account is not encrypted and names it; a managed one's is; plain data comes back as it is"
  )
  func data() throws {
    let folder = try ManagedFolder()
    let marked = try folder.data.protectionInfo(folder.data.protect([1, 2], for: ManagedFolder.eve))
    #expect(!marked.isEncrypted && marked.owner == "eve@example.com")
    let encrypted = try folder.data.protect([1, 2], for: ManagedFolder.alice)
    #expect(try folder.data.protectionInfo(encrypted).isEncrypted && folder.data.unprotect(encrypted) == [1, 2])
    try expectEqual(folder.data.unprotect([1, 2]), [1, 2])
  }

  @Test("S-42: canceling the PIN of a switch changes nothing; where data is shown, it is to give way")
  func canceledPIN() async throws {
    let test = try await Self.managed(Self.level2 { $0.access.pinRequired = true })
    #expect(try await test.engine.policies.setUIIdentity(Self.alice) == nil, "the user is asked")
    let heard = try await Self.log(of: test) {
      let result = try await $0.policies.setUIIdentity(Self.alice, outcome: .canceled)
      expectEqual(result, .canceled)
    }
    #expect(!heard.contains("identitySwitchReply unmanaged") && test.engine.policies.uiIdentity() == .unset)
    try await test.engine.send(.setPIN(Self.alice, PINFacts(of: "2580")))
    try await expectEqual(test.engine.policies.setUIIdentity(Self.alice, outcome: .success), .success)
    let asked = try await Self.log(of: test) {
      let result = try await $0.policies.setUIIdentity(Self.alice, outcome: .canceled)
      expectEqual(result, .canceled)
    }
    #expect(asked.contains("identitySwitchReply unmanaged"))
  }

  @Test("S-43: a colleague of the managed account's organization is not allowed on the screen")
  func colleague() async throws {
    let test = try await Self.managed()
    try await expectEqual(test.engine.policies.setUIIdentity(Self.bob), .notAllowed)
    try await expectEqual(test.engine.policies.setUIIdentity(Self.personal), .success)
  }

  // MARK: Transfers

  @Test("S-48, S-49, S-50, S-52, S-54: where the account's data may be saved")
  func saving() async throws {
    func saves(_ location: SaveLocation, _ account: AccountNumber?, _ policy: PolicyDocument) async throws -> Bool {
      Self.policy(try await Self.managed(policy)).isSaveToAllowed(to: location, account: account).isAllowed
    }
    let strict = Self.strict
    #expect(try await saves(.oneDriveForBusiness, .first, strict))
    for location in [SaveLocation.dropbox, .cameraRoll, .other] {
      #expect(try await !saves(location, nil, strict), "\(location)")
    }
    #expect(try await saves(.oneDriveForBusiness, .first, Self.level2 { $0.dataTransfer.saveAsBlocked = false }))
    let nowhere = Self.level2 { $0.dataTransfer.allowedDataStorageLocations = [] }
    let nothing = Self.level2 { $0.dataTransfer.allowedOutboundDataTransferDestinations = .noApps }
    for policy in [nowhere, nothing] { #expect(try await !saves(.oneDriveForBusiness, .first, policy)) }
  }

  @Test("S-55, S-56: from where data may be opened for the account")
  func opening() async throws {
    for (source, camera, photos, drive) in [
      (DataIngestionLocation.oneDriveForBusiness, false, false, true), (.camera, true, false, false),
    ] {
      let test = try await Self.managed(
        Self.level2 {
          $0.dataTransfer.blockDataIngestionIntoOrganizationDocuments = true
          $0.dataTransfer.allowedInboundDataTransferSources = .managedApps
          $0.dataTransfer.allowedDataIngestionLocations = [source]
        })
      let policy = Self.policy(test)
      expectEqual(policy.isOpenFromAllowed(from: .camera, account: nil).isAllowed, camera)
      expectEqual(policy.isOpenFromAllowed(from: .photos, account: nil).isAllowed, photos)
      expectEqual(policy.isOpenFromAllowed(from: .oneDriveForBusiness, account: .first).isAllowed, drive)
    }
  }

  @Test("S-58, S-59, S-60: between apps, the sender's policy decides what leaves, and the receiver's what comes in")
  func betweenApps() async throws {
    let test = try await Self.managed(
      Self.level2 { $0.dataTransfer.allowedInboundDataTransferSources = .managedApps })
    let own = test.engine.policies.policy(for: nil)
    #expect(!own.isTransferAllowed(to: .managedApp(.first)).isAllowed)
    #expect(own.isTransferAllowed(to: .unmanagedApp).isAllowed)
    #expect(!Self.policy(test).isTransferAllowed(to: .unmanagedApp).isAllowed)
    #expect(own.canReceive(from: .managedApp(.first)).outcome != .allowed)
    expectEqual(Self.policy(test).canReceive(from: .managedApp(.first)).outcome, .allowed)
  }

  @Test("S-63, S-64, S-68, S-69: keyboards, links, notifications and pictures of the screen")
  func surfaces() async throws {
    let test = try await Self.managed(
      Self.level2 {
        $0.surfaces.thirdPartyKeyboardsBlocked = true
        $0.surfaces.notificationRestriction = .blockOrganizationalData
        $0.redirection.managedBrowserToOpenLinksRequired = true
        $0.redirection.customBrowserProtocol = "mybrowser"
      })
    let own = test.engine.policies.policy(for: nil)
    #expect(test.engine.withState { !$0.thirdPartyKeyboards().isAllowed }, "for the user's own data as well")
    let link = Self.policy(test).isURLAllowed("https://x/y")
    #expect(link.outcome == .customBrowser && link.rule == "browser.4")
    #expect(!Self.policy(test).isScreenCaptureAllowed.isAllowed && own.isScreenCaptureAllowed.isAllowed)
    expectEqual(Self.policy(test).notificationPolicy().outcome, .genericTextOnly)
    expectEqual(Self.policy(test).notificationPolicy(isSupported: false).outcome, .shown)
    expectEqual(own.notificationPolicy().outcome, .shown)
  }

  // MARK: Launch conditions

  @Test("S-72: warnings come in the order of the conditions")
  func warnings() async throws {
    let test = try await Self.managed(
      Self.level2 {
        $0.conditionalLaunch.minimumWarningSdkVersion = "99"
        $0.conditionalLaunch.minimumWarningAppVersion = "99"
        $0.conditionalLaunch.minimumWarningOsVersion = "99"
      })
    try test.replaceEngine()
    var process = ProcessStart(appVersion: "1.0", sdkVersion: "1.0")
    process.osVersion = "1.0"
    try await test.engine.launch(process)
    let warnings = test.engine.launchDecision(for: .first).findings.filter { $0.outcome == .warn }.map(\.rule)
    expectEqual(warnings, [.sdkVersion, .appVersion, .osMinimum])
  }

  @Test(
    "S-77: five wrong PINs ask for a sign-in as the account itself, or wipe where the action says so",
    arguments: [false, true])
  func wrongPINs(wipes: Bool) async throws {
    let test = try await Self.managed(
      Self.level2 {
        $0.access.pinRequired = true
        $0.conditionalLaunch.maximumPinRetries = 5
        $0.conditionalLaunch.appActionIfMaximumPinRetriesExceeded = wipes ? .wipe : .block
      })
    try await test.engine.send(.setPIN(Self.alice, PINFacts(of: "2580")))
    let heard = try await Self.log(of: test) { engine in
      for _ in 1...5 { try await engine.send(.reportPINAttempt(Self.alice, isRight: false)) }
    }
    expectEqual(heard.contains("wipeDidComplete a1"), wipes)
    guard !wipes else { return }
    expectEqual(test.engine.launchDecision(for: .first).outcome, .resetPIN)
    let error = await #expect(throws: EngineError.self) {
      try await test.engine.send(.signInForLaunch(Self.alice, as: Self.bob))
    }
    expectEqual(error?.rejection, .otherAccount(.first))
    try await test.engine.send(.signInForLaunch(Self.alice, as: Self.alice))
    expectEqual(test.engine.launchDecision(for: .first).outcome, .promptNewPIN)
  }

  @Test("S-78, S-80, S-82: threat levels, working hours, and that only what is on the screen runs conditions")
  func conditions() async throws {
    let test = try await Self.managed(
      Self.level2 {
        $0.conditionalLaunch.maximumAllowedDeviceThreatLevel = .low
        $0.conditionalLaunch.mobileThreatDefenseRemediationAction = .block
        $0.conditionalLaunch.appActionIfAccountIsClockedOut = .block
      })
    for (level, isOpen) in [(ThreatLevel.secured, true), (.low, true), (.medium, false)] {
      var facts = test.engine.state.launch.device
      (facts.threatDefense, facts.threatLevel) = (.active, level)
      try await test.engine.send(.reportDevice(facts))
      expectEqual(test.engine.launchDecision(for: .first).outcome.isPassing, isOpen, "\(level)")
    }
    // S-82: a task acts for her all the same, and no condition runs.
    let before = test.engine.store.lastSequence
    IdentityContext.with(.first) { expectEqual(test.engine.policies.currentIdentity(), .account(.first)) }
    expectEqual(test.engine.store.lastSequence, before)
    #expect(try await test.engine.policies.setUIIdentity(Self.alice) != .success)
    var facts = test.engine.state.launch.device
    facts.threatLevel = .secured
    try await test.engine.send(.reportDevice(facts))
    // S-80: without a grace period, the clock status does not count.
    try await test.engine.send(.reportUserStatus(Self.alice, .clockedOut, isDisabled: false))
    expectEqual(test.engine.userStatus.status(of: Self.alice).clockStatus, .clockedOut)
    try await expectEqual(test.engine.policies.setUIIdentity(Self.alice), .success)
    var policy = Self.strict
    policy.conditionalLaunch.gracePeriodToBlockAppsDuringOffClockHours = try PolicyDuration("PT0S")
    policy.conditionalLaunch.appActionIfAccountIsClockedOut = .block
    test.app.answers.withLock { [policy] in $0.checkIn = [.policy(policy)] }
    try await test.engine.enrollment.checkIn(Self.alice)
    try await test.engine.run()
    expectEqual(test.engine.launchDecision(for: .first).outcome, .block)
    try await test.engine.send(.reportUserStatus(Self.alice, .clockedIn, isDisabled: false))
    expectEqual(test.engine.launchDecision(for: .first).outcome, .allowed)
  }

  // MARK: Compliance and configuration

  @Test("S-83, S-87: a refused token leads to a remediation, after which it may be asked for again, without a restart")
  func remediation() async throws {
    let tokens = TestTokens()
    let keeper = TokenKeeper(tokens)
    let test = try await PolicyEngineTests.enrolled(tokens: keeper)
    tokens.answers.withLock { $0.silent = .failure(.protectionRequired) }
    await #expect(throws: TokenFailure.protectionRequired) { try await test.engine.enrollment.token(for: Self.alice) }
    expectEqual(test.engine.compliance.status(of: Self.alice), .blocked)
    let heard = try await Self.log(of: test) { engine in
      try await engine.compliance.remediate(Self.alice, isSilent: true)
      #expect(engine.compliance.isRemediationInProgress(for: Self.alice))
    }
    expectEqual(heard, ["remediate a1 true", "compliance a1 compliant ok: fine"], "no restart")
    tokens.answers.withLock { $0.silent = .success(AccessToken("token")) }
    try await expectEqual(test.engine.enrollment.token(for: Self.alice).secret, "token")
  }

  @Test("S-85: a remediation that needs the user is repeated with the user; a second demand is a loop")
  func interaction() async throws {
    let test = try await Self.managed()
    test.app.answers.withLock { $0.remediation = RemediationOutcome(.interactionRequired) }
    for isSilent in [true, false] {
      try await expectEqual(
        Self.log(of: test) { try await $0.compliance.remediate(Self.alice, isSilent: isSilent) },
        ["remediate a1 \(isSilent)", "compliance a1 interactionRequired : "])
    }
    expectEqual(test.engine.state.compliance.accounts[.first]?.interactionDemands, 2)
  }

  @Test("S-86: an account that no policy targets is enrolled first, and is not compliant")
  func notCompliant() async throws {
    let test = try await Self.launched()
    test.app.answers.withLock { $0.remediation = RemediationOutcome(.notCompliant, message: "No policy.", title: "No") }
    let heard = try await Self.log(of: test) { try await $0.compliance.remediate(Self.alice, isSilent: false) }
    expectEqual(
      heard,
      [
        "enroll", "enrollmentRequest a1 103", "remediate a1 false", "compliance a1 notCompliant No: No policy.",
      ])
    #expect(!test.engine.policies.isManaged(Self.alice))
    expectEqual(test.engine.compliance.status(of: Self.alice), .notCompliant)
  }

  @Test("S-92: an app configuration is empty before the enrollment, and delivered with it, without a restart")
  func configuration() async throws {
    let test = try await Self.launched()
    #expect(test.engine.appConfig.configuration(for: Self.alice).fullData.isEmpty)
    test.app.answers.withLock {
      $0.deliveries = ServiceDeliveries(configuration: [ConfigurationEntry([ConfigurationValue("start", "home")])])
    }
    let heard = try await Self.log(of: test) { try await $0.enrollment.registerAndEnroll(Self.alice) }
    expectEqual(heard, ["enroll", "enrollmentRequest a1 103", "configurationDidChange a1"])
    expectEqual(test.engine.appConfig.configuration(for: Self.alice).string("start"), "home")
  }
}

extension TestEngine {
  /// The number of the last request for a check-in.
  fileprivate var lastRequest: UInt64 {
    ((try? engine.store.recordedEvents(after: 0)) ?? []).last { $0.typeName == "checkIn.requested" }?.sequence ?? 0
  }
}
