import AppProtection
import AppProtectionKit
import AppProtectionQueues
import Dispatch
import EventSourcing
import Foundation

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
    if let allowed = enrollment.allowedAccounts { show("only \(allowed.count) may sign in") }
    show(enrollment.deviceAccount?.userPrincipalName ?? "the device is not managed")
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

  func complianceExample() async throws {
    if !engine.compliance.isRemediationInProgress(for: alice) {
      try await engine.compliance.remediate(alice, isSilent: false)
    }
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

  func presentationExample() -> PolicyEngine.Delegates {
    let delegates = PolicyEngine.Delegates(presentation: TerminalPresentation())
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
