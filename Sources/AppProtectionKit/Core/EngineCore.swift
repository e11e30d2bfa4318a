import AppProtection
import EventSourcing
import Synchronization

/// The engine as a synchronous machine: takes commands, yields the next step, takes its answer.
///
/// The core decides, writes and remembers; a *driver* makes the callbacks, puts the questions and makes the requests that
/// it asks for. ``PolicyEngine`` is the driver that apps embed; simulations have one that never suspends. Both write the
/// same bytes, because everything that reaches the journal passes through here.
///
/// ```swift
/// guard try core.beginRun() else { return }  // another driver is at work, and does this work too
/// while let step = try core.nextStep() {
///   switch step {
///   case .tell(let callback):
///     tell(callback)
///     core.didTell()
///   case .enroll(let inquiry): try core.answer(inquiry, with: service.enroll(inquiry.subject))
///   …
///   }
/// }
/// ```
///
/// A driver may take the next step before it is done with the last one. Callbacks and other notices, requests about one
/// account, the removal of one account's data, questions to the user and questions to the app each come one after the other;
/// a slow one delays only its own kind. Questions wait for the notices before them.
///
/// **Threads.** All members may be called from any thread, but ``nextStep()`` only by the driver whose ``beginRun()``
/// returned `true`, one call at a time. A driver that gives up, for instance because a call threw, waits for its
/// outstanding inquiries and then calls ``stopRun()``.
public final class EngineCore: Sendable {
  /// The outcome of a command.
  public typealias Result = AppendResult<AppProtectionMachine>

  /// The most refusals that one process records.
  public static let maximumRefusalsPerProcess = 64
  /// The most pieces of work that one run carries out within an hour before it assumes a cycle.
  public static let maximumWorkPerHour = 10_000
  /// The most requests to the service that a run has under way at the same time, each about another account.
  public static let maximumRequestsAtOnce = 8

  /// The events and the state.
  public let store: EventStore<AppProtectionMachine>

  let clock: any TimeSource
  private let observer: (any EngineObserver)?
  /// Removes values from commands that the app wants kept out of the journal.
  private let scrubber: LogScrubber
  /// The refusals that this process has recorded; `nil` if none are to be recorded.
  let refusals: Mutex<Set<CommandRefused>?>

  /// Callbacks waiting for delivery. Locked while a command is decided and written, so that callbacks and times follow
  /// the order of the events.
  let outbox = Mutex(Outbox())
  /// Keeps how far the app was notified; `nil` if that ends with the process.
  let deliveries: (any DeliveryLog)?
  let progress = Mutex(DeliveryState())
  private let drive = Mutex(Drive())
  /// The process that this core started last, and the event that says so.
  let started = Mutex<(process: ProcessStart, event: UInt64)?>(nil)

  /// The state of the driver that carries out work.
  private struct Drive {
    var isRunning = false
    /// Another run was requested during the current one.
    var isWanted = false
    /// The engine ends: the current run does nothing new, and no other begins.
    var isEnding = false
    /// The inquiries that the current run has not answered yet.
    var carried: [PendingWork] = []
    /// Number of other things that the current run waits for.
    var outstanding = 0
    /// The time when the last run looked for work.
    var looked: Moment?
    /// Questions asked in this process that have no answer yet.
    var asked: [PendingWork] = []
    /// Work still pending after it was carried out, such as files that cannot be removed: it waits for the next run.
    var stalled: [PendingWork] = []
    /// The pieces of work that the run has carried out.
    var count = WorkCount()
  }

  /// - Parameters:
  ///   - store: A store that is open for writing. ``close()`` closes it.
  ///   - clock: The only source of time.
  ///   - observer: Sees the outcome of every command.
  ///   - scrubber: Removes values that must not enter the journal from commands.
  ///   - recordsRefusals: Whether to record an event `command.refused` for a command that the rules refuse.
  ///   - deliveries: Keeps how far the app was notified, so that the next process makes the callbacks that this one did not;
  ///     `nil` lets them end with the process.
  public init(
    store: EventStore<AppProtectionMachine>, clock: any TimeSource, observer: (any EngineObserver)? = nil,
    scrubber: LogScrubber = LogScrubber([]), recordsRefusals: Bool = false, deliveries: (any DeliveryLog)? = nil
  ) {
    self.deliveries = deliveries
    refusals = Mutex(recordsRefusals ? [] : nil)
    self.store = store
    self.clock = clock
    self.observer = observer
    self.scrubber = scrubber
  }

