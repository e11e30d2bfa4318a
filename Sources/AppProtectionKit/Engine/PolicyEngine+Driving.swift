import AppProtection
import Synchronization

extension PolicyEngine {
  /// Runs steps until nothing more can be done now. Every step is a child task, so that a service, a user or a delegate who
  /// takes long delays only what must wait for it; the core gives out callbacks one after the other.
  ///
  /// - Parameter alarm: Wakes the run while it waits for an answer and something else comes due; `nil` leaves that to the
  ///   caller of ``run()``.
  func runSteps(alarm: (any Alarm)? = nil) async throws(EngineError) {
    let trouble = Trouble()
    await withDiscardingTaskGroup { group in
      if !hasAcknowledged.exchange(true, ordering: .relaxed), !core.unacknowledgedWipes.isEmpty {
        core.addOutstanding(1)
        group.start { [self] in
          await acknowledgeWipes()
          core.addOutstanding(-1)
          relay.bell.ring()
        }
      }
      while trouble.first == nil {
        let count = relay.bell.count
        do throws(EngineError) {
          // Before the next step is taken: a callback that was taken is made.
          guard !Task.isCancelled else { throw .canceled }
          if let telemetry, telemetry.beginDelivery() {
            core.addOutstanding(1)
            group.start { [self] in
              await telemetry.deliver()
              core.addOutstanding(-1)
              relay.bell.ring()
            }
          }
          guard let step = try core.nextStep() else { return }
          if case .awaitAnswer = step {
            // What is pending is left to the next process.
            if core.isEnding { group.cancelAll() }
            await waitForNews(after: count, alarm)
          } else {
            group.start { [self] in
              do throws(EngineError) {
                try await carryOut(step)
              } catch {
                trouble.record(error)
              }
              relay.bell.ring()
            }
          }
        } catch {
          trouble.record(error)
        }
      }
      group.cancelAll()
    }
    guard let error = trouble.first else { return }
    core.stopRun()
    // An engine that ends cancels what it waits for.
    if case .canceled = error, core.isEnding { return }
    throw error
  }

