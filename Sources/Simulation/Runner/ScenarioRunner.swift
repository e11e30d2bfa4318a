import AppProtection
import AppProtectionKit
import EventSourcing
import JSON
import Journal
import PlainText

/// Runs scenarios through the real engine.
public enum ScenarioRunner {
  /// Runs a scenario, writing a real journal.
  ///
  /// The journal is kept if expectations are not met, so that it can be inspected. It is removed if the scenario cannot
  /// be run to its end.
  ///
  /// - Parameters:
  ///   - scenario: The scenario to run.
  ///   - path: The journal's folder, which must not exist; it is created.
  ///   - onStep: Called after every step.
  /// - Returns: The number of events, and every unmet expectation.
  /// - Throws: ``ScenarioError`` if the scenario cannot be run to its end.
  public static func run(
    _ scenario: Scenario, into path: String, onStep: () -> Void = {}
  ) throws(ScenarioError) -> ScenarioResult {
    try run(scenario, into: path, on: PosixFileSystem(), onStep: onStep)
  }

  /// Runs a scenario like ``run(_:into:onStep:)``, and also returns the types of all events in their order.
  ///
  /// - Parameter onStep: Called after every step with the number of events so far.
  package static func runListingEvents(
    _ scenario: Scenario, into path: String, onStep: (Int) -> Void
  ) throws(ScenarioError) -> (result: ScenarioResult, types: [String]) {
    let (result, observer) = try observe(scenario, into: path, on: PosixFileSystem(), SynchronousDriver.self) {
      onStep($0.count(of: .events))
    }
    return (result, observer.items(of: .events, from: 0))
  }

  static func run(
    _ scenario: Scenario, into path: String, on fileSystem: any FileSystem,
    driver: any ScenarioDriver.Type = SynchronousDriver.self, onStep: () -> Void = {}
  ) throws(ScenarioError) -> ScenarioResult {
    try observe(scenario, into: path, on: fileSystem, driver) { _ in onStep() }.result
  }

  private static func observe(
    _ scenario: Scenario, into path: String, on fileSystem: any FileSystem, _ driver: any ScenarioDriver.Type,
    onStep: (RunObserver) -> Void
  ) throws(ScenarioError) -> (result: ScenarioResult, observer: RunObserver) {
    guard !ScenarioFiles.exists(path) else {
      throw ScenarioError(
        .targetExists, file: path, message: "the path already exists, and existing files are never overwritten",
        remedy: "name a folder that does not exist, or remove this one")
    }
    var run = ScenarioRun(scenario, into: path, on: fileSystem, driver: driver)
    do throws(ScenarioError) {
      try scenario.steps.forEach { (step) throws(ScenarioError) in
        try run.carryOut(step)
        onStep(run.observer)
      }
      return (try run.finish(), run.observer)
    } catch {
      run.abandon()
      throw error
    }
  }
}

/// One run of a scenario: the current or most recent process and its environment.
struct ScenarioRun: ~Copyable {
  /// A refusal, kept until an expectation checks it.
  struct UncheckedRefusal {
    /// The rule that refused the command.
    var rule: String
    /// The reason, as a sentence.
    var reason: String
    /// The place of the step.
    var position: JSONPosition
  }

  let scenario: Scenario
  let path: String
  let clock: ScriptClock
  let names: ScenarioAccountNames
  let service: ScriptedService
  let app: ScriptedApp
  let observer: RunObserver
  /// How far the app was notified, which survives its processes.
  let deliveries = MemoryDeliveryLog()
  /// The running process; `nil` if none is running.
  var engine: (any ScenarioDriver)?
  /// What drives each process.
  let driver: any ScenarioDriver.Type
  /// The file system that holds the processes' files.
  let baseFileSystem: any FileSystem
  var fileSystem: SimulatedFileSystem
  /// The state when last read, for expectations while no process runs.
  var lastState = AppProtectionMachine.initialState
  /// The settings with which the app launches.
  var settings: AppSettings
  /// The version of the app that launches.
  var appVersion: String
  /// The device it launches on.
  var device: Scenario.Device
  /// Number of boot sessions of the device so far.
  var boots = 1
  var isCreated = false
  /// Why the last command was refused, kept until an expectation checks it.
  var refusal: UncheckedRefusal?
  /// Where counting starts for expectations about each list.
  var marks: [ExpectedList: Int] = [:]
  /// Work that the process created, by label.
  var works: [String: Work] = [:]
  /// The identity that running work changed to, by its label.
  var changedIdentities: [String: Identity] = [:]
  /// The enrollment ids cached by the token library.
  var enrollmentIDs = EnrollmentIDCache(entries: [])
  var unmet: [UnmetExpectation] = []
  var damages: [(damage: Damage, position: JSONPosition)] = []

