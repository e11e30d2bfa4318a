import AppProtection
import EventSourcing
import Synchronization

/// Drives app protection in one process: accepts commands, carries out the work that the state lists as pending, and
/// informs the app's delegates.
///
/// ```swift
/// let engine = PolicyEngine(store: store, clock: clock, service: service, files: files, delegates: delegates)
/// try engine.launch(process, settings: settings)
/// try engine.send(.registerAndEnroll(AccountReference("alice@contoso.com")))
/// try engine.run()
/// engine.state.accounts[.first]?.enrollment.status  // enrolledWithPolicy
/// ```
///
/// **Intent first.** Every effect outside the journal is announced by an event that is durable before the effect
/// begins, and its outcome returns as a command and so as a separate event. The state shows what is unfinished
/// (`AppProtectionState.pendingWork(at:)`), so a process that takes over from one that died continues where that one
/// stopped: it repeats open questions and requests, and finishes wipes.
///
/// **Callbacks** that only inform are made once, after their event is durable, in the order of the events. If the
/// process dies before making one, that callback is lost, but the state holds the same information. The outcome of a
/// remediation is reported until its delivery is recorded.
///
/// **Threads.** ``send(_:cause:)``, ``run()`` and ``state`` may be called from any thread, even from within a delegate.
/// Only one thread at a time carries out work: a call of ``run()`` during another one returns immediately, and the
/// other call does its work too, unless it throws; then the work stays pending for the next call. ``state`` never waits
/// for either.
public final class PolicyEngine: Sendable {
  /// The outcome of a command.
  public typealias Result = AppendResult<AppProtectionMachine>

  /// The delegates that the engine informs and asks, retained by the engine. A question without a delegate gets the
  /// default answer of the delegate's protocol.
  public struct Delegates: Sendable {
    /// Receives the outcomes of enrollments.
    public var enrollment: (any EnrollmentDelegate)?
    /// Wipes, restarts, switches identities.
    public var policy: (any PolicyDelegate)?
    /// Receives the outcomes of remediations.
    public var compliance: (any ComplianceDelegate)?
    /// Asks the user.
    public var presentation: (any PresentationDelegate)?

    /// Every delegate is optional.
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

  /// The most refusals that one process records.
  public static let maximumRefusalsPerProcess = 64
  /// The most pieces of work that one ``run()`` carries out before it assumes a cycle.
  public static let maximumWorkPerRun = 10_000

  /// The events and the state.
  public let store: EventStore<AppProtectionMachine>

  let clock: any TimeSource
  let service: any PolicyService
  let files: any FileRemover
  let delegates: Delegates
  let observer: (any EngineObserver)?
  /// Removes values from commands that the app wants kept out of the journal.
  private let scrubber: LogScrubber
  /// The refusals that this process has recorded; `nil` if none are to be recorded.
  let refusals: Mutex<Set<CommandRefused>?>

  /// Callbacks waiting for delivery. Locked while a command is decided and written, so that callbacks and times follow
  /// the order of the events.
  let outbox = Mutex<[Callback]>([])
  private let drive = Mutex(Drive())

  /// The state of the thread that carries out work.
  private struct Drive {
    var isRunning = false
    /// Another thread called ``PolicyEngine/run()`` during the current run.
    var isWanted = false
    /// The time when the last run looked for work.
    var looked: Moment?
    /// Questions asked in this process that have no answer yet.
    var asked: [PendingWork] = []
  }

