/// A batch that a task submitted.
final class Submission: Sendable {
  typealias Continuation = UnsafeContinuation<Result<ClosedRange<UInt64>, JournalError>, Never>

  let batch: JournalBatch
  let expected: UInt64?

  init(_ batch: consuming JournalBatch, expecting expected: UInt64?) {
    self.batch = batch
    self.expected = expected
  }
}

/// Submitted batches that are not being written yet.
struct SubmissionQueue: Sendable {
  /// A batch, and the task that waits for it.
  struct Entry: Sendable {
    let submission: Submission
    let continuation: Submission.Continuation
  }

  /// Entries that are written in one call, and their outcome.
  struct Train: Sendable {
    let entries: Range<Int>
    var result: Result<WrittenBatch, JournalError>
  }

  /// The size in bytes above which batches are not combined into one call.
  static let maximumTrainLength = 1 << 20

  private var entries: [Entry] = []

  /// Adds a batch at the end; `true` when it is the only one, so that the caller must start the writing.
  mutating func add(_ submission: Submission, _ continuation: Submission.Continuation) -> Bool {
    entries.append(Entry(submission: submission, continuation: continuation))
    return entries.count == 1
  }

  /// Removes and returns all batches.
  mutating func takeAll() -> [Entry] {
    let taken = entries
    entries = []
    entries.reserveCapacity(taken.count)
    return taken
  }

  /// The index after the last entry that can be written in one call with the one at `first`. Batches that expect a
  /// number, and those without events, go alone.
  static func endOfTrain(_ entries: [Entry], from first: Int) -> Int {
    var end = first
    var length = 0
    var count = 0
    while end < entries.count {
      let submission = entries[end].submission
      length += submission.batch.encodedLength
      count += submission.batch.count
      let fits = length <= maximumTrainLength && count <= Format.maximumBatchEvents
      guard fits, submission.expected == nil, !submission.batch.isEmpty else { return max(end, first + 1) }
      end += 1
    }
    return end
  }

  /// Resumes every task with the outcome of its batch.
  static func answer(_ entries: [Entry], _ trains: [Train]) {
    for train in trains {
      var next = (try? train.result.get())?.events.lowerBound ?? 0
      for entry in entries[train.entries] {
        let count = UInt64(entry.submission.batch.count)
        let first = next
        entry.continuation.resume(returning: train.result.map { _ in first...(first + count - 1) })
        next += count
      }
    }
  }
}
