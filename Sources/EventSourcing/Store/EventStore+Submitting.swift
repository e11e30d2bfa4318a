import Journal
import Synchronization

extension EventStore {
  /// Does what ``append(_:at:expecting:idempotencyKey:cause:)`` does, from a task, which is suspended meanwhile and
  /// blocks no thread. Commands that are submitted while others are being written are decided one after the other on the
  /// journal's own thread, written together, and share one sync.
  ///
  /// A command that is submitted is decided, also when the task is cancelled: what may be durable already cannot be
  /// taken back.
  ///
  /// - Throws: ``StoreError``. A write that fails fails for all commands that were written with it.
  @discardableResult
  @inlinable
  public func submit(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0
  ) async throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    let request = Request(
      command: command, moment: moment, expected: expected, idempotencyKey: idempotencyKey, cause: cause)
    // Answered exactly once, in `performSubmissions`.
    let answer = await withUnsafeContinuation { (continuation: Submission.Continuation) in
      let isFirst = submissions.withLock { submissions in
        submissions.append(Submission(request, continuation))
        return submissions.count == 1
      }
      if isFirst { performOnJournalsThread { self.performSubmissions() } }
    }
    return try answer.get()
  }

  @usableFromInline
  func performOnJournalsThread(_ work: @escaping @Sendable () -> Void) {
    journal.perform(work)
  }

  /// A command that a task submitted, and the task.
  @usableFromInline
  struct Submission: Sendable {
    @usableFromInline
    typealias Continuation = UnsafeContinuation<
      Result<AppendResult<Machine>, StoreError<Machine.Rejection>>, Never
    >

    @usableFromInline let request: Request
    @usableFromInline let continuation: Continuation

    @inlinable
    init(_ request: Request, _ continuation: Continuation) {
      self.request = request
      self.continuation = continuation
    }
  }

  /// Carries out everything that was submitted, and tells the tasks.
  @inlinable
  func performSubmissions() {
    let submitted = submissions.withLock { submissions in
      let taken = submissions
      submissions = []
      submissions.reserveCapacity(taken.count)
      return taken
    }
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(submitted.count)
    writer.withLock { writer in
      while outcomes.count < submitted.count { performTrain(submitted, &outcomes, &writer) }
    }
    // The last one first: its sync is everybody's, and its state is what everybody sees.
    var answers: [Result<AppendResult<Machine>, StoreError<Machine.Rejection>>] = []
    answers.reserveCapacity(outcomes.count)
    for outcome in outcomes.reversed() {
      answers.append(Result { () throws(StoreError<Machine.Rejection>) in try settle(outcome) })
    }
    for (submission, answer) in zip(submitted, answers.reversed()) {
      submission.continuation.resume(returning: answer)
    }
  }

  /// Decides commands behind those that have an outcome, and writes their events with one call.
  ///
  /// A command that looks back at events goes alone, because it may be about one that is not written yet.
  @inlinable
  func performTrain(
    _ submitted: [Submission], _ outcomes: inout [Outcome], _ writer: inout StoreWriter<Machine>
  ) {
    var explanation = Explanation()
    let first = outcomes.count
    guard !submitted[first].request.looksBack else {
      outcomes.append(perform(submitted[first].request, &writer, &explanation))
      return
    }
    writer.envelopes.begin()
    var drafts: [Result<Draft, StoreError<Machine.Rejection>>] = []
    var contents = writer.version.contents
    for submission in submitted[first...] {
      guard !submission.request.looksBack, !writer.envelopes.isFull else { break }
      let draft = Result { () throws(StoreError<Machine.Rejection>) in
        try self.draft(submission.request, in: contents, &writer, &explanation)
      }
      // It may fit a batch that is not as full.
      if case .failure(.journal) = draft, !drafts.isEmpty { break }
      if case .success(let draft) = draft { contents = draft.contents }
      drafts.append(draft)
    }
    write(drafts, &outcomes, &writer)
  }

  /// Writes what was decided, all of it or nothing.
  @inlinable
  func write(
    _ drafts: [Result<Draft, StoreError<Machine.Rejection>>], _ outcomes: inout [Outcome],
    _ writer: inout StoreWriter<Machine>
  ) {
    var written: WrittenBatch?
    var chains: [UInt32] = []
    if !writer.envelopes.isEmpty {
      do throws(JournalError) {
        written = try writeTrain(&writer, &chains)
      } catch {
        // The answers among them rest on what was not written.
        for _ in drafts { outcomes.append(Outcome(.journal(error), version: nil)) }
        return
      }
    }
    var place = 0
    for draft in drafts {
      let before = writer.version
      switch draft {
      case .success(let draft) where draft.events.isEmpty:
        outcomes.append(Outcome(draft.answer(in: before), version: before))
      case .success(let draft):
        let after = StateVersion(draft.contents, chain: chains[place])
        place += 1
        let result = complete(draft, before: before, after: after, &writer)
        outcomes.append(Outcome(result, version: after, written: written))
      case .failure(let error):
        outcomes.append(Outcome(error, version: error.restsOnState ? before : nil))
      }
    }
  }

  /// Writes everything that is encoded; `chains` gets the value behind each command's events.
  @usableFromInline
  func writeTrain(
    _ writer: inout StoreWriter<Machine>, _ chains: inout [UInt32]
  ) throws(JournalError) -> WrittenBatch {
    let (written, inner) = try journal.writeTrain(&writer.envelopes.batch, expecting: writer.version.sequence)
    chains = inner + [written.chain]
    return written
  }
}

extension EventStore.Request {
  /// Whether deciding it may need events of other commands.
  @inlinable var looksBack: Bool { cause > 0 || !idempotencyKey.isEmpty }
}