  /// The engine does nothing on its own: begin with ``launch(_:settings:)``.
  ///
  /// - Parameters:
  ///   - store: A store that is open for writing. ``end()`` closes it.
  ///   - clock: The only source of time; by default the system's clocks.
  ///   - service: Answers requests to the organisation's service.
  ///   - files: Removes the files of an account that is wiped.
  ///   - delegates: The app's delegates.
  ///   - observer: Sees the outcome of every command, for logs and tests.
  ///   - scrubber: Removes values that must not enter the journal from commands.
  ///   - recordsRefusals: Whether to record an event `command.refused` for a command that the rules refuse, such as one
  ///     without an account (207), and for a configuration requested too early. A process records each refusal once, and
  ///     at most ``maximumRefusalsPerProcess`` in total.
  public init(
    store: EventStore<AppProtectionMachine>, clock: any TimeSource = SystemClock(), service: any PolicyService,
    files: any FileRemover,
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

  /// The state after everything acknowledged under the store's sync policy; under a policy that does not wait for the
  /// disk, a power cut may undo the latest changes. Never waits.
  public var state: AppProtectionState { store.state }

  /// Passes ``state`` to `body` without copying it, as for a single decision on the main thread. Takes no lock, never
  /// waits, allocates nothing.
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

  /// The time when work comes due on its own, in nanoseconds since 1970: call ``run()`` then. Includes work that came
  /// due since the last ``run()``, so that an alarm set from this value is never missed. Read it again after the wall
  /// clock was set, because waiting times are also measured by uptime.
  public var nextDue: Int64? {
    let moment = clock.now()
    return state.nextDue(after: drive.withLock { $0.looked } ?? moment, at: moment)
  }

  /// Records the start of the process, and carries out what an earlier process left unfinished.
  ///
  /// The offset of the local time is that of the engine's clock unless given.
  ///
  /// - Parameters:
  ///   - process: The process that starts.
  ///   - settings: The app's settings; `nil` keeps the recorded ones.
  public func launch(_ process: ProcessStart, settings: AppSettings? = nil) throws(EngineError) {
    var process = process
    process.utcOffset = process.utcOffset ?? clock.utcOffset(at: clock.now())
    try send(.startProcess(process, settings: settings))
    try run()
  }

  /// Records the end of the process and releases the journal. The engine then accepts no more commands. Must not be
  /// called during a ``run()``.
  public func end() throws(EngineError) {
    try send(.endProcess)
    try deliver()
    do throws(HistoryError) {
      try store.close()
    } catch {
      throw .store(.history(error))
    }
  }

  /// Decides a command and makes its events durable. ``run()`` carries out the resulting work.
  ///
  /// - Parameters:
  ///   - command: The command to decide.
  ///   - cause: The event that prompted the command; 0 for a command from outside.
  /// - Returns: The events, possibly none.
  /// - Throws: ``EngineError/rejected(_:)`` if the rules forbid the command.
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
        // An answer that arrives too late is not a mistake in the app.
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

  /// The configuration of an account (`appConfig`): empty until the account is enrolled. If the engine records
  /// refusals, a request before then is recorded. The answer never depends on the disk: a record that cannot be written
  /// is skipped and retried at the next request.
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
    var isInterrupted = false
    var explanation = Explanation()
    let result: Result
    do throws(StoreError<AppProtectionRejection>) {
      result = try store.append(command, at: moment, cause: cause, explanation: &explanation) { events in
        do throws(EngineInterruption) { try observer?.willAppend(events) } catch { isInterrupted = true }
        return !isInterrupted
      }
    } catch {
      if isInterrupted { throw .interrupted }
      if case .rejected(let rejection) = error { throw .rejected(rejection) }
      throw .store(error)
    }
    guard !isInterrupted else { throw .interrupted }
    do throws(EngineInterruption) {
      try observer?.didAppend(result)
    } catch {
      throw .interrupted
    }
    outbox += Self.callbacks(for: result)
    return result
  }

  /// Carries out all pending work and makes every callback, until nothing more can be done now. First records the offset of
  /// the local time if it has changed.
  ///
  /// - Throws: ``EngineError/store(_:)`` if the journal cannot be written; pending work then stays pending.
  public func run() throws(EngineError) {
    guard begin() else { return }
    do throws(EngineError) {
      try noteUTCOffset()
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
    // Work still pending after it was carried out, such as files that cannot be removed, waits for the next run.
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
        // Another command made the answer obsolete before it arrived.
      }
      if state.pendingWork(at: clock.now()).contains(work) { stalled.append(work) }
    }
  }

  private func noteUTCOffset() throws(EngineError) {
    guard let offset = clock.utcOffset(at: clock.now()),
      withState({ $0.process.isRunning && $0.process.utcOffset != offset })
    else { return }
    try send(.noteUTCOffset(offset))
  }

  private func begin() -> Bool {
    drive.withLock { drive in
      if drive.isRunning { drive.isWanted = true }
      defer { drive.isRunning = true }
      return !drive.isRunning
    }
  }

  /// Ends the run unless another was requested meanwhile. Checks and ends in one step: a later request starts a new
  /// run.
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

  /// Records that a question stays unanswered for the rest of this process.
  func leaveOpen(_ work: PendingWork) {
    drive.withLock { $0.asked.append(work) }
  }
}
