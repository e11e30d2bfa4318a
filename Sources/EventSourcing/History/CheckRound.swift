import Journal
import Synchronization

/// Stretches of a history shared among several threads, and the result of each.
@usableFromInline
final class CheckRound<Machine: Reducer>: Sendable {
  /// Number of threads that have work.
  let threads: Int
  private let stretches: [StretchesInOrder.Stretch]
  /// The check as it is before the first stretch.
  private let check: Check<Machine>
  private let file: KeyframeFile?
  private let next = Atomic(0)
  private let parts = Mutex<[Int: Part]>([:])

  private struct Part: Sendable {
    let start: Check<Machine>.Place
    /// `nil` until it is replayed, or if it cannot be.
    var end: Check<Machine>?
  }

  init(
    _ stretches: [StretchesInOrder.Stretch], from check: Check<Machine>, _ file: KeyframeFile?, threads: Int
  ) {
    self.stretches = stretches
    self.check = check
    self.file = file
    self.threads = min(threads, stretches.count)
  }

  /// The range of stretch numbers.
  @usableFromInline var indices: Range<Int> { stretches.indices }

  /// Calls `body` with each event of a stretch.
  @usableFromInline
  func forEachEvent(
    of index: Int, _ body: (JournalEvent) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    try stretches[index].events.forEach(body)
  }

  // MARK: - On every thread

  /// Claims the next stretch that no other thread has; `nil` if none is left.
  @usableFromInline
  func take() -> Int? {
    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < stretches.count ? index : nil
  }

  /// A check of a stretch, starting from the state before it; `nil` if that state is unknown.
  @usableFromInline
  func begin(_ index: Int) -> Check<Machine>? {
    guard var part = index == 0 ? beginFirst() : begin(behind: stretches[index].keyframe) else { return nil }
    let start = part.place
    parts.withLock { $0[index] = Part(start: start) }
    return part
  }

  private func beginFirst() -> Check<Machine> {
    var replay = check.replay
    replay.count = 0
    return Check(partOf: check, from: replay, check.digester)
  }

  private func begin(behind keyframe: Keyframe?) -> Check<Machine>? {
    var digester = StateDigester<Machine.State>()
    guard let keyframe, let file,
      let replay = Replay<Machine>(behind: keyframe, in: file, of: check.replay, &digester)
    else { return nil }
    return Check(partOf: check, from: replay, digester)
  }

  /// Records the result of a stretch.
  @usableFromInline
  func end(_ index: Int, _ part: Check<Machine>) {
    parts.withLock { $0[index]?.end = part }
  }

  // MARK: - In the order of the history

  /// The keyframe after a stretch, if a replay of the next one began with its state.
  @usableFromInline
  func restoredKeyframe(behind index: Int) -> RestoredKeyframe? {
    guard index + 1 < stretches.count, let keyframe = stretches[index + 1].keyframe else { return nil }
    return parts.withLock { $0[index + 1]?.start.digest }.map { RestoredKeyframe(keyframe: keyframe, digest: $0) }
  }

  /// Adopts the result of a stretch; `false` if the check itself would not find the same.
  ///
  /// - Parameter nextKeyframe: The event of the next keyframe to compare with the check.
  @usableFromInline
  func adopt(_ index: Int, _ check: inout Check<Machine>, before nextKeyframe: UInt64) -> Bool {
    guard let part = parts.withLock({ $0.removeValue(forKey: index) }), let end = part.end, end.isPlain,
      nextKeyframe >= end.replay.sequence, check.report.mismatch == nil, part.start == check.place
    else { return false }
    check.adopt(end)
    return true
  }
}

/// A keyframe's restored state and its digest.
@usableFromInline
struct RestoredKeyframe: Sendable {
  let keyframe: Keyframe
  let digest: Digest
}