  /// Makes a callback, puts a question or makes a request, and hands the answer to the core. A step that failed stays under
  /// way, so that the run cannot end without its error.
  func carryOut(_ step: EngineStep) async throws(EngineError) {
    let running = RunningTask(self, step.inquiredWork.flatMap(WorkQueueKind.init))
    let result = await Self.$running.withValue(running) { () async -> Swift.Result<Void, EngineError> in
      do throws(EngineError) {
        try await perform(step)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
    if let work = step.inquiredWork { core.release(work) }
  }

  private func perform(_ step: EngineStep) async throws(EngineError) {
    switch step {
    case .awaitAnswer: break
    case .tell(let callback):
      await deliver(callback)
      core.didTell()
    case .tellRestartOverdue(let inquiry):
      await delegates.presentation?.restartOverdue(reason: inquiry.subject)
      try core.record((), to: inquiry)
    case .tellRemediation(let inquiry):
      let (account, outcome) = (inquiry.subject.account, inquiry.subject.outcome)
      await delegates.compliance?.complianceStatus(
        account: account, status: outcome.status, message: outcome.message, title: outcome.title)
      try core.record((), to: inquiry)
    case .enroll(let inquiry):
      await acknowledgeWipes(of: inquiry.subject.account)
      await files.alignKeys(of: inquiry.subject.account, enrolls: true)
      let answer = await enroll(inquiry.subject)
      try core.record(completed(answer, isFailure: answer.isFailure), to: inquiry)
      try await follow(answer, to: inquiry.subject)
    case .checkIn(let inquiry):
      let answer = await service.checkIn(inquiry.subject)
      try core.record(completed(answer, isFailure: answer.isFailure), to: inquiry)
      try await follow(answer, to: inquiry.subject)
    case .unenroll(let inquiry):
      let failure = await service.unenroll(inquiry.subject)
      try core.record(completed(failure, isFailure: failure != nil), to: inquiry)
    case .remediate(let inquiry, let isSilent):
      let outcome = await service.remediate(inquiry.subject, isSilent: isSilent)
      try core.record(completed(outcome, isFailure: outcome.status != .compliant), to: inquiry)
    case .wipeData(let inquiry):
      var isRemoved = await delegates.policy?.wipeData(account: inquiry.subject) ?? false
      // Copies and backups outlive what the app removes.
      if isRemoved { isRemoved = await files.destroyKeys(of: inquiry.subject) }
      try core.record(completed(isRemoved, isFailure: !isRemoved), to: inquiry)
    case .removeFiles(let inquiry):
      let removal = await files.removeFiles(of: inquiry.subject)
      try core.record(completed(removal, isFailure: removal.failure != nil), to: inquiry)
    case .restart(let inquiry):
      let reply = await restart(inquiry.subject)
      try core.record(completed(reply, isFailure: reply == .user(.acknowledged)), to: inquiry)
    case .chooseAccount(let inquiry):
      let (account, existing) = (inquiry.subject.account, inquiry.subject.existing)
      let choice = await delegates.presentation?.chooseAccount(account, existing: existing)
      try core.record(completed(choice, isFailure: choice == nil || choice == .canceled), to: inquiry)
    case .askLogin(let inquiry):
      let reply = await delegates.presentation?.askLogin()
      try core.record(completed(reply, isFailure: reply == nil || reply == .canceled), to: inquiry)
    case .switchIdentity(let inquiry):
      let (scope, identity, reason) = (inquiry.subject.scope, inquiry.subject.identity, inquiry.subject.reason)
      let reply =
        await delegates.policy?.identitySwitchReply(scope: scope, identity: identity, reason: reason)
        ?? .result(.failed)
      try core.record(completed(reply, isFailure: reply.result != .success), to: inquiry)
    case .addAccount(let inquiry):
      let result = await delegates.policy?.addAccount(account: inquiry.subject) ?? .failed
      try core.record(completed(result, isFailure: result != .success), to: inquiry)
    }
  }

  /// Does what an answer to an enrollment or a check-in asks for, once it is recorded.
  private func follow(_ answer: ServiceAnswer, to request: ServiceRequest) async throws(EngineError) {
    if case .wipe = answer { await acknowledgeWipes(of: request.account) }
    try await recordDeliveries(request)
  }

  /// Makes a callback that expects no answer.
  func deliver(_ callback: Callback) async {
    switch callback {
    case .enrollmentRequest(let account, let code):
      let named = core.namedByRefusal
      await delegates.enrollment?.enrollmentRequest(withState { EnrollmentResult(account, code, named: named, in: $0) })
    case .policyRequest(let account, let code):
      await delegates.enrollment?.policyRequest(withState { EnrollmentResult(account, code, in: $0) })
    case .unenrollRequest(let account, let code):
      let named = core.namedByRefusal
      await delegates.enrollment?.unenrollRequest(withState { EnrollmentResult(account, code, named: named, in: $0) })
    case .policyDidChange(let account): await delegates.policy?.policyDidChange(account: account)
    case .dataProtectionDidChange(let account): await delegates.policy?.dataProtectionDidChange(account: account)
    case .wipeDidComplete(let account): await delegates.policy?.wipeDidComplete(account: account)
    case .allowedAccountsDidChange: await delegates.policy?.allowedAccountsDidChange()
    case .userStatusDidChange(let account): await delegates.policy?.userStatusDidChange(account: account)
    case .conditionalLaunch(let account, let outcome, let rule):
      await delegates.presentation?.conditionalLaunch(account: account, outcome: outcome, rule: rule)
    case .configurationDidChange(let account): await delegates.policy?.configurationDidChange(account: account)
    case .accountConflict(let account, let existing):
      await delegates.presentation?.accountConflict(account, existing: existing)
    // Their answers matter: these are steps of their own.
    case .wipeData, .restartApplication, .identitySwitchRequired, .addAccount, .complianceStatus: break
    }
  }

  private func restart(_ reason: RestartReason) async -> RestartReply {
    if await delegates.policy?.restartApplication() == true { return .appRestartsItself }
    return .user(await delegates.presentation?.restartNeeded(reason: reason) ?? .acknowledged)
  }

  /// The answer, unless the run was canceled meanwhile and the answer may be the cancelation's doing: a failure, or a dialog
  /// that ended without a decision. It is then not recorded, and the work stays pending.
  private func completed<Answer>(_ answer: Answer, isFailure: Bool) throws(EngineError) -> Answer {
    if isFailure, Task.isCancelled { throw .canceled }
    return answer
  }
}

/// The first error of a run's tasks.
private final class Trouble: Sendable {
  private let error = Mutex<EngineError?>(nil)

  var first: EngineError? { error.withLock { $0 } }

  func record(_ new: EngineError) { error.withLock { $0 = $0 ?? new } }
}

/// The engine and the task that wait for a delegate, the service or the file remover.
struct RunningTask {
  private let engine: ObjectIdentifier
  private let task: Int?
  /// What waits for the same.
  fileprivate let lane: WorkQueueKind?

  /// The current task of an engine.
  init(_ engine: PolicyEngine, _ lane: WorkQueueKind?) {
    self.engine = ObjectIdentifier(engine)
    self.lane = lane
    // Tasks that a delegate starts inherit the value, but are other tasks.
    task = Self.current
  }

  /// Whether it is the current task, of this engine.
  func isCurrent(of engine: PolicyEngine) -> Bool { self.engine == ObjectIdentifier(engine) && task == Self.current }

  private static var current: Int? { withUnsafeCurrentTask { $0?.hashValue } }
}

extension PolicyEngine {
  /// The task in which a delegate is called.
  @TaskLocal static var running: RunningTask?

  /// Whether the caller is a delegate that a run waits for.
  var isInsideRun: Bool { Self.running?.isCurrent(of: self) ?? false }

  /// Whether the caller answers one of an account's requests to the service, so that the next one waits for the caller.
  func isInsideRequest(about account: AccountNumber) -> Bool {
    isInsideRun && Self.running?.lane == .requests(account)
  }
}

extension ServiceAnswer {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}

extension DiscardingTaskGroup {
  /// Starts a child that runs here up to where it waits: one that waits for nothing is done when this returns.
  fileprivate mutating func start(_ body: @escaping @Sendable () async -> Void) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      addImmediateTask(operation: body)
    } else {
      addTask(operation: body)
    }
  }
}
