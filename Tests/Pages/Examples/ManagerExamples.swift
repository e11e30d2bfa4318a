import AppProtection
import AppProtectionKit
import AppProtectionQueues
import Dispatch
import EventSourcing
import Foundation
import PolicySettings
import Synchronization

/// The examples of the page on the managers.
struct ManagerExamples {
  let engine: PolicyEngine
  let alice: AccountReference
  let account: AccountNumber

  func show(_ text: String) {}
  func reload(_ account: AccountNumber) {}
  func open(_ url: String) {}

  func enrollmentExample() async throws {
    let enrollment = engine.enrollment
    try await enrollment.registerAndEnroll(alice)  // the user has signed in
    try await enrollment.loginAndEnroll()  // or: the user is asked to
    show("\(enrollment.registeredAccounts.count) registered, \(enrollment.enrolledAccounts.count) enrolled")
    show("the enrolled account of an app that has one: \(enrollment.enrolledAccount?.account.description ?? "none")")
    if let allowed = enrollment.allowedAccounts { show("only \(allowed.count) may sign in") }
    show(enrollment.deviceAccount?.userPrincipalName ?? "the device is not managed")
    try await enrollment.checkIn(alice)  // asks the service for news
    try await enrollment.wipe(alice)  // or: the user wants the organization's data gone from this app
    try await enrollment.deregisterAndUnenroll(alice, wipe: true)  // then remove the account's tokens
  }

  func tokenExample() async throws {
    do {
      _ = try await engine.enrollment.token(for: alice, scopes: ["Files.Read"])
    } catch TokenFailure.protectionRequired {
      try await engine.compliance.remediate(alice, isSilent: true)
    } catch TokenFailure.interactionRequired {
      _ = try await engine.enrollment.signIn(alice, scopes: ["Files.Read"])
    }
  }

  @MainActor
  func policyExample() async throws {
    let policies = engine.policies
    switch try await policies.setUIIdentity(alice) {
    case .success?: show("\(policies.uiIdentity()) is on the screen")
    case nil: show("a launch condition asks the user something first")
    case let result?: show("the identity stays: \(result)")
    }
    let policy = policies.currentPolicy()
    let decision = policy.isSaveToAllowed(to: .box, account: nil)
    show("\(decision.outcome.name) by \(decision.rule): \(decision.reason)")
    if policies.isManagementEnabled { show("\(policies.managedAccounts.count) managed, from \(policies.policySource)") }
  }

  @MainActor
  func launchExample(policies: PolicyManager) async throws {
    if try await policies.switchUIIdentity(to: alice, window: 2) == .canceled { try await policies.closeWindow(2) }
    let outcome = try await policies.answerLaunchConditions(of: alice)
    show("open: \(outcome.isPassing), \(policies.processIdentity), \(policies.currentIdentity(of: .file))")
    _ = try await policies.setProcessIdentity(.account(alice))
    _ = try await policies.setUIIdentity(.unset)
    show("managed: \(policies.isManaged(alice))")
    if let primary = policies.primaryAccount?.reference { show("\(policies.isSame(alice, primary))") }
    show(policies.policy(for: alice).document?.about.displayName ?? "no policy")
    show(policies.policy(forWindow: 2).account?.description ?? "the user's own")
  }

  func questionsExample(policy: AccountPolicy) {
    let answers: [String] = [
      policy.isPINRequired.reason, policy.isSaveToAllowed(to: .other, account: nil).reason,
      policy.isOpenFromAllowed(from: .camera, account: nil).reason, policy.canReceive(from: .unmanagedApp).reason,
      policy.isURLAllowed("tel:1").reason, policy.isUniversalLinkAllowed("https://a.b").reason,
      policy.isDocumentPickerAllowed(.opening).reason, policy.isManagedBrowserRequired.reason,
      policy.isContactSyncAllowed.reason, policy.isWidgetContentSyncAllowed.reason,
      policy.isSpotlightIndexingAllowed.reason, policy.areSiriIntentsAllowed.reason, policy.isAppSharingAllowed.reason,
      policy.notificationPolicy(isSupported: true).reason, policy.isFileEncryptionRequired.reason,
      policy.shouldFileProviderEncryptFiles.reason, policy.fileProtection.reason,
      policy.isTransferAllowed(to: .unmanagedApp).reason, policy.isPrintingAllowed.reason,
      policy.isScreenCaptureAllowed.reason,
    ]
    let allowed = policy.saveToLocations(account: nil).filter(\.decision.isAllowed).map(\.location.name)
    show("\(allowed), \(policy.openFromLocations(account: nil).count) places to open from, \(answers)")
  }

