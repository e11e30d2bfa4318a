import AppProtection
import EventSourcing
import PolicySettings
import Synchronization

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
/// process dies before making one, the next one makes it: a ``DeliveryLog`` keeps how far the app was notified. The next
/// callback, and every question, waits until the last callback has returned; requests, wipes and what comes due do not.
///
/// **Tasks.** All members may be used from any task or thread, even from within a delegate. ``state`` never waits.
/// Commands are decided one at a time; ``send(_:cause:)`` waits for the disk off the caller's actor. Only one task at a
/// time carries out work: a call of ``run()`` during another one returns immediately, and the other call does its work
/// too, unless it throws; then the work stays pending for the next call. An app that would rather not call ``run()``
/// itself keeps a task in ``runWhenDue(alarm:)``. Callbacks, requests to the service, wipes and questions are child tasks of the
/// run: one that takes long delays only what must wait for it. A run that is canceled cancels them, and waits for their end.
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
    /// Receives what the SDK sends as telemetry.
    public var telemetry: (any TelemetryDelegate)?

    /// Every delegate is optional.
    public init(
      enrollment: (any EnrollmentDelegate)? = nil, policy: (any PolicyDelegate)? = nil,
      compliance: (any ComplianceDelegate)? = nil, presentation: (any PresentationDelegate)? = nil,
      telemetry: (any TelemetryDelegate)? = nil
    ) {
      self.telemetry = telemetry
      self.enrollment = enrollment
      self.policy = policy
      self.compliance = compliance
      self.presentation = presentation
    }
  }

  /// The events and the state.
  public let store: EventStore<AppProtectionMachine>
  /// The log.
  public let logger: Logger

  let core: EngineCore
  let relay: EngineRelay
  let clock: any TimeSource
  let service: any PolicyService
  let files: any FileRemover
  let delegates: Delegates
  let tokens: TokenKeeper?
  let spool: SpoolDrain<AppProtectionMachine>?
  let propertyList: SettingsDocument?
  let telemetry: Telemetry?
  /// What the log says last of the spool.
  let spoolTrouble = Mutex<SpoolError?>(nil)
  @usableFromInline let hasEnded = Atomic(false)
  private let hasWarnedOfEnd = Atomic(false)
  /// Whether this process has taken up the wipes of which the last one could not tell the service.
  let hasAcknowledged = Atomic(false)

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
  ///   - scrubber: Removes values that must not enter the journal from commands; by default those that the property list
  ///     names.
  ///   - propertyList: The app's `Info.plist`, or its dictionary of settings; see ``Settings``.
  ///   - logging: Where the lines of the log go; by default nowhere.
  ///   - recordsRefusals: Whether to record an event `command.refused` for a command that the rules refuse, such as one
  ///     without an account (207), and for a configuration requested too early. A process records each refusal once, and
  ///     at most ``EngineCore/maximumRefusalsPerProcess`` in total.
  ///   - spool: The commands that the app's extensions hand over. Every ``run()`` carries them out first; trouble with
  ///     them, which the log names, holds up no other work.
  ///   - deliveries: Keeps how far the app was notified; by default a ``FileDeliveryLog`` beside the journal, under its
  ///     name with the ending `.told`, which survives a power cut if the journal does.
  public init(
    store: EventStore<AppProtectionMachine>, clock: any TimeSource = SystemClock(), service: any PolicyService,
    files: any FileRemover,
    delegates: Delegates = Delegates(), tokens: TokenKeeper? = nil, observer: (any EngineObserver)? = nil,
    scrubber: LogScrubber? = nil, propertyList: SettingsDocument? = nil, logging: Logging? = nil,
    recordsRefusals: Bool = false, deliveries: (any DeliveryLog)? = nil,
    spool: SpoolDrain<AppProtectionMachine>? = nil
  ) {
    tokens?.serve(store)
    let settings = propertyList?.settings ?? InfoPlistSettings()
    let scrubber = scrubber ?? LogScrubber(settings)
    logger = Logger(
      logging, isVerbose: settings.logsVerbosely, scrubber: scrubber, leavesSignInToApp: settings.appLogsSignIn,
      clock: clock, store: store)
    telemetry =
      settings.sendsNoTelemetry
      ? nil
      : delegates.telemetry.map {
        Telemetry($0, isTest: settings.sendsTestTelemetry, clock: clock)
      }
    self.propertyList = propertyList
    let observers: [(any EngineObserver)?] = [observer, logging == nil ? nil : EngineLog(logger: logger), telemetry]
    relay = EngineRelay(EngineObservers(all: observers.compactMap { $0 }), tokens)
    core = EngineCore(
      store: store, clock: clock, observer: relay, scrubber: scrubber, recordsRefusals: recordsRefusals,
      deliveries: deliveries
        ?? FileDeliveryLog(
          at: store.path + ".told", fileSystem: store.fileSystem, isSynced: store.options.journal.syncPolicy != .none))
    self.store = store
    self.clock = clock
    self.service = service
    self.files = files
    self.delegates = delegates
    self.tokens = tokens
    self.spool = spool
    // The keeper is the app's, and may live longer than the store.
    tokens?.configure { [weak store] in
      SignInConfiguration(
        settings, overrides: store?.withState { $0.settings.overrides } ?? TokenLibraryOverrides(),
        bundleIdentifier: propertyList?.bundleIdentifier)
    }
  }

  /// The state after everything acknowledged under the store's sync policy; under a policy that does not wait for the
  /// disk, a power cut may undo the latest changes. Never waits.
  ///
  /// After ``end()`` it stays as it was then, whatever another process writes, and the first read logs a warning.
  public var state: AppProtectionState {
    if isEnded { warnOfEnd() }
    return store.state
  }

  /// Whether the engine has ended, and what is asked of it and its managers is answered from the last state.
  @inlinable public var isEnded: Bool { hasEnded.load(ordering: .relaxed) }

  @usableFromInline @inline(never)
  func warnOfEnd() {
    guard !hasWarnedOfEnd.exchange(true, ordering: .relaxed) else { return }
    logger.log(
      .warning, "the engine has ended, and answers from its last state; open the journal again and create another one")
  }

  /// Passes ``state`` to `body` without copying it, as for a single decision on the main thread. Until ``end()`` it takes no
  /// lock, never waits, allocates nothing.
  ///
  /// ```swift
  /// engine.withState { $0.saveTo(.box, account: account, owner: owner).isAllowed }
  /// ```
  @inlinable
  public func withState<Result: ~Copyable, Failure: Error>(
    _ body: (borrowing AppProtectionState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isEnded { warnOfEnd() }
    return try store.withState(body)
  }

  /// The time when work comes due on its own, in nanoseconds since 1970: call ``run()`` then, or leave it to
  /// ``runWhenDue(alarm:)``. Includes work that came due since the last ``run()``, so that an alarm set from this value is never
  /// missed. Read it again after the wall clock was set, because waiting times are also measured by uptime.
  public var nextDue: Int64? { core.nextDue }

  /// Records the start of the process, and carries out what an earlier process left unfinished. Accounts whose person was erased
  /// leave, so that their place is free: see ``erase(_:from:)``.
  ///
  /// A process starts once: of a further call, as for another scene of the app, only the settings count.
  ///
  /// The offset of the local time is that of the engine's clock unless given.
  ///
  /// - Parameters:
  ///   - process: The process that starts.
  ///   - settings: The app's settings; `nil` takes those of the property list, and without one keeps the recorded ones.
  /// - Throws: What ``run()`` throws. After ``EngineError/spool(_:)`` everything else is done.
  public func launch(_ process: ProcessStart, settings: AppSettings? = nil) async throws(EngineError) {
    if try !core.start(process, settings: settings ?? propertyList.map { AppSettings($0.settings) }) {
      logger.log(.warning, "launch: the process was launched before; only its settings count")
    }
    if !process.isExtension { try core.endErasedStays() }
    for finding in propertyList?.findings ?? [] { logger.log(finding.rule.logLevel, "\(finding)") }
    if let propertyList { await delegates.presentation?.present(Appearance(propertyList.settings)) }
    for account in state.accounts.records where account.enrollment.status.isRegistered {
      await files.alignKeys(of: account.account, enrolls: false)
    }
    let trouble = try await runPastSpool()
    if !process.isExtension { try await presentLaunchGate() }
    if let trouble { throw trouble }
  }

  /// Records the end of the process and releases the journal. The engine then accepts no more commands, and a call of
  /// ``run()`` does nothing.
  ///
  /// Cancels what a run waits for, and waits until that has ended; what stays unanswered is left to the next process. A
  /// second call waits for the first.
  ///
  /// - Throws: ``EngineError/endedByDelegate`` if a delegate calls it that a run waits for, and ``EngineError/store(_:)`` if the
  ///   end cannot be written; the engine then goes on.
  public func end() async throws(EngineError) {
    guard !isInsideRun else { throw .endedByDelegate }
    guard core.beginEnd() else {
      await waitWhile { [self] in core.isEnding && !hasEnded.load(ordering: .acquiring) }
      // The first one may have failed.
      if !hasEnded.load(ordering: .acquiring) { try await end() }
      return
    }
    relay.bell.ring()
    await waitWhile { [core] in core.isRunning }
    do throws(EngineError) {
      try core.send(.endProcess)
      while let callback = core.nextCallback() { try await carryOut(.tell(callback)) }
      if let telemetry, telemetry.beginDelivery() { await telemetry.deliver() }
      try core.close()
    } catch {
      core.cancelEnd()
      relay.bell.ring()
      throw error
    }
    hasEnded.store(true, ordering: .releasing)
    relay.end()
    relay.bell.ring()
  }

  /// Waits even in a canceled task: what another task still writes must not meet a closed journal.
  private func waitWhile(_ condition: @escaping @Sendable () -> Bool) async {
    guard condition() else { return }
    await Task { [relay] in
      while true {
        let count = relay.bell.count
        guard condition() else { return }
        await relay.bell.wait(after: count)
      }
    }.value
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
      logger.log(error.rejection == nil ? .error : .warning, "\(command.name.rawValue): \(error)")
      // No event wakes the scheduler, but the delegate is notified of the refusal.
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
  ///   canceled; pending work then stays pending. ``EngineError/spool(_:)``, after everything else was done, if what
  ///   extensions handed over cannot be carried out now.
  public func run() async throws(EngineError) {
    if let trouble = try await runPastSpool() { throw trouble }
  }

  /// As ``run()``, but returns the trouble of the spool, which the log names.
  @discardableResult
  func runPastSpool() async throws(EngineError) -> EngineError? {
    // A scheduler that found this run under way waits for its end.
    defer { relay.bell.ring() }
    return try await runUnlessRunning().trouble
  }

  /// Runs, and returns whether it did: `false` if another task's run does the work. Rings no bell but for its commands, so
  /// that a scheduler does not wake itself.
  ///
  /// - Returns: Also the trouble of the spool, which holds up nothing else.
  func runUnlessRunning(
    alarm: (any Alarm)? = nil
  ) async throws(EngineError) -> (isDone: Bool, trouble: EngineError?) {
    let trouble = try drainBeforeRun()
    guard try core.beginRun() else { return (false, trouble) }
    try await runSteps(alarm: alarm)
    return (true, trouble)
  }
}
