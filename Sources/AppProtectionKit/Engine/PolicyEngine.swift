import AppProtection
import EventSourcing
import Synchronization

/// Drives app protection in one process: takes commands, carries out what the state says is pending, and tells the
/// app's delegates what happened.
///
/// ```swift
/// let engine = PolicyEngine(store: store, clock: clock, service: service, files: files, delegates: delegates)
/// try engine.launch(process, settings: settings)
/// try engine.send(.registerAndEnroll(AccountReference("alice@contoso.com")))
/// try engine.run()
/// engine.state.accounts[.first]?.enrollment.status  // enrolledWithPolicy
/// ```
///
/// **Intent first.** Whatever has an effect outside the journal was announced by an event that is durable before the
/// effect begins, and its outcome comes back as a command and so as an event of its own. What is unfinished can be read
/// off the state (`AppProtectionState.pendingWork(at:)`), so a process that takes over from one that died goes on where
/// that one stopped: questions are asked again, requests are made again, a wipe is finished.
///
/// **Callbacks** that only inform are made once, after their event is durable, in the order of the events; those that a
/// dying process had not made are lost, and the state says what they would have said. How a remediation ended is told until
/// it is known to have been told.
///
/// **Threads.** ``send(_:cause:)``, ``run()`` and ``state`` may be called from any thread, also from inside a delegate.
/// One thread at a time carries out work: a call of ``run()`` while another one is under way returns at once, and the
/// other one does its work too, unless it throws; then the work stays pending for the next call. ``state`` never waits for
/// either.
public final class PolicyEngine: Sendable {
  /// What a command led to.
  public typealias Result = AppendResult<AppProtectionMachine>

  /// Whom the engine tells, and whom it asks. It keeps hold of them. A question without a delegate has the answer that
  /// the delegate's protocol gives by default.
  public struct Delegates: Sendable {
    /// Hears of enrollments.
    public var enrollment: (any EnrollmentDelegate)?
    /// Wipes, restarts, switches identities.
    public var policy: (any PolicyDelegate)?
    /// Hears of remediations.
    public var compliance: (any ComplianceDelegate)?
    /// Asks the user.
    public var presentation: (any PresentationDelegate)?

    /// Creates a set of delegates; those that are left out are told nothing.
    public init(
      enrollment: (any EnrollmentDelegate)? = nil, policy: (any PolicyDelegate)? = nil,
      compliance: (any ComplianceDelegate)? = nil, presentation: (any PresentationDelegate)? = nil
    ) {
      self.enrollment = enrollment
      self.policy = policy
      self.compliance = compliance
      self.presentation = presentation
    }
  }

  /// How many refusals one process notes.
  public static let maximumRefusalsPerProcess = 64
  /// How many pieces of work one ``run()`` carries out before it takes them for a circle.
  public static let maximumWorkPerRun = 10_000

  /// The events and the state.
  public let store: EventStore<AppProtectionMachine>

  let clock: any Clock
  let service: any PolicyService
  let files: any FileRemover
  let delegates: Delegates
  let observer: (any EngineObserver)?
  /// Takes out of every command what the app wants nobody to read.
  private let scrubber: LogScrubber
  /// Which refusals of this process were noted; `nil` where none are to be.
  let refusals: Mutex<Set<CommandRefused>?>

  /// Callbacks that wait to be delivered. Held while a command is decided and written, so that callbacks and times are
  /// in the order of the events.
  let outbox = Mutex<[Callback]>([])
  private let drive = Mutex(Drive())

  /// Who carries out work.
  private struct Drive {
    var isRunning = false
    /// Somebody called ``PolicyEngine/run()`` while another thread was at it.
    var isWanted = false
    /// When the last run looked for work.
    var looked: Moment?
    /// Questions that were asked in this process and have no answer.
    var asked: [PendingWork] = []
  }