  func webViewExample(policies: PolicyManager) async {
    let screen = WebViewer(window: 2)
    let document = WebViewer(in: screen)
    policies.setWebViewPolicy(.currentIdentity, for: screen)
    policies.setWebViewPolicyDelegate(Pages(), for: document)
    show("\(document.policy.name), in \(document.parent?.policy.name ?? "none"), window \(document.window ?? 0)")
    switch await policies.webView(document, showing: "https://search.example").outcome {
    case .requiredBrowser: open("https://search.example")
    case .unmanaged, .currentIdentity, .currentIdentityWithoutUpload: show("the web view shows it")
    }
  }

  func messagesExample() async throws {
    let decision = engine.policies.policy(for: alice).isSaveToAllowed(to: .box, account: nil)
    if !decision.isAllowed { await engine.messages.showSharingBlocked(decision) }
    if case .postponed(let minutes)? = try await engine.messages.showRestart() { show("in \(minutes) minutes") }
  }

  func summary() -> String { "" }

  func settingsExample() async throws {
    let settings = engine.settings
    for finding in settings.findings { show("\(finding)") }  // an unknown key, with the nearest name
    show("\(settings.propertyList.valuesToScrub), \(settings.recorded.maximumManagedAccounts) account")
    try await settings.override { $0.authority = "https://login.microsoftonline.com/contoso.com" }
    show("\(settings.overrides.authority ?? "none") is in force: \(settings.signIn.authority ?? "the common one")")
    if settings.isHandledByWebViews("notes:today") { open("notes:today") }
    show("\(settings.appearance.followsDarkMode), \(settings.maximumFileProtection.name)")
  }

  func logExample() {
    engine.logger.log(.info, "opened the notes of alice@contoso.com")  // "opened the notes of a1"
    engine.logger.logSignIn(.warning, "the broker is missing")  // for the callback of the token library
    if engine.logger.isWritten(.verbose) { engine.logger.log(.verbose, summary()) }
    for path in engine.logger.paths { show("at level \(engine.logger.level?.name ?? "none"): \(path)") }
  }

  func complianceExample() async throws {
    if !engine.compliance.isRemediationInProgress(for: alice) {
      try await engine.compliance.remediate(alice, isSilent: false)
    }
    show("\(engine.compliance.status(of: alice))")
  }

  func configurationExample() {
    let configuration = engine.appConfig.configuration(for: alice)
    let server = configuration.string("server") ?? "https://default.example"
    open(configuration.hasConflict("server") ? "https://default.example" : server)
    show("\(configuration.number("quota", .min) ?? 10) notes")
  }

  func statusExample() {
    let status = engine.userStatus.status(of: alice)
    if status.isDisabled || status.clockStatus == .clockedOut { show("the shift is over") }
  }

  func diagnosticsExample() {
    let information = engine.diagnostics.information()
    for leaf in information.leaves() where leaf.path.hasSuffix("CheckIn") {
      show("\(leaf.path): \(leaf.value)")
    }
  }

  func presentationExample(pins: some PINKeeper) -> PolicyEngine.Delegates {
    let delegates = PolicyEngine.Delegates(presentation: TerminalPresentation(pins: pins))
    return delegates
  }

  func changesExample() async throws {
    for try await change in engine.changes() {
      switch change {
      case .policyDidChange(let account): reload(account)
      case .wipeDidComplete(let account): show("the data of \(account) is gone")
      default: break
      }
    }
  }

  func scheduleExample() -> Task<Void, any Error> {
    Task { [engine] in try await engine.runWhenDue() }
  }

  func contextExample(queue: DispatchQueue, operations: OperationQueue) {
    IdentityContext.with(account) {
      let owner = IdentityContext.currentOwner(in: engine.state)  // the account: a new file would be its own
      queue.asyncWithIdentity { print(IdentityContext.current == owner) }
      operations.addWithIdentity { print(IdentityContext.current == owner) }
    }
  }
}

struct Outcomes: EnrollmentDelegate {
  func enrollmentRequest(_ result: EnrollmentResult) async {
    guard !result.didSucceed else { return print("enrolled:", result.account?.description ?? "none") }
    let name = result.identity ?? result.accountID?.description ?? "no account"
    print(result.errorString, result.error.isEmpty ? "" : "for \(name)")
    if result.statusCode.requiresRemoval { print("sign this account out") }
  }
}

struct Library: TokenProvider {
  func silentToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    guard let clientID = request.signIn.clientID else { throw .library(code: 0, "no client id") }
    let token = AccessToken("\(clientID) \(request.account) \(request.scopes)", expires: 1_900_000_000_000_000_000)
    return token.isValid(at: 0) && !token.secret.isEmpty ? token : AccessToken("anew")
  }
  func interactiveToken(_ request: TokenRequest) async throws(TokenFailure) -> AccessToken {
    if request.isRenewal { print("the service refused the last token") }
    throw request.capabilities.contains(TokenRequest.capability) ? .canceled : .interactionRequired
  }
}