  init(
    _ scenario: Scenario, into path: String, on base: any FileSystem, driver: any ScenarioDriver.Type
  ) {
    self.scenario = scenario
    self.driver = driver
    baseFileSystem = base
    fileSystem = SimulatedFileSystem(base)
    self.path = path
    clock = ScriptClock(wallNanoseconds: scenario.startNanoseconds)
    names = ScenarioAccountNames(scenario.accounts)
    service = ScriptedService(scenario, names)
    app = ScriptedApp(service)
    observer = RunObserver(names)
    settings = scenario.app.settings
    appVersion = scenario.app.version
    device = scenario.device
  }

  /// The state of the running process, or the last state of the previous one.
  var state: AppProtectionState { engine?.state ?? lastState }

  /// Carries out one step.
  mutating func carryOut(_ step: ScenarioStep) throws(ScenarioError) {
    if let refusal, !step.action.asksForRefusal { reportUnexpected(refusal) }
    switch step.action {
    case .launch(let isExtension): try launch(step, isExtension: isExtension)
    case .exit: try exit(step)
    case .restart:
      try exit(step)
      try launch(step)
    case .reboot:
      try exit(step)
      clock.reboot()
      boots += 1
      try launch(step)
    case .update(let app, let os, let sdk):
      appVersion = app ?? appVersion
      device.os = os ?? device.os
      device.sdk = sdk ?? device.sdk
    case .crash(let point): try crash(point, step)
    case .clock(let change): try move(change, step)
    case .service(let scripts): for script in scripts { service.answer(script) }
    case .files(let scripts): for script in scripts { service.place(script) }
    case .compliance(let scripts): for script in scripts { service.answer(script) }
    case .delegate(let answers): app.answer(answers)
    case .command(let command): try send(command, step)
    case .file(let file): try carryOut(file, step)
    case .work(let work): try carryOut(work, step)
    case .enrollmentIDs(let entries): enrollmentIDs = EnrollmentIDCache(entries: entries)
    case .expect(let expectation): check(expectation)
    case .damage(let damage): damages.append((damage, step.position))
    }
  }

  /// Closes the process, applies the requested damage, and returns the outcome.
  mutating func finish() throws(ScenarioError) -> ScenarioResult {
    if let refusal { reportUnexpected(refusal) }
    if let point = observer.pendingCrash, let type = point.eventType {
      throw ScenarioError(
        .crashNotReached, file: scenario.file, message: "the crash at \(type) was never reached",
        remedy: "let an event of this type happen after the step, or remove the step")
    }
    guard isCreated else {
      throw ScenarioError(
        .neverLaunched, file: scenario.file, message: "no step launches the app, so no journal is written",
        remedy: "begin \"steps\" with {\"launch\": {}}")
    }
    if engine != nil { try exit(ScenarioStep(.exit)) }
    let eventCount = try countEvents()
    for (damage, position) in damages { try inflict(damage, at: position) }
    var warnings = names.unmentioned.map { "account \($0) never occurs" }
    let delivered = service.deliveredPolicies
    warnings += scenario.policies.map(\.name).filter { !delivered.contains($0) }.map {
      "policy \($0) is never delivered"
    }
    return ScenarioResult(eventCount: eventCount, unmet: unmet, warnings: warnings)
  }

  /// The number of events in the journal, which may exceed what the engine knew of when it crashed.
  private func countEvents() throws(ScenarioError) -> Int {
    guard isCreated else { return 0 }
    do throws(HistoryError) {
      return Int(clamping: try History<AppProtectionMachine>(at: path).lastSequence())
    } catch {
      throw ScenarioError(.journal, file: path, message: error.message, remedy: error.remedy)
    }
  }