  /// Creates an engine on an open store. The engine does nothing by itself: begin with ``launch(_:settings:)``.
  ///
  /// - Parameters:
  ///   - store: The store, open for writing. The engine closes it in ``end()``.
  ///   - clock: The only source of time.
  ///   - service: Answers requests to the organisation's service.
  ///   - files: Removes the files of an account that is wiped.
  ///   - delegates: Are told and asked; a delegate that is left out is neither.
  ///   - observer: Sees what the engine does, for logs and tests.
  ///   - scrubber: Removes from commands what the app wants no journal to hold.
  ///   - recordsRefusals: Whether a command of the app that the rules refuse, such as one without an account (207),
  ///     and a configuration that is asked for too early leave an event `command.refused`. Each refusal is noted once in a
  ///     process, and at most ``maximumRefusalsPerProcess`` are.
  public init(
    store: EventStore<AppProtectionMachine>, clock: any Clock, service: any PolicyService, files: any FileRemover,
    delegates: Delegates = Delegates(), observer: (any EngineObserver)? = nil, scrubber: LogScrubber = LogScrubber([]),
    recordsRefusals: Bool = false
  ) {
    refusals = Mutex(recordsRefusals ? [] : nil)
    self.store = store
    self.clock = clock
    self.service = service
    self.files = files
    self.delegates = delegates
    self.observer = observer
    self.scrubber = scrubber
  }

  /// The state after everything that is acknowledged under the store's sync policy: under one that waits for no disk, a
  /// power cut may take the last of it back. Waits for nobody.
  public var state: AppProtectionState { store.state }

