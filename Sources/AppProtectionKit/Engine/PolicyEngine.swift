import AppProtection
import EventSourcing

/// Drives app protection in one process: accepts commands, carries out the work that the state lists as pending, and
/// informs the app's delegates.
///
/// ```swift
/// let engine = PolicyEngine(store: store, clock: clock, service: service, files: files, delegates: delegates)
/// try await engine.launch(process, settings: settings)
/// try await engine.send(.registerAndEnroll(AccountReference("alice@contoso.com")))
/// try await engine.run()
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
/// **Tasks.** All members may be used from any task or thread, even from within a delegate. ``state`` never waits.
/// Commands are decided one at a time; ``send(_:cause:)`` waits for the disk off the caller's actor. Only one task at a
/// time carries out work: a call of ``run()`` during another one returns immediately, and the other call does its work
/// too, unless it throws; then the work stays pending for the next call. An app that would rather not call ``run()``
/// itself keeps a task in ``runWhenDue(alarm:)``.
///
/// The engine is an ``EngineCore`` with a driver that awaits the service and the delegates.
public final class PolicyEngine: Sendable {
  /// The outcome of a command.
  public typealias Result = EngineCore.Result

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

  /// The events and the state.
  public let store: EventStore<AppProtectionMachine>

  let core: EngineCore
  let relay: EngineRelay
  let clock: any TimeSource
  let service: any PolicyService
  let files: any FileRemover
  let delegates: Delegates
  let tokens: TokenKeeper?
  let spool: SpoolDrain<AppProtectionMachine>?

  /// The engine does nothing on its own: begin with ``launch(_:settings:)``.
  ///
  /// - Parameters:
  ///   - store: A store that is open for writing. ``end()`` closes it.
  ///   - clock: The only source of time; by default the system's clocks.
  ///   - service: Answers requests to the organisation's service.
  ///   - files: Removes the files of an account that is wiped.
  ///   - delegates: The app's delegates.
  ///   - tokens: The app's tokens, for the members of ``EnrollmentManager`` that need one.
  ///   - observer: Sees the outcome of every command, for logs and tests.
  ///   - scrubber: Removes values that must not enter the journal from commands.
  ///   - recordsRefusals: Whether to record an event `command.refused` for a command that the rules refuse, such as one
  ///     without an account (207), and for a configuration requested too early. A process records each refusal once, and
  ///     at most ``EngineCore/maximumRefusalsPerProcess`` in total.
  ///   - spool: The commands that the app's extensions hand over. Every ``run()`` carries them out first.
  public init(
    store: EventStore<AppProtectionMachine>, clock: any TimeSource = SystemClock(), service: any PolicyService,
    files: any FileRemover,
    delegates: Delegates = Delegates(), tokens: TokenKeeper? = nil, observer: (any EngineObserver)? = nil,
    scrubber: LogScrubber = LogScrubber([]), recordsRefusals: Bool = false,
    spool: SpoolDrain<AppProtectionMachine>? = nil
  ) {
    relay = EngineRelay(observer)
    core = EngineCore(
      store: store, clock: clock, observer: relay, scrubber: scrubber, recordsRefusals: recordsRefusals)
    self.store = store
    self.clock = clock
    self.service = service
    self.files = files
    self.delegates = delegates
    self.tokens = tokens
    self.spool = spool
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

  /// The time when work comes due on its own, in nanoseconds since 1970: call ``run()`` then, or leave it to
  /// ``runWhenDue(alarm:)``. Includes work that came due since the last ``run()``, so that an alarm set from this value is never
  /// missed. Read it again after the wall clock was set, because waiting times are also measured by uptime.
  public var nextDue: Int64? { core.nextDue }

  /// Records the start of the process, and carries out what an earlier process left unfinished.
  ///
  /// The offset of the local time is that of the engine's clock unless given.
  ///
  /// - Parameters:
  ///   - process: The process that starts.
  ///   - settings: The app's settings; `nil` keeps the recorded ones.
  public func launch(_ process: ProcessStart, settings: AppSettings? = nil) async throws(EngineError) {
    try core.start(process, settings: settings)
    try await run()
  }

  /// Records the end of the process and releases the journal. The engine then accepts no more commands. Must not be
  /// called during a ``run()``.
  public func end() async throws(EngineError) {
    try core.send(.endProcess)
    while let callback = core.nextCallback() { await deliver(callback) }
    relay.end()
    try core.close()
  }

  /// Decides a command and makes its events durable. ``run()`` carries out the resulting work.
  ///
  /// - Parameters:
  ///   - command: The command to decide.
  ///   - cause: The event that prompted the command; 0 for a command from outside.
  /// - Returns: The events, possibly none.
  /// - Throws: ``EngineError/refused(_:)`` if the rules refuse the command, even where the refusal is itself an event, as
  ///   that of an identity switch.
  @discardableResult
  public func send(_ command: AppProtectionCommand, cause: UInt64 = 0) async throws(EngineError) -> Result {
    let result: Result
    do throws(EngineError) {
      result = try core.send(command, cause: cause)
    } catch {
      // No event wakes the scheduler, but the delegate is told of the refusal.
      if core.hasCallback { relay.bell.ring() }
      throw error
    }
    if let refusal = CommandRefusal(of: command, in: result) { throw .refused(refusal) }
    return result
  }

  /// The configuration of an account (`appConfig`): empty until the account is enrolled. If the engine records
  /// refusals, a request before then is recorded. The answer never depends on the disk: a record that cannot be written
  /// is skipped and retried at the next request.
  public func appConfiguration(for reference: AccountReference?) -> AppConfiguration {
    core.appConfiguration(for: reference)
  }

  /// Carries out all pending work and makes every callback, until nothing more can be done now. First records the offset of
  /// the local time if it has changed.
  ///
  /// - Throws: ``EngineError/store(_:)`` if the journal cannot be written, and ``EngineError/canceled`` if the task is
  ///   canceled; pending work then stays pending.
  public func run() async throws(EngineError) {
    // A scheduler that found this run under way waits for its end.
    defer { relay.bell.ring() }
    _ = try await runUnlessRunning()
  }

  /// Runs, and returns whether it did: `false` if another task's run does the work. Rings no bell but for its commands, so
  /// that a scheduler does not wake itself.
  func runUnlessRunning() async throws(EngineError) -> Bool {
    try drain()
    guard try core.beginRun() else { return false }
    while true {
      // Before the next step is taken: a callback that was taken is made.
      guard !Task.isCancelled else { throw interruption() }
      guard let step = try core.nextStep() else { return true }
      try await carryOut(step)
    }
  }
}