  /// The state after everything acknowledged under the store's sync policy. Never waits.
  public var state: AppProtectionState { store.state }

  /// The time when work comes due on its own; see ``PolicyEngine/nextDue``.
  public var nextDue: Int64? {
    let moment = clock.now()
    return state.nextDue(after: drive.withLock { $0.looked } ?? moment, at: moment)
  }

  // MARK: Commands

  /// Records the start of the process, and takes over the callbacks that the last one did not make. The offset of the local
  /// time is that of the clock unless given.
  ///
  /// An extension is not the app: notices to it do not count, and the app's next process receives them as well.
  ///
  /// A process starts once. Of a further start, only the settings count.
  ///
  /// - Returns: Whether the process started.
  @discardableResult
  public func start(_ process: ProcessStart, settings: AppSettings?) throws(EngineError) -> Bool {
    if !process.isExtension { resumeTelling() }
    guard !hasStarted(process) else {
      if let settings { try send(.changeSettings(settings)) }
      return false
    }
    try send(startCommand(process, settings: settings))
    recordStart(of: process)
    return true
  }

  /// Whether this core started the process that runs, as what this one is: the app or an extension.
  private func hasStarted(_ process: ProcessStart) -> Bool {
    started.withLock { started in
      guard let started, started.process.isExtension == process.isExtension else { return false }
      return store.withState { $0.process.isRunning && $0.process.startedBy == started.event }
    }
  }

  /// Remembers that the process was started by this core.
  func recordStart(of process: ProcessStart) {
    let event = store.withState { $0.process.startedBy }
    started.withLock { $0 = (process, event) }
  }

  /// The command that starts a process, with the offset of local time.
  func startCommand(_ process: ProcessStart, settings: AppSettings?) -> AppProtectionCommand {
    var process = process
    process.utcOffset = process.utcOffset ?? clock.utcOffset(at: clock.now())
    return .startProcess(process, settings: settings)
  }

  /// Releases the journal, after `endProcess` and its callbacks.
  public func close() throws(EngineError) {
    recordAllDelivered(lag: 0)
    do throws(HistoryError) {
      try store.close()
    } catch {
      throw .store(.history(error), at: store.path)
    }
  }

  /// Decides a command and makes its events durable.
  ///
  /// - Parameters:
  ///   - command: The command to decide.
  ///   - cause: The event that prompted the command; 0 for a command from outside.
  /// - Returns: The events, possibly none.
  /// - Throws: ``EngineError/refused(_:)`` if the rules forbid the command and write nothing.
  @discardableResult
  public func send(_ command: AppProtectionCommand, cause: UInt64 = 0) throws(EngineError) -> Result {
    try send(command, cause: cause, handedOver: nil)
  }

