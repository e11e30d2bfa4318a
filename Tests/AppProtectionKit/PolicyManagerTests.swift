import Expectations
import AppProtection
import AppProtectionKit
import EventSourcing
import Testing

@Suite("The managers of policies, compliance, configuration and user status")
struct PolicyManagerTests {
  static let alice = PolicyEngineTests.alice
  static let bob = PolicyEngineTests.bob

  /// An engine with Alice enrolled, who may not save copies.
  static func enrolled() async throws -> TestEngine {
    let test = try TestEngine()
    var policy = PolicyDocument()
    policy.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
    policy.dataTransfer.saveAsBlocked = true
    test.app.answers.withLock { [policy] in $0.enrollment = [.policy(policy)] }
    var settings = AppSettings()
    settings.multiIdentity = true
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    try await test.engine.send(.registerAndEnroll(alice))
    try await test.engine.run()
    return test
  }

  @Test("Identities are set for windows and the process, and read back")
  func identities() async throws {
    let test = try await Self.enrolled()
    let policies = test.engine.policies
    try await expectEqual(policies.setUIIdentity(Self.alice), .success)
    try await expectEqual(policies.setUIIdentity(.unmanaged, window: 2), .success)
    try await expectEqual(policies.setProcessIdentity(.unmanaged), .success)
    #expect(policies.uiIdentity() == .account(.first) && policies.uiIdentity(window: 2) == .unmanaged)
    expectEqual(policies.processIdentity, .unmanaged)
    let onScreen = await MainActor.run { policies.currentIdentity() }
    #expect(onScreen == .account(.first) && policies.currentIdentity() == .unmanaged)
    expectEqual(IdentityContext.with(.first) { policies.currentIdentity(of: .file) }, .account(.first))
    #expect(policies.policy(forWindow: nil).account == .first && policies.policy(forWindow: 2).account == nil)
    expectEqual(IdentityContext.with(.first) { policies.currentPolicy().account }, .first)
    try await policies.closeWindow(2)
    expectEqual(policies.uiIdentity(window: 2), .unset)
    try await expectEqual(policies.setUIIdentity(.unset), .success)
    try await expectEqual(policies.setProcessIdentity(.unset), .success)
    #expect(policies.uiIdentity() == .unset && policies.processIdentity == .unset)
    await #expect(throws: EngineError.self) { try await policies.setUIIdentity(AccountReference()) }
  }

  @Test("A refused switch returns the SDK's result, and one that waits for the user returns none")
  func switches() async throws {
    let test = try await Self.enrolled()
    let policies = test.engine.policies
    try await test.engine.send(.setIdentity(.thread(IdentityScope.mainThread), .unmanaged))
    try await expectEqual(policies.setUIIdentity(Self.alice), .notAllowed)
    try await test.engine.send(.closeScope(.thread(IdentityScope.mainThread)))
    var policy = PolicyDocument()
    policy.access.pinRequired = true
    test.app.answers.withLock { [policy] in $0.checkIn = [.policy(policy)] }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    #expect(try await policies.setUIIdentity(Self.alice) == nil)
    expectEqual(policies.uiIdentity(), .unset)
    try await expectEqual(policies.setUIIdentity(Self.alice, outcome: .canceled), .canceled)
    try await expectEqual(policies.setUIIdentity(Self.alice, outcome: .failed), .failed)
  }

  @Test("A window that has the identity already is not said to have switched while the user is asked for a PIN")
  func askedAgain() async throws {
    let test = try await Self.enrolled()
    let policies = test.engine.policies
    try await expectEqual(policies.setUIIdentity(Self.alice), .success)
    var policy = PolicyDocument()
    policy.access.pinRequired = true
    test.app.answers.withLock { [policy] in $0.checkIn = [.policy(policy)] }
    try await test.engine.send(.requestCheckIn(Self.alice))
    try await test.engine.run()
    #expect(try await policies.setUIIdentity(Self.alice) == nil)
    expectEqual(policies.uiIdentity(), .account(.first))
    #expect(try await policies.setUIIdentity(Self.alice, outcome: .success) == nil, "there is no PIN to have given")
    try await test.engine.send(.setPIN(Self.alice, PINFacts(of: "2580")))
    try await expectEqual(policies.setUIIdentity(Self.alice), .success)
  }

  @Test("Whatever the journal knows an account by means that account")
  func same() async throws {
    let test = try await Self.enrolled()
    let policies = test.engine.policies
    let id = try #require(GUID("11111111-2222-3333-4444-555555555555"))
    let byID = AccountReference(objectID: id)
    #expect(!policies.isSame(Self.alice, byID))
    try await test.engine.send(
      .identifyAccount(AccountReference(objectID: id, userPrincipalName: "Alice@Contoso.com")))
    #expect(policies.isSame(Self.alice, byID) && policies.isSame(byID, AccountReference(.first)))
    let namesake = AccountReference(
      objectID: GUID("99999999-2222-3333-4444-555555555555"), userPrincipalName: "alice@contoso.com")
    #expect(!policies.isSame(Self.alice, namesake) && !policies.isSame(byID, namesake))
  }