  /// Looks at ``state`` without copying it, as for one decision on a main thread: takes no lock, waits for nobody, and
  /// allocates nothing.
  ///
  /// ```swift
  /// engine.withState { $0.saveTo(.box, account: account, owner: owner).isAllowed }
  /// ```
  @inlinable
  public func withState<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing AppProtectionState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try store.withState(body)
  }

  /// When there will be something to do without anything happening, in nanoseconds since 1970: call ``run()`` then.
  /// What fell due since the last ``run()`` looked counts too, so that an alarm set from this is never missed. Ask again when
  /// the wall clock was set: what waits is counted by uptime too.
  public var nextDue: Int64? {
    let moment = clock.now()
    return state.nextDue(after: drive.withLock { $0.looked } ?? moment, at: moment)
  }

  /// Says that the process started, and carries out what an earlier process left unfinished.
  ///
  /// - Parameters:
  ///   - process: The process that starts.
  ///   - settings: The app's settings; `nil` keeps those that are known.
  public func launch(_ process: ProcessStart, settings: AppSettings? = nil) throws(EngineError) {
    try send(.startProcess(process, settings: settings))
    try run()
  }

  /// Says that the process ends, and gives the journal back. The engine takes no further command. To be called when no
  /// ``run()`` is under way.
  public func end() throws(EngineError) {
    try send(.endProcess)
    try deliver()
    do throws(HistoryError) {
      try store.close()
    } catch {
      throw .store(.history(error))
    }
  }

  /// Has a command decided and its events made durable. What follows from it is carried out by ``run()``.
  ///
  /// - Parameters:
  ///   - command: What to decide.
  ///   - cause: The event because of which the command is given; 0 when it comes from outside.
  /// - Returns: The events, which may be none.
  /// - Throws: ``EngineError/rejected(_:)`` when the rules do not allow it.
  @discardableResult
  public func send(_ command: AppProtectionCommand, cause: UInt64 = 0) throws(EngineError) -> Result {
    let command = scrubber.scrub(command)
    return try outbox.withLock { (outbox) throws(EngineError) -> Result in
      let moment = clock.now()
      do throws(EngineError) {
        return try append(command, at: moment, cause: cause, &outbox)
      } catch {
        guard case .rejected(let rejection) = error else { throw error }
        if let callback = Self.callback(for: rejection, of: command, in: store.state) { outbox.append(callback) }
        // An answer that comes too late is no mistake of the app.
        if cause == 0, let refusal = newRefusal(of: command, rejection) {
          do throws(EngineError) {
            try append(.noteRefusal(refusal), at: moment, cause: 0, &outbox)
          } catch {
            forgetRefusal(refusal)
            throw error
          }
        }
        throw error
      }
    }
  }

  /// The configuration of an account (`appConfig`): empty until it is enrolled. One that is asked for before leaves a trace
  /// where the engine is asked to leave one. The answer needs no disk: a trace that cannot be written is left out, and tried
  /// again with the next question.
  public func appConfiguration(for reference: AccountReference?) -> AppConfiguration {
    let state = state
    let account = reference.flatMap { state.account(for: $0) }
    if account?.enrollment.status.isEnrolled != true {
      let rejection: AppProtectionRejection =
        reference == nil ? .missingAccount : account.map { .notEnrolled($0.account) } ?? .unknownAccount
      let refusal = CommandRefused(command: "appConfiguration", rule: rejection.rule, account: account?.account)
      if let refusal = newRefusal(refusal) {
        do { try send(.noteRefusal(refusal)) } catch { forgetRefusal(refusal) }
      }
    }
    return account.map { state.appConfiguration(for: $0.account) } ?? AppConfiguration([])
  }

  @discardableResult
  private func append(
    _ command: AppProtectionCommand, at moment: Moment, cause: UInt64, _ outbox: inout [Callback]
  ) throws(EngineError) -> Result {
    try announce(command, at: moment)
    let result: Result
    do throws(StoreError<AppProtectionRejection>) {
      result = try store.append(command, at: moment, cause: cause)
    } catch .rejected(let rejection) {
      throw .rejected(rejection)
    } catch {
      throw .store(error)
    }
    do throws(EngineInterruption) {
      try observer?.didAppend(result)
    } catch {
      throw .interrupted
    }
    outbox += Self.callbacks(for: result, at: moment)
    return result
  }

  /// Carries out everything that is pending, and delivers every callback, until nothing is left to do now.
  ///
  /// - Throws: ``EngineError/store(_:)`` when the journal cannot be written; what is pending stays so.
  public func run() throws(EngineError) {
    guard begin() else { return }
    do throws(EngineError) {
      try workOff()
    } catch {
      drive.withLock { drive in
        drive.isRunning = false
        drive.isWanted = false
      }
      throw error
    }
  }

  // MARK: Driving

  private func workOff() throws(EngineError) {
    // What is still pending after it was carried out, such as files that cannot be removed, waits for the next run.
    var stalled: [PendingWork] = []
    var count = 0
    while true {
      try deliver()
      guard let work = nextWork(besides: stalled) else {
        if finish() { return }
        stalled = []
        continue
      }
      guard count < Self.maximumWorkPerRun else { throw .notSettling(work) }
      count += 1
      do throws(EngineError) {
        try perform(work)
      } catch .rejected {
        // Another command made the answer pointless while it was on its way.
      }
      if state.pendingWork(at: clock.now()).contains(work) { stalled.append(work) }
    }
  }

  private func begin() -> Bool {
    drive.withLock { drive in
      if drive.isRunning { drive.isWanted = true }
      defer { drive.isRunning = true }
      return !drive.isRunning
    }
  }

  /// Ends the run, unless somebody asked for one meanwhile. Both in one step: whoever asks later starts a run.
  private func finish() -> Bool {
    drive.withLock { drive in
      drive.isRunning = drive.isWanted
      drive.isWanted = false
      return !drive.isRunning
    }
  }

  private func nextWork(besides stalled: [PendingWork]) -> PendingWork? {
    let moment = clock.now()
    let pending = state.pendingWork(at: moment)
    let asked = drive.withLock { drive in
      drive.looked = moment
      drive.asked.removeAll { !pending.contains($0) }
      return drive.asked
    }
    return pending.first { !stalled.contains($0) && !asked.contains($0) }
  }

  /// Notes that a question has no answer for as long as this process runs.
  func leaveOpen(_ work: PendingWork) {
    drive.withLock { $0.asked.append(work) }
  }

  private func announce(_ command: AppProtectionCommand, at moment: Moment) throws(EngineError) {
    guard let observer else { return }
    var explanation = Explanation()
    // A command that the rules refuse is refused by the store too; the observer is told of what will be written only.
    let events = try? AppProtectionMachine.decide(command, in: store.state, at: moment, explanation: &explanation)
    guard let events, !events.isEmpty else { return }
    do throws(EngineInterruption) {
      try observer.willAppend(events)
    } catch {
      throw .interrupted
    }
  }
}