struct Dialogs: PresentationDelegate {
  func present(_ appearance: Appearance) async { print("colors: \(appearance)") }
  func policyMissing(isBlocking: Bool) async -> Bool { !isBlocking }  // whether the user dismissed the warning
  func askLogin() async -> LoginReply? { .canceled }
  func chooseAccount(_ account: AccountNumber, existing: AccountNumber) async -> AccountChoice? { .keepExisting }
  func accountConflict(_ account: AccountNumber, existing: AccountNumber) async {
    print("\(account) is not \(existing)")
  }
  func restartNeeded(reason: RestartReason) async -> RestartChoice { .postponed(minutes: 15) }
  func restartOverdue(reason: RestartReason) async { print("end the app: \(reason.name)") }
  func conditionalLaunch(account: AccountNumber, outcome: LaunchOutcome, rule: LaunchRule) async {
    print(rule.statement)
  }
  func answerLaunch(_ prompt: LaunchPrompt) async -> LaunchReply? {
    print(prompt.decision.reason, prompt.refusal ?? "", prompt.pinSetAt == nil ? "there is no PIN yet" : "")
    return nil  // leaves the question open
  }
  func sharingBlocked(rule: String, reason: String) async { print(reason) }
}

@MainActor
final class Delegates: PolicyDelegate, EnrollmentDelegate, ComplianceDelegate {
  // What the engine asks of the app.
  nonisolated func wipeData(account: AccountNumber) async -> Bool { false }  // the engine removes the files
  func restartApplication() -> Bool { false }  // the user is asked
  func addAccount(account: AccountNumber) -> AddIdentityResult { .success }
  func shouldRename(account: AccountNumber, to userPrincipalName: String) -> Bool { true }
  func identitySwitchRequired(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) -> SwitchIdentityResult { .success }  // once the notes of another account are off the screen
  // What it tells the app.
  func policyDidChange(account: AccountNumber) { print("ask again what \(account) may do") }
  func dataProtectionDidChange(account: AccountNumber) { print("encrypt or decrypt the files of \(account)") }
  func configurationDidChange(account: AccountNumber?) { print("read the configuration again") }
  func userStatusDidChange(account: AccountNumber) { print("look at the shift of \(account)") }
  func allowedAccountsDidChange() { print("sign out who may not stay") }
  func wipeDidComplete(account: AccountNumber) { print("the data of \(account) is gone") }
  func policyRequest(_ result: EnrollmentResult) { print(result.errorString) }
  func unenrollRequest(_ result: EnrollmentResult) { print(result.errorString) }
  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String) {
    print(title, message, status == .compliant)
  }
}

struct Pages: WebViewPolicyDelegate {
  func isExternalURL(_ url: String) async -> Bool { !url.hasPrefix("https://contoso.com/") }
}

final class Keeper: PINKeeper {
  // In an app: durable, in the keychain.
  private let codes = Mutex<(kept: [[UInt8]], proposed: (code: [UInt8], setAt: Int64?)?)>(([], nil))
  private let code: @Sendable (String) -> [UInt8]
  init(code: @escaping @Sendable (String) -> [UInt8]) { self.code = code }  // such as an HMAC by a key of the keychain
  func isRight(_ pin: String) -> Bool { age(of: pin) == 1 }
  func age(of pin: String) -> UInt32? {
    codes.withLock { codes in codes.kept.lastIndex(of: code(pin)).map { UInt32(codes.kept.count - $0) } }
  }
  func propose(_ pin: String, replacing setAt: Int64?) -> Bool {
    codes.withLock { $0.proposed = (code(pin), setAt) }
    return true
  }
  func resolveProposal(_ setAt: Int64?) {
    codes.withLock { codes in
      guard let (code, before) = codes.proposed else { return }
      if let setAt, setAt != before { codes.kept.append(code) }
      codes.proposed = nil
    }
  }
}

struct Counter: TelemetryDelegate {
  func record(_ event: TelemetryEvent) async {
    switch event.kind {
    case .launch(let managedAccounts): print(event.appVersion, "launched with", managedAccounts)
    case .enrollment(let name, let code): print(name, code?.rawValue ?? 0, event.isTest)
    case .action(let name): print(name, event.wallNanoseconds, event.policySource)
    }
    print(event.sdkVersion, event.osVersion, event.deviceModel)
  }
}

func listedAppExample(
  bytes: [UInt8], store: EventStore<AppProtectionMachine>, service: some PolicyService, files: some FileRemover,
  app: some PresentationDelegate & TelemetryDelegate
) throws -> PolicyEngine {
  let document = try SettingsDocument.read(bytes, file: "Info.plist")
  let engine = PolicyEngine(
    store: store, service: service, files: files, delegates: .init(presentation: app, telemetry: app),
    propertyList: document, logging: Logging(to: try FileLog(at: "app.log")))
  return engine
}