  @Test("Management and policies are those of the journal")
  func management() async throws {
    let test = try TestEngine()
    try await test.engine.launch(ProcessStart())
    #expect(!test.engine.policies.isManagementEnabled && test.engine.policies.primaryAccount == nil)
    let managed = try await Self.enrolled()
    let policies = managed.engine.policies
    #expect(policies.isManagementEnabled && policies.isManaged(Self.alice) && !policies.isManaged(Self.bob))
    #expect(policies.managedAccounts.map(\.account) == [.first] && policies.primaryAccount?.account == .first)
    #expect(policies.policySource == managed.engine.state.policySource && policies.policySource == .mam)
    #expect(policies.isSame(Self.alice, AccountReference(userPrincipalName: "ALICE@contoso.com")))
    #expect(policies.policy(for: Self.bob).document == nil)
  }

  @Test("Each question of a policy is the state's own decision")
  func questions() async throws {
    let test = try await Self.enrolled()
    let state = test.engine.state
    let party = DataParty.unmanagedApp
    for account in [AccountNumber.first, nil] {
      let policy = test.engine.policies.policy(for: account.map { AccountReference($0) })
      expectEqual(policy.document, account.flatMap { state.enforcedPolicy(for: .account($0)) })
      expectEqual(policy.isPINRequired, state.pinDemand(for: account))
      expectEqual(policy.isSaveToAllowed(to: .box, account: nil), state.saveTo(.box, account: nil, owner: account))
      expectEqual(
        policy.saveToLocations(account: nil).map(\.decision),
        state.saveToLocations(account: nil, owner: account).map(\.decision))
      expectEqual(
        policy.isOpenFromAllowed(from: .photos, account: nil), state.openFrom(.photos, account: nil, receiver: account))
      expectEqual(
        policy.openFromLocations(account: nil).map(\.decision),
        state.openFromLocations(account: nil, receiver: account).map(\.decision))
      expectEqual(policy.canReceive(from: party), state.receive(from: party, as: account))
      for other in [Self.alice, Self.bob] {
        let place = state.locationAccount(for: other)
        expectEqual(
          policy.isSaveToAllowed(to: .box, account: other), state.saveTo(.box, account: place, owner: account))
        expectEqual(
          policy.isOpenFromAllowed(from: .photos, account: other),
          state.openFrom(.photos, account: place, receiver: account))
      }
      expectEqual(policy.isTransferAllowed(to: party), state.transfer(from: .account(account), to: party))
      expectEqual(
        policy.isTransferAllowed(to: party, through: .shareExtension),
        state.transfer(from: .account(account), to: party, through: .shareExtension))
      expectEqual(policy.isPrintingAllowed, state.use(.printing, for: account))
      expectEqual(policy.isScreenCaptureAllowed, state.screenCapture(for: account))
      expectEqual(policy.isURLAllowed("tel:1"), state.url("tel:1", for: account))
      expectEqual(policy.isUniversalLinkAllowed("https://a.b"), state.universalLink("https://a.b", for: account))
      expectEqual(policy.isManagedBrowserRequired, state.browser(for: account))
      expectEqual(policy.isContactSyncAllowed, state.use(.contactSync, for: account))
      expectEqual(policy.isWidgetContentSyncAllowed, state.use(.widgets, for: account))
      expectEqual(policy.isSpotlightIndexingAllowed, state.use(.spotlight, for: account))
      expectEqual(policy.areSiriIntentsAllowed, state.use(.siri, for: account))
      expectEqual(policy.isAppSharingAllowed, state.use(.appSharing, for: account))
      expectEqual(policy.notificationPolicy(), state.notification(for: account))
      expectEqual(policy.isFileEncryptionRequired, state.fileEncryption(for: account))
      expectEqual(policy.shouldFileProviderEncryptFiles, state.fileProviderEncryption(for: account))
    }
    let managed = test.engine.policies.policy(for: Self.alice)
    #expect(!managed.isSaveToAllowed(to: .box, account: nil).isAllowed)
  }

  @Test("A remediation is requested, seen under way, and its outcome read")
  func compliance() async throws {
    let test = try await Self.enrolled()
    let compliance = test.engine.compliance
    #expect(compliance.status(of: Self.alice) == .unknown && !compliance.isRemediationInProgress(for: Self.bob))
    test.app.answers.withLock { $0.remediation = RemediationOutcome(.interactionRequired) }
    try await compliance.remediate(Self.alice, isSilent: true)
    #expect(compliance.isRemediationInProgress(for: Self.alice))
    try await test.engine.run()
    #expect(!compliance.isRemediationInProgress(for: Self.alice))
    expectEqual(compliance.status(of: Self.alice), .interactionRequired)
    await #expect(throws: EngineError.self) { try await compliance.remediate(AccountReference(), isSilent: true) }
  }

  @Test("A configuration and a user's status are read by account")
  func configuration() async throws {
    let test = try await Self.enrolled()
    expectEqual(test.engine.appConfig.configuration(for: Self.alice).fullData, [])
    try await test.engine.send(.deliverConfiguration(Self.alice, [ConfigurationEntry([ConfigurationValue("k", "5")])]))
    expectEqual(test.engine.appConfig.configuration(for: Self.alice).number("k"), 5)
    expectEqual(test.engine.appConfig.configuration(for: nil).fullData, [])
    let status = test.engine.userStatus
    #expect(status.status(of: Self.alice).clockStatus == .notConfigured && !status.status(of: Self.bob).isDisabled)
    try await test.engine.send(.reportUserStatus(Self.alice, .clockedOut, isDisabled: true))
    #expect(status.status(of: Self.alice).clockStatus == .clockedOut && status.status(of: Self.alice).isDisabled)
  }
}
