import Journal
import Synchronization

extension EventStore {
  /// The asynchronous form of ``append(_:at:expecting:idempotencyKey:cause:attributes:)-(_,_,UInt64?,_,_,_)``: suspends the
  /// task and blocks no thread.
  /// Commands submitted while others are being written are decided in order on the journal's own thread, written
  /// together, and share one sync.
  ///
  /// A submitted command is decided even if the task is cancelled: what may already be durable cannot be taken back.
  ///
  /// - Throws: ``StoreError``. A failed write fails every command written with it.
  @discardableResult
  @inlinable
  public func submit(
    _ command: Machine.Command, at moment: Moment, expecting expected: UInt64? = nil, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0, attributes: CommandAttributes? = nil
  ) async throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    let request = Request(
      command: command, moment: moment, expected: expected, idempotencyKey: idempotencyKey, cause: cause,
      attributes: attributes)
    return try await submit(request)
  }

  /// The asynchronous form of appending with ``ExpectedVersions``.
  @discardableResult
  @inlinable
  public func submit(
    _ command: Machine.Command, at moment: Moment, expecting expected: ExpectedVersions, idempotencyKey: [UInt8] = [],
    cause: UInt64 = 0, attributes: CommandAttributes? = nil
  ) async throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    var request = Request(
      command: command, moment: moment, expected: nil, idempotencyKey: idempotencyKey, cause: cause,
      attributes: attributes)
    request.expectedVersions = expected
    return try await submit(request)
  }

  @inlinable
  func submit(_ request: Request) async throws(StoreError<Machine.Rejection>) -> AppendResult<Machine> {
    // Resumed exactly once, in `performSubmissions`.
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

  /// A submitted command and the task waiting for it.
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

  /// Carries out everything submitted and resumes the tasks.
  @inlinable
  func performSubmissions() {
    let submitted = submissions.withLock { submissions in
      let taken = submissions
      submissions = []
      submissions.reserveCapacity(taken.count)
      return taken
    }
    var outcomes: [Result<Outcome, Failure>] = []
    outcomes.reserveCapacity(submitted.count)
    writer.withLock { writer in
      while outcomes.count < submitted.count { performTrain(submitted, &outcomes, &writer) }
    }
    // The last one first: its sync covers all, and its state is the one to show.
    var answers: [Result<AppendResult<Machine>, StoreError<Machine.Rejection>>] = []
    answers.reserveCapacity(outcomes.count)
    for outcome in outcomes.reversed() {
      answers.append(
        Result { () throws(StoreError<Machine.Rejection>) in
          try acknowledge { () throws(Failure) in try outcome.get() }
        })
    }
    for (submission, answer) in zip(submitted, answers.reversed()) {
      submission.continuation.resume(returning: answer)
    }
  }

  /// Decides commands on top of those already decided, and writes their events with one call.
  ///
  /// A command that looks back at earlier events goes alone, because one of them may not be written yet.
  @inlinable
  func performTrain(
    _ submitted: [Submission], _ outcomes: inout [Result<Outcome, Failure>], _ writer: inout StoreWriter<Machine>
  ) {
    var explanation = Explanation()
    let first = outcomes.count
    guard !submitted[first].request.looksBack else {
      outcomes.append(
        Result { () throws(Failure) in try perform(submitted[first].request, &writer, &explanation) })
      return
    }
    writer.envelopes.begin()
    var drafts: [Result<Draft, StoreError<Machine.Rejection>>] = []
    var version = writer.version
    for submission in submitted[first...] {
      guard !submission.request.looksBack, !writer.envelopes.isFull else { break }
      let draft = Result { () throws(StoreError<Machine.Rejection>) in
        try self.draft(submission.request, in: version, &writer, &explanation)
      }
      // It may fit a batch with more room.
      if case .failure(.journal) = draft, !drafts.isEmpty { break }
      if case .success(let draft) = draft { version = draft.result.after }
      drafts.append(draft)
    }
    write(drafts, &outcomes, &writer)
  }

  /// Writes everything decided, or nothing.
  @inlinable
  func write(
    _ drafts: [Result<Draft, StoreError<Machine.Rejection>>], _ outcomes: inout [Result<Outcome, Failure>],
    _ writer: inout StoreWriter<Machine>
  ) {
    var written: WrittenBatch?
    var chains: [UInt32] = []
    if !writer.envelopes.isEmpty {
      do throws(JournalError) {
        written = try writeTrain(&writer, &chains)
      } catch {
        // Some of the answers are based on events that were not written.
        for _ in drafts { outcomes.append(.failure(Failure(.journal(error), in: writer.version, by: writer.journal))) }
        return
      }
    }
    var place = 0
    for draft in drafts {
      switch draft {
      case .success((let result, _)) where !result.hasAppended:
        outcomes.append(.success((result, nil, writer.journal)))
      case .success((let result, let origin)):
        complete(result, origin, chain: chains[place], &writer)
        place += 1
        outcomes.append(.success((result, written, writer.journal)))
      case .failure(let error):
        outcomes.append(.failure(Failure(error, in: writer.version, by: writer.journal)))
      }
    }
  }

  /// Writes everything encoded; `chains` receives the value after each command's events.
  @usableFromInline
  func writeTrain(
    _ writer: inout StoreWriter<Machine>, _ chains: inout [UInt32]
  ) throws(JournalError) -> WrittenBatch {
    let (written, inner) = try writer.journal.writeTrain(&writer.envelopes.batch, expecting: writer.version.sequence)
    chains = inner + [written.chain]
    return written
  }
}

extension EventStore.Request {
  /// Whether deciding it may need events of other commands.
  @inlinable var looksBack: Bool { cause > 0 || !idempotencyKey.isEmpty || !expectedVersions.isEmpty }
}