  /// Releases everything and removes what was written.
  mutating func abandon() {
    fileSystem.crash()
    engine = nil
    if isCreated { ScenarioFiles.removeFolder(path) }
  }

  // MARK: The process

  private mutating func launch(_ step: ScenarioStep, isExtension: Bool? = nil) throws(ScenarioError) {
    guard engine == nil else {
      throw outOfPlace(step, "the app is already running", "write \"restart\", or let it exit or crash first")
    }
    fileSystem = SimulatedFileSystem(baseFileSystem)
    observer.watch(fileSystem)
    engine = driver.init(
      store: try openStore(step), clock: clock, app: app, observer: observer,
      recordsRefusals: scenario.app.recordsRefusals, deliveries: deliveries)
    var launched = scenario.app
    launched.version = appVersion
    launched.isExtension = isExtension ?? launched.isExtension
    var process = ProcessStart(launched, device)
    process.bootSession = bootSession
    let settings = settings
    try drive(step) { (engine) throws(EngineError) in try engine.launch(process, settings: settings) }
  }

  private mutating func openStore(_ step: ScenarioStep) throws(ScenarioError) -> EventStore<AppProtectionMachine> {
    var options = StoreOptions()
    options.journal.segmentSizeLimit = UInt64(scenario.journal.segmentSize)
    options.journal.syncPolicy = scenario.journal.sync == .everyCommit ? .everyCommit : .none
    // After a crash the journal keeps its reserved space; a few kilobytes are enough to show it.
    options.journal.preallocation = 4_096
    let isNew = !isCreated
    do throws(HistoryError) {
      if isCreated {
        let store = try EventStore<AppProtectionMachine>.open(at: path, options: options, fileSystem: fileSystem)
        let unheard = try store.recordedEvents(after: UInt64(observer.count(of: .events)))
        observer.adopt(unheard.map(\.typeName))
        names.learn(store.state)
        return store
      }
      let store = try EventStore<AppProtectionMachine>.create(
        at: path, journalID: scenario.journal.id, createdNanoseconds: clock.now().wallNanoseconds, options: options,
        fileSystem: fileSystem)
      isCreated = true
      return store
    } catch {
      if case .journal(let refusal) = error, refusal.code == .noSpace { throw failed(refusal, step) }
      throw ScenarioError(
        .journal, file: path, message: error.message,
        remedy: isNew
          ? "name a new folder inside one that exists and can be written to"
          : "see the step at \(step.position) of the scenario")
    }
  }

  private mutating func exit(_ step: ScenarioStep) throws(ScenarioError) {
    try drive(step) { (engine) throws(EngineError) in try engine.end() }
    if let engine { lastState = engine.state }
    processEnded()
  }

  /// Discards everything that lives in the process.
  private mutating func processEnded() {
    engine = nil
    (works, changedIdentities) = ([:], [:])
  }

  private mutating func crash(_ point: CrashPoint, _ step: ScenarioStep) throws(ScenarioError) {
    guard point == .now else {
      observer.arm(point)
      return
    }
    guard let engine else {
      throw outOfPlace(step, "no process is running that could crash", "launch the app first")
    }
    lastState = engine.state
    fileSystem.crash()
    processEnded()
  }

  // MARK: Commands and time

  private mutating func send(_ command: AppProtectionCommand, _ step: ScenarioStep) throws(ScenarioError) {
    // As the enrollment manager does, the app reports only tokens of accounts that the journal knows.
    if let engine, let account = command.tokenAccount, engine.state.account(for: account) == nil { return }
    try drive(step) { (engine) throws(EngineError) in
      try engine.send(command)
      try engine.run()
    }
    if case .changeSettings(let changed) = command, refusal == nil { settings = changed }
    if case .reportDevice(let facts) = command, refusal == nil { device.facts = facts }
  }

