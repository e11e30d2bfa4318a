import AppProtection
import AppProtectionKit
import EventSourcing
import JSON
import Journal

/// Runs scenarios.
public enum ScenarioRunner {
  /// Runs a scenario through the real engine, which writes a real journal.
  ///
  /// The journal stays when expectations are not met: it is what one looks at then. It does not stay when the scenario
  /// cannot be run to its end.
  ///
  /// - Parameters:
  ///   - scenario: What happens.
  ///   - path: The journal's folder. It is created; nothing may be there.
  ///   - onStep: Called after every step.
  /// - Returns: How many events there are, and every expectation that was not met.
  /// - Throws: A ``ScenarioError`` when the scenario cannot be run to its end.
  public static func run(
    _ scenario: Scenario, into path: String, onStep: () -> Void = {}
  ) throws(ScenarioError) -> ScenarioResult {
    try run(scenario, into: path, on: PosixFileSystem(), onStep: onStep)
  }

  static func run(
    _ scenario: Scenario, into path: String, on fileSystem: any FileSystem, onStep: () -> Void = {}
  ) throws(ScenarioError) -> ScenarioResult {
    guard !Platform.exists(path) else {
      throw ScenarioError(
        .targetExists, file: path, message: "something is there already, and nothing is ever overwritten",
        remedy: "name a folder that does not exist, or remove this one")
    }
    var run = ScenarioRun(scenario, into: path, on: fileSystem)
    do throws(ScenarioError) {
      for step in scenario.steps {
        try run.carryOut(step)
        onStep()
      }
      return try run.finish()
    } catch {
      run.abandon()
      throw error
    }
  }
}

/// One run of a scenario: the process that runs, or that ran last, and everything around it.
struct ScenarioRun {
  /// Something that was refused, until an expectation asks for it.
  struct Refusal {
    /// The rule that refused.
    var rule: String
    /// Why, in a sentence.
    var reason: String
    /// Where the step stands.
    var position: JSONPosition
  }

  let scenario: Scenario
  let path: String
  let clock: ScriptClock
  let names: AccountNames
  let service: ScriptedService
  let app: ScriptedApp
  let observer: RunObserver
  /// The process that runs; `nil` while none does.
  var engine: PolicyEngine?
  /// Where the processes' files are.
  let baseFileSystem: any FileSystem
  var fileSystem: SimulatedFileSystem
  /// The state when it was last looked at, for expectations while no process runs.
  var lastState = AppProtectionMachine.initialState
  /// The settings with which the app is launched.
  var settings: AppSettings
  /// The version of the app that is launched.
  var appVersion: String
  /// The device on which it is launched.
  var device: Scenario.Device
  /// The device's boot sessions so far.
  var boots = 1
  var isCreated = false
  /// Why the last command was refused, until an expectation asks for it.
  var refusal: Refusal?
  /// Where expectations about a list begin to count.
  var marks: [ExpectedList: Int] = [:]
  /// The work that the process created, by its labels.
  var works: [String: Work] = [:]
  /// What the app overrode last, and how many events there were then.
  var setOverrides = (overrides: TokenLibraryOverrides(), after: 0)
  /// The enrollment ids that the token library keeps.
  var enrollmentIDs = EnrollmentIDCache(entries: [])
  var unmet: [UnmetExpectation] = []
  var damages: [(damage: Damage, position: JSONPosition)] = []

  init(_ scenario: Scenario, into path: String, on base: any FileSystem = PosixFileSystem()) {
    self.scenario = scenario
    baseFileSystem = base
    fileSystem = SimulatedFileSystem(base)
    self.path = path
    clock = ScriptClock(wallNanoseconds: scenario.startNanoseconds)
    names = AccountNames(scenario.accounts)
    service = ScriptedService(scenario, names)
    app = ScriptedApp(service)
    observer = RunObserver(names)
    settings = scenario.app.settings
    appVersion = scenario.app.version
    device = scenario.device
  }

  /// The state as the process that runs has it, or the last one had it.
  var state: AppProtectionState { engine?.state ?? lastState }

  /// Carries out one step.
  mutating func carryOut(_ step: ScenarioStep) throws(ScenarioError) {
    if let refusal, !step.action.asksForRefusal { noteUnexpected(refusal) }
    switch step.action {
    case .launch: try launch(step)
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
    case .overrides(let overrides): setOverrides = (overrides, observer.events.count)
    case .enrollmentIDs(let entries): enrollmentIDs = EnrollmentIDCache(entries: entries)
    case .expect(let expectation): check(expectation)
    case .damage(let damage): damages.append((damage, step.position))
    }
  }

