import Journal

/// Checks stretches of a history on several threads, ahead of the check that adopts what they find.
///
/// One thread reads all events and hands out stretches; while the result that comes next is not ready, it checks another
/// stretch itself. What is read ahead is limited, however long the history is and however many threads there are. The thread
/// that reads is the only one to use the object; what it uses for each event is not checked for overlaps.
@usableFromInline
final class CheckAhead<Machine: Reducer> {
  @usableFromInline typealias Stretch = ReplayPartition.Stretch

  /// Whether to read ahead. Once `false`, that would save nothing: what was read is folded, then each event as it comes.
  @usableFromInline @exclusivity(unchecked) private(set) var isReading: Bool
  private let threads: Int
  private let work: OrderedWork<Job, Part?>
  private let history: History<Machine>
  @exclusivity(unchecked) private var stretches: ReplayPartition
  @exclusivity(unchecked) private var isStretchComplete = false
  /// The stretches handed out that the check has not reached, and their size.
  private var waiting: [Stretch] = []
  @exclusivity(unchecked) private var size = 0
  /// Whether the check adopted the stretch before those, and has yet to compare the keyframe between.
  private var isAtKeyframe = false

  /// The most stretches handed out, for each thread.
  static var stretchesPerThread: Int { 4 }
  /// With this many bytes for each thread, one stretch for each and one more are enough.
  private static var sizePerThread: Int { 1 << 20 }
  /// The most bytes in memory, plus at most one event and the states of one keyframe: with few long stretches, fewer
  /// threads have work.
  static var maximumSize: Int { 16 << 20 }

  /// What a thread checks.
  private final class Job: Sendable {
    let stretch: Stretch
    /// The check when the stretch was handed out.
    let check: Check<Machine>
    /// Whether the stretch begins where that check is.
    let isNext: Bool

    init(_ stretch: Stretch, _ check: Check<Machine>, isNext: Bool) {
      (self.stretch, self.check, self.isNext) = (stretch, check, isNext)
    }
  }

  /// What a thread found.
  private final class Part: Sendable {
    let start: Check<Machine>.Place
    /// `nil` if the stretch could not be folded.
    let end: Check<Machine>?

    init(from start: Check<Machine>.Place, to end: Check<Machine>?) {
      (self.start, self.end) = (start, end)
    }
  }

  /// - Parameters:
  ///   - keyframes: The keyframes of the history.
  ///   - fold: Folds the events of a stretch, on any thread.
  @usableFromInline
  init(
    of history: History<Machine>, threads: Int, before keyframes: KeyframesInOrder,
    _ fold: @escaping @Sendable (Stretch, inout Check<Machine>) throws(HistoryError) -> Void
  ) {
    self.history = history
    self.threads = threads
    stretches = ReplayPartition(before: keyframes)
    isReading = threads > 1 && stretches.hasNextKeyframe
    let file = keyframes.file
    work = OrderedWork(on: history.reader.fileSystem, threads: threads) {
      { job in
        guard var check = job.isNext ? Self.begin(at: job.check) : Self.begin(job, file) else { return nil }
        let start = check.place
        do throws(HistoryError) {
          try fold(job.stretch, &check)
          return Part(from: start, to: check)
        } catch {
          // The error resurfaces in its turn.
          return Part(from: start, to: nil)
        }
      }
    }
  }

  // MARK: - On every thread

  private static func begin(at check: Check<Machine>) -> Check<Machine> {
    var replay = check.replay
    replay.count = 0
    return Check(partOf: check, from: replay, check.digester)
  }

  /// A check that begins with the state of a keyframe; `nil` if that is unknown.
  private static func begin(_ job: Job, _ file: KeyframeFile?) -> Check<Machine>? {
    var digester = StateDigester<Machine.State>()
    guard let keyframe = job.stretch.keyframe, let file,
      var replay = Replay<Machine>(after: keyframe, in: file, of: job.check.replay, &digester)
    else { return nil }
    // The digester has digested this state.
    _ = replay.state.takeChangedSlices()
    return Check(partOf: job.check, from: replay, digester)
  }

  // MARK: - In the order of the history

  /// Copies the next event. Returns whether to call ``handOut(after:)``, and then to fold while ``isFull``.
  @usableFromInline
  func keep(_ event: JournalEvent) -> Bool {
    isStretchComplete = stretches.keep(event)
    return isStretchComplete || isTooLarge
  }

  /// Hands out the stretch that ends with the last event, if one does.
  ///
  /// - Parameter check: After all that was folded.
  @usableFromInline
  func handOut(after check: Check<Machine>) {
    guard isStretchComplete else { return }
    let stretch = stretches.cut()
    work.give(Job(stretch, check, isNext: waiting.isEmpty))
    waiting.append(stretch)
    size += stretch.size
    // After the last keyframe no thread knows a state, and after a mismatch all of them differ.
    isReading = stretches.hasNextKeyframe && check.report.mismatch == nil
    isStretchComplete = false
  }

  /// Whether to fold before more is read.
  @usableFromInline var isFull: Bool {
    if isTooLarge || !isReading { return !isEmpty }
    return waiting.count >= threads * Self.stretchesPerThread
      || (waiting.count > threads && size >= threads * Self.sizePerThread)
  }

  private var isTooLarge: Bool { size + stretches.byteCount > Self.maximumSize }

  /// Whether all that was read is folded.
  @usableFromInline var isEmpty: Bool { waiting.isEmpty && stretches.isEmpty }

  /// Adopts what was found in the next stretch, or returns the stretch if the check itself would not find the same: then
  /// the check folds it.
  @usableFromInline
  func adoptNext(_ check: inout Check<Machine>, _ keyframes: inout KeyframesInOrder) -> Stretch? {
    guard !waiting.isEmpty else { return stretches.cut() }
    let stretch = waiting.removeFirst()
    size -= stretch.size
    let part = work.next() ?? nil
    if isAtKeyframe {
      let restored = stretch.keyframe.flatMap { keyframe in
        part.map { RestoredKeyframe(keyframe: keyframe, digest: $0.start.digest) }
      }
      history.compareStored(&check, &keyframes, restored: restored)
    }
    isAtKeyframe = false
    guard let part, let end = part.end, check.adopt(end, from: part.start, before: keyframes.nextSequence) else {
      return stretch
    }
    // The thread that began after the keyframe has restored it: it is compared with the next stretch.
    isAtKeyframe = !waiting.isEmpty
    if !isAtKeyframe { history.compareStored(&check, &keyframes) }
    return nil
  }

  /// Drops what is not folded, and ends the threads.
  @usableFromInline
  func drop() {
    work.end()
    (waiting, size, isAtKeyframe) = ([], 0, false)
    _ = stretches.cut()
  }

  /// Ends the threads.
  @usableFromInline
  func end() { work.end() }
}

/// A keyframe's restored state and its digest.
@usableFromInline
struct RestoredKeyframe: Sendable {
  let keyframe: Keyframe
  let digest: Digest
}
