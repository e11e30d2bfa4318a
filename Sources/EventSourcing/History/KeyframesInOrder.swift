import Journal

/// A journal's keyframes in ascending order.
@usableFromInline
struct KeyframesInOrder: Sendable {
  private(set) var file: KeyframeFile?
  private(set) var current: Keyframe?
  /// The event of the current keyframe; the maximum value if none is left.
  @usableFromInline private(set) var nextSequence = UInt64.max
  private var last: KeyframeStep?
  private var failure: JournalError?

  @usableFromInline
  init(of reader: JournalReader) {
    do throws(JournalError) {
      file = try reader.keyframes()
    } catch {
      failure = error
    }
  }

  /// Advances to the next keyframe and notes what cannot be read before it.
  @usableFromInline
  mutating func advance<Machine: Reducer>(noting check: inout Check<Machine>) {
    advance { check.addNote($0, $1, isKeyframe: true) }
  }

  /// Advances to the next keyframe. Passes what cannot be read before it to `note`, with the event of the keyframe
  /// before that.
  mutating func advance(_ note: (UInt64, CheckpointRefusal) -> Void = { _, _ in }) {
    let before = current?.sequence ?? 0
    current = nil
    nextSequence = .max
    if let failure { note(before, .unreadableFile(failure)) }
    failure = nil
    while let file, let step = file.next(after: last) {
      last = step
      switch step {
      case .entry(let keyframe):
        current = keyframe
        nextSequence = keyframe.sequence
        return
      case .unreadable(_, let error): note(before, .unreadableFile(error))
      }
    }
  }
}