  /// Closes what is open, does the harm that was asked for, and says what came of it all.
  mutating func finish() throws(ScenarioError) -> ScenarioResult {
    if let refusal { noteUnexpected(refusal) }
    if let point = observer.pendingCrash, let type = point.eventType {
      throw ScenarioError(
        .crashNotReached, file: scenario.file, message: "the crash at \(type) was never reached",
        remedy: "let an event of this type happen after the step, or remove the step")
    }
    guard isCreated else {
      throw ScenarioError(
        .neverLaunched, file: scenario.file, message: "no step launches the app, so that there is nothing to write",
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

  /// How many events the journal holds, which may be more than the engine heard of before it died.
  private func countEvents() throws(ScenarioError) -> Int {
    guard isCreated else { return 0 }
    do throws(HistoryError) {
      return Int(clamping: try History<AppProtectionMachine>(at: path).lastSequence())
    } catch {
      throw ScenarioError(.journal, file: path, message: error.message, remedy: error.remedy)
    }
  }

  /// Lets go of everything and removes what was written.
  mutating func abandon() {
    fileSystem.crash()
    engine = nil
    if isCreated { Platform.removeFolder(path) }
  }

  // MARK: The process

  private mutating func launch(_ step: ScenarioStep) throws(ScenarioError) {
    guard engine == nil else {
      throw outOfPlace(step, "the app is running already", "write \"restart\", or let it exit or crash before")
    }
    fileSystem = SimulatedFileSystem(baseFileSystem)
    observer.watch(fileSystem)
    let delegates = PolicyEngine.Delegates(enrollment: app, policy: app, compliance: app, presentation: app)
    engine = PolicyEngine(
      store: try openStore(step), clock: clock, service: service, files: service, delegates: delegates,
      observer: observer)
    var process = ProcessStart()
    process.bootSession = bootSession
    process.appVersion = appVersion
    process.sdkVersion = device.sdk
    process.osVersion = device.os
    process.deviceModel = device.model
    process.isExtension = scenario.app.isExtension
    process.device = device.facts
    let settings = settings
    try drive(step) { (engine) throws(EngineError) in try engine.launch(process, settings: settings) }
  }

  private mutating func openStore(_ step: ScenarioStep) throws(ScenarioError) -> EventStore<AppProtectionMachine> {
    var options = StoreOptions()
    options.journal.segmentSizeLimit = UInt64(scenario.journal.segmentSize)
    options.journal.syncPolicy = scenario.journal.sync == .everyCommit ? .everyCommit : .none
    // A journal that ends in a crash keeps what was reserved; a few kilobytes are enough to show it.
    options.journal.preallocation = 4_096
    let isNew = !isCreated
    do throws(HistoryError) {
      if isCreated {
        let store = try EventStore<AppProtectionMachine>.open(at: path, options: options, fileSystem: fileSystem)
        let unheard = try store.recordedEvents(after: UInt64(observer.events.count))
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

  /// Nothing that lives in a process outlives it.
  private mutating func processEnded() {
    engine = nil
    works = [:]
  }

  private mutating func crash(_ point: CrashPoint, _ step: ScenarioStep) throws(ScenarioError) {
    guard point == .now else {
      observer.arm(point)
      return
    }
    guard let engine else {
      throw outOfPlace(step, "there is no process that could crash", "launch the app before")
    }
    lastState = engine.state
    fileSystem.crash()
    processEnded()
  }

  // MARK: Commands and time

  private mutating func send(_ command: AppProtectionCommand, _ step: ScenarioStep) throws(ScenarioError) {
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
          step, "the clock shows \(WallTime.text(clock.now().wallNanoseconds)) already",
          "name a later time, or set the clock back with the step \"clock\"")
      }
      isInRange = try pass(length, step)
    case .setBack(let nanoseconds): isInRange = clock.setWall(by: -nanoseconds)
    case .setAhead(let nanoseconds): isInRange = clock.setWall(by: nanoseconds)
    }
    guard isInRange else {
      throw outOfPlace(step, "the clock would leave the years 1678 to 2261", "move it by less")
    }
    guard engine != nil else { return }
    try drive(step) { (engine) throws(EngineError) in try engine.run() }
  }

  /// The most stops that one step may make, so that a scenario of a few bytes cannot write a journal without end.
  private static let maximumStops = 10_000

  /// Lets time pass. While the app runs, the clock stops wherever something is due, as a scheduler would wake the app.
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
          step, "more than \(Self.maximumStops) things are due meanwhile", "let the app exit before a long wait")
      }
    }
    return clock.advance(by: target - clock.now().wallNanoseconds)
  }

  /// Lets the process do something; afterwards it may be dead.
  private mutating func drive(
    _ step: ScenarioStep, _ body: (PolicyEngine) throws(EngineError) -> Void
  ) throws(ScenarioError) {
    guard let engine else {
      throw outOfPlace(step, "the app is not running", "launch it before")
    }
    do throws(EngineError) {
      try body(engine)
    } catch .rejected(let rejection) {
      refusal = Refusal(rule: rejection.rule, reason: "\(rejection)", position: step.position)
      // What the refusal itself tells the app is told.
      do throws(EngineError) { try engine.run() } catch { try fail(error, engine, step) }
    } catch {
      try fail(error, engine, step)
    }
    if let question = service.takeUnanswered() {
      throw ScenarioError(
        .unanswered, file: scenario.file, at: step.position,
        message: "the service is asked \(question), and nothing says what it answers",
        remedy: "add a step \"service\" or \"compliance\" before this one")
    }
  }

  /// Tells a crash that the scenario wanted from an error.
  private mutating func fail(
    _ error: EngineError, _ engine: PolicyEngine, _ step: ScenarioStep
  ) throws(ScenarioError) {
    guard fileSystem.hasCrashed else {
      switch error {
      case .store(.journal(let refusal)), .store(.history(.journal(let refusal))): throw failed(refusal, step)
      case .rejected, .store, .interrupted, .notSettling: break
      }
      throw ScenarioError(
        .journal, file: scenario.file, at: step.position, message: names.named("\(error)"), remedy: "see the reason")
    }
    observer.disarm()
    lastState = engine.state
    processEnded()
  }

  /// What the target's device refuses is about the target, and not about the scenario.
  private func failed(_ error: JournalError, _ step: ScenarioStep) -> ScenarioError {
    ScenarioError(
      .journal, file: path, message: error.message,
      remedy: error.code == .noSpace
        ? "free some space, and run the scenario again"
        : "see the step at \(step.position) of \(scenario.file): \(error.remedy)")
  }
}
