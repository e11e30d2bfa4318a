import AppProtection
import EventSourcing

/// A wipe that was ordered and has not come to its end.
struct WipeUnfinishedRule: ProblemRule {
  private struct Record: Sendable {
    let order: EventContext
    var delegate: EventContext?
    var failures = Occurrences()
    var request: EventContext?
    var refusals = Observations<EnrollmentStatusCode>()
    var launches = Occurrences()
    var newest: EventContext
    /// The event with which the wipe came to its end.
    var completed: EventContext?

    /// Whether the wipe failed for longer than a time, or again and again, before it came to its end.
    func failed(for time: Int64) -> Bool {
      guard let first = [failures.first, refusals.first].compactMap({ $0 }).min(by: { $0.sequence < $1.sequence }),
        let completed
      else { return false }
      return failures.count + refusals.count >= Episodes.many.sightings || completed.elapsed(since: first) > time
    }
  }

  private var records = PerAccount<Record>()
  /// The last wipe of every account that is complete, and failed before.
  private var slow = PerAccount<Record>()
  private var unenrollments = PerAccount<EventContext>()

  static let events: [any EventPayload.Type] = [
    ProcessStarted.self, UnenrollmentRequested.self, UnenrollmentFailed.self, WipeRequested.self,
    WipeDelegateAnswered.self, WipeFilesRemoved.self, WipeCompleted.self, WipeFailed.self,
  ]

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    switch event {
    case .unenrollmentRequested(let event):
      unenrollments[event.account] = context
      if records[event.account] != nil { records[event.account]?.request = context }
    case .wipeRequested(let event):
      var record = Record(order: context, newest: context)
      if event.precedesUnenrollment { record.request = unenrollments[event.account] }
      records[event.account] = record
    case .wipeDelegateAnswered(let event):
      records[event.account]?.delegate = context
      records[event.account]?.newest = context
    case .wipeFailed(let event):
      records[event.account]?.failures.add(context)
      records[event.account]?.newest = context
    case .wipeFilesRemoved(let event): records[event.account]?.newest = context
    case .unenrollmentFailed(let event):
      records[event.account]?.refusals.add(context, event.code)
    case .wipeCompleted(let event):
      guard var record = records[event.account] else { break }
      record.completed = context
      if record.failed(for: Episodes.pause) { slow[event.account] = record }
      records[event.account] = nil
    case .processStarted(let event):
      guard !event.isExtension else { break }
      for (account, _) in records.inOrder { records[account]?.launches.add(context) }
    default: break
    }
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    slow.inOrder.compactMap { account, record in Self.problem(account, record) }
      + records.inOrder.compactMap { account, record in
        guard let wipe = state.wipes[account], wipe.phase != .completed, wipe.requestedBy == record.order.sequence
        else {
          return nil
        }
        return problem(account, record, wipe, state.process, last, notes)
      }
  }

  /// A wipe that failed, and came to its end.
  private static func problem(_ account: AccountNumber, _ record: Record) -> Problem? {
    guard let completed = record.completed else { return nil }
    let evidence = record.failures.evidence("files are left") + refused(record)
    guard let deciding = evidence.first else { return nil }
    let causes = [
      phrase("files of \(account) could not be removed (215)", record.failures),
      phrase("the service could not be notified that \(account) left: \(record.refusals.codes)", record.refusals),
    ].compactMap { $0 }
    let isOfFiles = duration(record.failures) >= duration(record.refusals)
    var problem = Problem(
      .wipeUnfinished, of: account.description,
      "\(causes.joined(separator: ", and ")); the wipe was complete with event \(completed.sequence)",
      evidence: deciding, evidence.filter { $0 != deciding } + [DiagnosisEvidence(record.order, "the wipe is ordered")],
      next: isOfFiles
        ? "find what keeps the files open or protected: until they are removed, the account cannot come back"
        : next(after: record.refusals),
      command: "log JOURNAL --account \(account) --type 'wipe.*'")
    (problem.began, problem.felt) = (record.order.sequence, record.order.sequence)
    problem.end(.recovered, at: completed)
    problem.severity = record.failed(for: RetrySchedule.day) ? .warning : .note
    return problem
  }

  /// What failed, how often, and from when to when.
  private static func phrase<Value>(_ words: String, _ seen: Observations<Value>) -> String? {
    guard let first = seen.first?.sequence, let last = seen.last?.sequence else { return nil }
    return "\(words), \(seen.times) " + (first == last ? "at event \(first)" : "from event \(first) to event \(last)")
  }

  /// How long something failed, as far as its events show; -1 if it did not.
  private static func duration<Value>(_ seen: Observations<Value>) -> Int64 {
    guard let first = seen.first, let last = seen.last else { return -1 }
    return last.elapsed(since: first)
  }

  private static func refused(_ record: Record) -> [DiagnosisEvidence] {
    record.refusals.evidence { "the service is not notified: \($0.words)" }
  }

  private static func next(after refusals: Observations<EnrollmentStatusCode>) -> String {
    refusals.lastValue.flatMap { $0.saysSomethingAboutAccount ? StatusAdvice.next(after: $0) : nil }
      ?? "connect the device to the service; the data is gone already"
  }

  private func problem(
    _ account: AccountNumber, _ record: Record, _ wipe: WipeRecord, _ process: ProcessSlice, _ last: EventContext,
    _ notes: HistoryNotes
  ) -> Problem? {
    let order = DiagnosisEvidence(record.order, "the wipe is ordered")
    var (words, next) = ("", "open the app again: it goes on where it was")
    var evidence: [DiagnosisEvidence] = []
    switch wipe.phase {
    case .completed: return nil
    case .requested:
      words = "the app's delegate has not answered"
      evidence = [order, DiagnosisEvidence(nil, "no answer of wipeDataForAccount has come")]
      next = "set the delegate before the SDK needs it, and let it answer"
    case .removingFiles:
      if record.failures.count > 0 {
        words = "files could not be removed (215), \(record.failures.times)"
        evidence = record.failures.evidence("files are left")
        next = "find what keeps the files open or protected, and open the app again"
      } else {
        let isSameProcess = process.isRunning && record.launches.count == 0
        words = "\(isSameProcess ? "the files are not" : "the process ended before the files were") removed"
        evidence =
          (record.delegate.map { [DiagnosisEvidence($0, "the delegate leaves the files to the SDK")] } ?? [])
        evidence.append(DiagnosisEvidence(nil, "no file was removed since"))
      }
    case .unenrolling:
      if record.refusals.count > 0 {
        words = "the service cannot be notified that the account leaves: \(record.refusals.codes)"
        evidence = Self.refused(record)
        next = Self.next(after: record.refusals)
      } else {
        words = "the service does not answer that the account leaves"
        evidence =
          record.request.map { [DiagnosisEvidence($0, "the service is notified that the account leaves")] }
          ?? []
        evidence.append(DiagnosisEvidence(nil, "no answer has come"))
        next = "connect the device to the service, and open the app"
      }
    }
    evidence += record.launches.evidence("the app starts, and the wipe goes on")
    let deciding = evidence.first { $0.sequence != nil } ?? order
    var problem = Problem(
      .wipeUnfinished, .certain, of: account.description,
      "the wipe of \(account) that event \(record.order.sequence) ordered is not finished, because \(words)",
      evidence: deciding, evidence.filter { $0 != deciding } + [order], next: next,
      command: "state JOURNAL --path /wipes/\(account)")
    // The wipe is one with its order.
    (problem.began, problem.felt) = (record.order.sequence, record.order.sequence)
    problem.restsOnAbsence = true
    let isLate = record.failures.count > 0 || notes.processes.isLate(since: record.newest, at: last)
    if !isLate {
      (problem.severity, problem.confidence, problem.harm) = (.note, .possible, .irregular)
    } else if wipe.phase == .unenrolling {
      problem.severity = .warning
    }
    return problem
  }
}