  /// - Parameter spooled: The command as another process handed it over; `nil` for one of this process.
  @discardableResult
  func send(
    _ command: AppProtectionCommand, cause: UInt64, handedOver spooled: SpooledCommand<AppProtectionMachine>?
  ) throws(EngineError) -> Result {
    let command = scrubber.scrub(command)
    return try outbox.withLock { (outbox) throws(EngineError) -> Result in
      let moment = clock.now()
      do throws(EngineError) {
        return try append(command, at: moment, cause: cause, handedOver: spooled, &outbox)
      } catch {
        guard let rejection = error.rejection else { throw error }
        if rejection == .notStarted, isEnding { throw .ended }
        if let callback = Self.callback(for: rejection, of: command, in: store.state) {
          outbox.add(callback, named: command.accounts.first)
        }
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

  @discardableResult
  func append(
    _ command: AppProtectionCommand, at moment: Moment, cause: UInt64,
    handedOver spooled: SpooledCommand<AppProtectionMachine>? = nil, _ outbox: inout Outbox
  ) throws(EngineError) -> Result {
    var isInterrupted = false
    var explanation = Explanation()
    let result: Result
    do throws(StoreError<AppProtectionRejection>) {
      result = try store.append(
        command, at: moment, idempotencyKey: spooled?.idempotencyKey ?? [], cause: cause,
        attributes: spooled?.attributes, explanation: &explanation
      ) { events in
        do throws(EngineInterruption) { try observer?.willAppend(events) } catch { isInterrupted = true }
        return !isInterrupted
      }
    } catch {
      if isInterrupted { throw .interrupted }
      if case .rejected(let rejection) = error { throw .refused(CommandRefusal(rejection)) }
      throw .store(error, at: store.path)
    }
    guard !isInterrupted else { throw .interrupted }
    do throws(EngineInterruption) {
      try observer?.didAppend(result)
    } catch {
      throw .interrupted
    }
    var sequence = result.before.sequence
    result.forEachStep { event, before, after in
      sequence += 1
      outbox.add(event, at: sequence, before, after)
    }
    return result
  }

  // MARK: Driving

  /// Begins a run, and records the offset of the local time if it has changed.
  ///
  /// - Returns: `false` if another driver is at work, which then does this work too, or if the engine ends.
  public func beginRun() throws(EngineError) -> Bool {
    let begins = drive.withLock { drive in
      if drive.isEnding { return false }
      if drive.isRunning {
        drive.isWanted = true
        return false
      }
      drive.isRunning = true
      drive.stalled = []
      drive.count = WorkCount()
      return true
    }
    guard begins else { return false }
    do throws(EngineError) {
      try recordUTCOffset()
    } catch {
      stopRun()
      throw error
    }
    return true
  }

  /// The next thing to do; `nil` when nothing more can be done now and every inquiry is answered, which ends the run.
  ///
  /// - Throws: ``EngineError/store(_:)`` if the journal cannot be written; pending work then stays pending.
  public func nextStep() throws(EngineError) -> EngineStep? {
    while true {
      let isTelling = isTelling
      if !isEnding, !isTelling, let callback = nextCallback() { return .tell(callback) }
      guard let work = nextWork(isTelling: isTelling) else {
        switch finish(isTelling: isTelling) {
        case .ended:
          recordAllDelivered()
          return nil
        case .waits: return .awaitAnswer
        case .again: continue
        }
      }
      let moment = clock.now()
      guard drive.withLock({ $0.count.add(at: moment, limit: Self.maximumWorkPerHour) }) else {
        throw .notSettling(work)
      }
      do throws(EngineError) {
        if let step = try step(for: work) {
          if step.inquiredWork != nil { carry(work) }
          return step
        }
      } catch {
        guard error.rejection != nil else { throw error }
      }
      park(work)
    }
  }

  /// Remembers an inquiry that the driver takes along.
  private func carry(_ work: PendingWork) {
    drive.withLock { drive in
      assert(!drive.carried.contains(work), "\(work) is carried out twice at once")
      drive.carried.append(work)
      assert(
        drive.carried.count { WorkQueueKind($0)?.isRequest == true } <= Self.maximumRequestsAtOnce,
        "too many requests are under way")
    }
  }

  /// Whether a callback waits for delivery.
  var hasCallback: Bool { outbox.withLock { !$0.waiting.isEmpty } }

  /// Whether a callback or another notice is under way.
  private var isTelling: Bool {
    outbox.withLock { $0.isTelling } || drive.withLock { $0.carried.contains { WorkQueueKind($0) == .notices } }
  }

  /// The oldest callback that waits for delivery, outside of a run too. Call ``didTell()`` when it was made.
  public func nextCallback() -> Callback? {
    let callback = outbox.withLock { $0.removeFirst() }
    if let callback { willDeliver("\(callback)") }
    return callback
  }

  /// The account that a refused command named, while its callback is made.
  var namedByRefusal: AccountReference? { outbox.withLock { $0.taken?.named } }

  /// Records the answer to an inquiry of the current run.
  public func answer<Subject, Answer>(
    _ inquiry: EngineInquiry<Subject, Answer>, with answer: Answer
  ) throws(EngineError) {
    defer { release(inquiry.work) }
    try record(answer, to: inquiry)
  }

  /// Records an answer to an inquiry with which the driver is not done yet.
  func record<Subject, Answer>(_ answer: Answer, to inquiry: EngineInquiry<Subject, Answer>) throws(EngineError) {
    guard let command = inquiry.command(answer) else {
      leaveOpen(inquiry.work)
      return
    }
    do throws(EngineError) {
      try send(command, cause: inquiry.work.cause)
    } catch {
      // Another command may have made the answer obsolete before it arrived.
      guard error.rejection != nil else { throw error }
    }
    park(inquiry.work)
  }

  /// Ends the driver's work on an inquiry, answered or not.
  func release(_ work: PendingWork) {
    drive.withLock { drive in
      if let index = drive.carried.firstIndex(of: work) { drive.carried.remove(at: index) }
    }
  }

  /// Keeps the run from ending while `count` more things are under way; a negative number lets it end again.
  func addOutstanding(_ count: Int) { drive.withLock { $0.outstanding += count } }

  /// Ends the run without the answers that are outstanding, as if the process had died there: the work stays pending.
  public func stopRun() {
    drive.withLock { drive in
      drive.isRunning = false
      drive.isWanted = false
      drive.carried = []
      drive.outstanding = 0
    }
  }

  /// Lets the current run end, and no other begin; `false` if the engine ends already.
  func beginEnd() -> Bool {
    drive.withLock { drive in
      defer { drive.isEnding = true }
      return !drive.isEnding
    }
  }

  /// Lets runs begin again, because the engine could not be ended.
  func cancelEnd() { drive.withLock { $0.isEnding = false } }

  /// Whether the engine ends or has ended.
  var isEnding: Bool { drive.withLock { $0.isEnding } }

  /// Whether a run is under way.
  var isRunning: Bool { drive.withLock { $0.isRunning } }

  /// Shows the observer the next notice or question to the app.
  func willDeliver(_ text: String) { observer?.willDeliver(text) }

  /// Records that a question stays unanswered for the rest of this process.
  func leaveOpen(_ work: PendingWork) {
    drive.withLock { $0.asked.append(work) }
  }

  private func recordUTCOffset() throws(EngineError) {
    guard let offset = clock.utcOffset(at: clock.now()),
      store.withState({ $0.process.isRunning && $0.process.utcOffset != offset })
    else { return }
    try send(.noteUTCOffset(offset))
  }

  private enum Finish {
    case ended, waits, again
  }

  /// Ends the run unless another was requested meanwhile, or an inquiry is outstanding. Checks and ends in one step: a later
  /// request starts a new run.
  private func finish(isTelling: Bool) -> Finish {
    drive.withLock { drive in
      if drive.isWanted, !drive.isEnding {
        drive.isWanted = false
        drive.stalled = []
        return .again
      }
      guard drive.carried.isEmpty, drive.outstanding == 0, !isTelling else { return .waits }
      drive.isRunning = false
      drive.isWanted = false
      drive.stalled = []
      return .ended
    }
  }

  private func nextWork(isTelling: Bool) -> PendingWork? {
    let moment = clock.now()
    let pending = state.pendingWork(at: moment)
    let isOverdue = outbox.withLock { $0.isOverdue }
    return drive.withLock { drive in
      drive.looked = moment
      drive.asked.removeAll { !pending.contains($0) }
      guard !drive.isEnding else { return nil }
      let busy = drive.carried.compactMap(WorkQueueKind.init)
      let isFull = busy.count(where: \.isRequest) >= Self.maximumRequestsAtOnce
      return pending.first { work in
        guard !drive.stalled.contains(work), !drive.asked.contains(work) else { return false }
        if isOverdue, work.callsApp { return false }
        return WorkQueueKind(work).map { lane in
          !busy.contains(lane) && !(lane.isRequest && isFull) && !(lane.followsNotices && isTelling)
        } ?? true
      }
    }
  }

  /// Puts work aside that is still pending after it was carried out.
  private func park(_ work: PendingWork) {
    guard state.pendingWork(at: clock.now()).contains(work) else { return }
    drive.withLock { $0.stalled.append(work) }
  }
}