  private mutating func move(_ change: ClockChange, _ step: ScenarioStep) throws(ScenarioError) {
    let isInRange: Bool
    switch change {
    case .wait(let nanoseconds): isInRange = try pass(nanoseconds, step)
    case .at(let time):
      let (length, overflow) = time.subtractingReportingOverflow(clock.now().wallNanoseconds)
      guard !overflow, length >= 0 else {
        throw outOfPlace(
          step, "the clock already shows \(CivilTime(nanoseconds: clock.now().wallNanoseconds).text)",
          "name a later time, or set the clock back with the step \"clock\"")
      }
      isInRange = try pass(length, step)
    case .setBack(let nanoseconds): isInRange = clock.setWall(by: -nanoseconds)
    case .setAhead(let nanoseconds): isInRange = clock.setWall(by: nanoseconds)
    case .offset(let nanoseconds):
      clock.setOffset(nanoseconds)
      isInRange = true
    }
    guard isInRange else {
      throw outOfPlace(step, "the clock would leave the years 1678 to 2261", "move it by less")
    }
    guard engine != nil else { return }
    try drive(step) { (engine) throws(EngineError) in try engine.run() }
  }

  /// The most stops in one step, so that a scenario of a few bytes cannot write an endless journal.
  private static let maximumStops = 10_000

  /// Lets time pass. While the app runs, the clock stops whenever work is due, as a scheduler would wake the app.
  private mutating func pass(_ nanoseconds: Int64, _ step: ScenarioStep) throws(ScenarioError) -> Bool {
    let (target, overflow) = clock.now().wallNanoseconds.addingReportingOverflow(nanoseconds)
    guard !overflow else { return false }
    var stops = 0
    while let due = engine?.nextDue, due > clock.now().wallNanoseconds, due <= target {
      guard clock.advance(by: due - clock.now().wallNanoseconds) else { return false }
      try drive(step) { (engine) throws(EngineError) in try engine.run() }
      stops += 1
      guard stops < Self.maximumStops else {
        throw outOfPlace(
          step, "more than \(Self.maximumStops) tasks come due in this time", "let the app exit before a long wait")
      }
    }
    return clock.advance(by: target - clock.now().wallNanoseconds)
  }

  /// Calls the process; afterwards it may have crashed.
  private mutating func drive(
    _ step: ScenarioStep, _ body: (any ScenarioDriver) throws(EngineError) -> Void
  ) throws(ScenarioError) {
    guard let engine else {
      throw outOfPlace(step, "the app is not running", "launch it first")
    }
    do throws(EngineError) {
      try body(engine)
    } catch .refused(let refused) {
      refusal = UncheckedRefusal(rule: refused.rule, reason: refused.explanation, position: step.position)
      // The callbacks of the refusal itself still count.
      do throws(EngineError) { try engine.run() } catch { try fail(error, engine, step) }
    } catch {
      try fail(error, engine, step)
    }
    if let question = service.removeUnanswered() {
      throw ScenarioError(
        .unanswered, file: scenario.file, at: step.position,
        message: "the service is asked \(question), but the scenario gives no answer",
        remedy: "add a step \"service\" or \"compliance\" before this one")
    }
  }

  /// Distinguishes a crash that the scenario wanted from an error.
  private mutating func fail(
    _ error: EngineError, _ engine: any ScenarioDriver, _ step: ScenarioStep
  ) throws(ScenarioError) {
    guard fileSystem.hasCrashed else {
      switch error {
      case .store(.journal(let refusal)), .store(.history(.journal(let refusal))): throw failed(refusal, step)
      case .refused, .store, .spool, .interrupted, .canceled, .endedByDelegate, .ended, .notSettling: break
      }
      throw ScenarioError(
        .journal, file: scenario.file, at: step.position, message: names.named("\(error)"), remedy: "see the reason")
    }
    observer.disarm()
    lastState = engine.state
    processEnded()
  }

  /// An error of the target's device concerns the target, not the scenario.
  private func failed(_ error: JournalError, _ step: ScenarioStep) -> ScenarioError {
    ScenarioError(
      .journal, file: path, message: error.message,
      remedy: error.code == .noSpace
        ? "free some space, and run the scenario again"
        : "see the step at \(step.position) of \(scenario.file): \(error.remedy)")
  }
}
