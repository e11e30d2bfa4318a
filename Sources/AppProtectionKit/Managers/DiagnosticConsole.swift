import AppProtection
import EventSourcing

/// What support asks for first, as a document (`IntuneMAMDiagnosticConsole`).
///
/// ```swift
/// let information = engine.diagnostics.information()
/// for leaf in information.leaves() where leaf.path.hasSuffix("/status") { show("\(leaf.path): \(leaf.value)") }
/// ```
///
/// Everything in it is read from the state. The journal itself says more: `pj export` makes one file of it to send.
public struct DiagnosticConsole: Sendable {
  let engine: PolicyEngine

  /// The device, the app, the journal, and every account with its policy settings, under the names of the SDK's console where
  /// it has one. A personal value is marked as such, so that what prints the document decides whether it shows it.
  public func information() -> StateTree {
    let version = engine.store.version
    let state = version.state
    let device: [StateTree.Member] = [
      .init("iOSVersion", .text(state.process.osVersion)), .init("model", .text(state.process.deviceModel)),
      .init("mdmEnrolledAccount", state.settings.deviceAccount.map { .name($0.description) } ?? .unset),
    ]
    let app: [StateTree.Member] = [
      .init("version", .text(state.process.appVersion)), .init("sdkVersion", .text(state.process.sdkVersion)),
      .init("libraryVersion", .text(Version.package)),
      .init("policySource", .name(state.policySource.name)), .init("isRunning", .bool(state.process.isRunning)),
      .init("lastEvent", .sequence(version.sequence)), .init("nextDue", engine.nextDue.map { .time($0) } ?? .unset),
      // A path may hold the name of the user whose device it is.
      .init("logPaths", .list(engine.logger.paths.map { .personal($0, .account) })),
      .init("isTelemetryOn", .bool(engine.telemetry != nil)),
    ]
    return .members([
      .init("device", .members(device)), .init("app", .members(app)), .init("settings", state.settings.tree()),
      .init("accounts", .members(state.accounts.records.map { account($0, in: state) })),
    ])
  }

  private func account(_ account: Account, in state: AppProtectionState) -> StateTree.Member {
    let enrollment = account.enrollment
    let launch = state.conditionalLaunch(for: account.account, at: engine.clock.now())
    return .init(
      account.account.description,
      .members([
        .init("accountId", account.objectID.map { .personal($0.description, .account) } ?? .unset),
        .init("upn", account.userPrincipalName.map { .personal($0, .account) } ?? .unset),
        .init("status", .name(enrollment.status.name)),
        .init("lastCode", enrollment.lastCode.map { .integer(Int64($0.rawValue)) } ?? .unset),
        .init("lastAttemptedCheckIn", enrollment.lastAttemptedCheckIn.map { .time($0) } ?? .unset),
        .init("lastCompletedCheckIn", enrollment.lastCompletedCheckIn.map { .time($0) } ?? .unset),
        .init("nextCheckIn", enrollment.nextCheckIn.map { .time($0) } ?? .unset),
        .init("launch", .name(launch.outcome.name)), .init("launchRule", .name(launch.rule.id)),
        .init("policySettings", state.enforcedPolicy(for: .account(account.account))?.tree() ?? .value(.unset)),
      ]))
  }
}

extension PolicyEngine {
  /// What support asks for first.
  public var diagnostics: DiagnosticConsole { DiagnosticConsole(engine: self) }
}
