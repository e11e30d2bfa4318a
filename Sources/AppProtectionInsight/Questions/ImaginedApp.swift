import AppProtection
import EventSourcing

/// An app that has just applied its accounts' policies: what questions about policies are asked of where there is no journal.
///
/// The machine's own rules make its state, from the commands that an app, its user and the service would send, all at one
/// moment.
///
/// ```swift
/// var app = try ImaginedApp(process, settings: AppSettings())
/// try app.enroll(AccountReference("ada@contoso.com")!, with: policy)
/// try app.restart()
/// try app.open(AccountReference("ada@contoso.com")!)
/// app.state.answer(.managed(.first), at: app.moment)
/// ```
public struct ImaginedApp: Sendable {
  /// What the commands lead to.
  public private(set) var state = AppProtectionMachine.initialState
  /// When all of it happens.
  public let moment: Moment
  private let process: ProcessStart
  private var lastSequence: UInt64 = 0

  /// Starts the app.
  public init(
    _ process: ProcessStart, settings: AppSettings, at moment: Moment = Moment(wallNanoseconds: 1)
  ) throws(AppProtectionRejection) {
    (self.process, self.moment) = (process, moment)
    try send(.startProcess(process, settings: settings))
  }

  /// Decides a command.
  public mutating func send(_ command: AppProtectionCommand) throws(AppProtectionRejection) {
    var explanation = Explanation()
    let decided = try AppProtectionMachine.decide(
      command, in: state, at: EventContext(sequence: lastSequence + 1, moment: moment), explanation: &explanation)
    lastSequence += UInt64(decided.events.count)
    state = decided.state
  }

  /// Enrolls an account for which the service has a policy. The first one applies after ``restart()``.
  public mutating func enroll(
    _ account: AccountReference, with policy: PolicyDocument
  ) throws(AppProtectionRejection) {
    try send(.registerAndEnroll(account))
    try send(.answerEnrollment(account, .policy(policy)))
  }

  /// Opens the app for an account: its user chooses a PIN and signs in, where the policy demands it and nothing else keeps the
  /// app closed.
  public mutating func open(_ account: AccountReference) throws(AppProtectionRejection) {
    guard let number = state.account(for: account)?.account else { return }
    func findings(_ state: AppProtectionState) -> [LaunchFinding] {
      state.conditionalLaunch(for: number, at: moment).findings
    }
    if findings(state).contains(where: { $0.rule == .pinMissing }), let policy = state.policies[number]?.document {
      try send(.setPIN(account, PINFacts(for: policy.access)))
    }
    // An evaluation acts on what keeps the app closed: it orders a wipe.
    guard findings(state).first?.rule == .signIn else { return }
    try send(.evaluateLaunch(account, .launch))
    try send(.signInForLaunch(account, as: account))
    // A warning stays to be shown.
    if findings(state).isEmpty { try send(.evaluateLaunch(account, .launch)) }
  }

  /// Ends the process and starts the next one.
  public mutating func restart() throws(AppProtectionRejection) {
    try send(.endProcess)
    try send(.startProcess(process))
  }
}

extension PINFacts {
  /// A PIN that a policy lets the user choose.
  fileprivate init(for access: PolicyDocument.Access) {
    self.init()
    length = UInt32(clamping: max(access.minimumPinLength ?? 0, 4))
    hasDigit = true
    let isNumeric = access.pinCharacterSet ?? .numeric == .numeric
    (hasLetter, hasSymbol) = (!isNumeric, !isNumeric)
  }
}
