import AppProtection
import AppProtectionKit
import EventSourcing

/// Drives an engine for a scenario, whose app and service answer at once.
protocol ScenarioDriver {
  /// The state of the engine.
  var state: AppProtectionState { get }
  /// The time when work comes due on its own.
  var nextDue: Int64? { get }

  /// The driver of an engine on a store.
  init(
    store: EventStore<AppProtectionMachine>, clock: ScriptClock, app: ScriptedApp, observer: RunObserver,
    recordsRefusals: Bool, deliveries: any DeliveryLog)

  /// Begins the process.
  func launch(_ process: ProcessStart, settings: AppSettings) throws(EngineError)
  /// Decides a command.
  func send(_ command: AppProtectionCommand) throws(EngineError)
  /// Carries out all pending work.
  func run() throws(EngineError)
  /// Ends the process.
  func end() throws(EngineError)
}

/// The driver that never suspends.
struct SynchronousDriver: ScenarioDriver {
  private let core: EngineCore
  private let app: ScriptedApp

  init(
    store: EventStore<AppProtectionMachine>, clock: ScriptClock, app: ScriptedApp, observer: RunObserver,
    recordsRefusals: Bool, deliveries: any DeliveryLog
  ) {
    core = EngineCore(
      store: store, clock: clock, observer: observer, recordsRefusals: recordsRefusals, deliveries: deliveries)
    self.app = app
  }

  var state: AppProtectionState { core.state }

  var nextDue: Int64? { core.nextDue }

  func launch(_ process: ProcessStart, settings: AppSettings) throws(EngineError) {
    try core.start(process, settings: settings)
    try run()
  }

  func send(_ command: AppProtectionCommand) throws(EngineError) {
    try core.send(command)
  }

  func run() throws(EngineError) {
    guard try core.beginRun() else { return }
    do throws(EngineError) {
      while let step = try core.nextStep() { try carryOut(step) }
    } catch {
      core.stopRun()
      throw error
    }
  }

  func end() throws(EngineError) {
    try core.send(.endProcess)
    // The observer records the notices to the app; the app itself does nothing about it.
    while core.nextCallback() != nil { core.didTell() }
    try core.close()
  }

  private func carryOut(_ step: EngineStep) throws(EngineError) {
    switch step {
    case .tell: core.didTell()
    case .awaitAnswer: break
    case .tellRestartOverdue(let inquiry): try core.answer(inquiry, with: ())
    case .tellRemediation(let inquiry): try core.answer(inquiry, with: ())
    case .enroll(let inquiry): try core.answer(inquiry, with: app.service.enroll(inquiry.subject))
    case .checkIn(let inquiry): try core.answer(inquiry, with: app.service.checkIn(inquiry.subject))
    case .unenroll(let inquiry): try core.answer(inquiry, with: app.service.unenroll(inquiry.subject))
    case .remediate(let inquiry, let isSilent):
      try core.answer(inquiry, with: app.service.remediate(inquiry.subject, isSilent: isSilent))
    case .wipeData(let inquiry): try core.answer(inquiry, with: app.wipeData(account: inquiry.subject))
    case .removeFiles(let inquiry): try core.answer(inquiry, with: app.service.removeFiles(of: inquiry.subject))
    case .restart(let inquiry):
      let reply: RestartReply =
        app.restartApplication() ? .appRestartsItself : .user(app.restartNeeded(reason: inquiry.subject))
      try core.answer(inquiry, with: reply)
    case .chooseAccount(let inquiry):
      let (account, existing) = (inquiry.subject.account, inquiry.subject.existing)
      try core.answer(inquiry, with: app.chooseAccount(account, existing: existing))
    case .askLogin(let inquiry): try core.answer(inquiry, with: app.askLogin())
    case .switchIdentity(let inquiry):
      let (scope, identity, reason) = (inquiry.subject.scope, inquiry.subject.identity, inquiry.subject.reason)
      try core.answer(inquiry, with: app.identitySwitchReply(scope: scope, identity: identity, reason: reason))
    case .addAccount(let inquiry): try core.answer(inquiry, with: app.addAccount(account: inquiry.subject))
    }
  }
}
