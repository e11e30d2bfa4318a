import Journal

/// Writes keyframes at intervals while a store is in use.
///
/// Keyframes are a cache for reading past states: a failure to write one stops no command. It only ends keyframes for
/// this store.
@usableFromInline
struct KeyframeSchedule: ~Copyable, Sendable {
  @usableFromInline private(set) var spacing: KeyframeSpacing
  /// The journal's last event when the store was opened: entries for later events belong to another history.
  private let opened: UInt64
  private var writer: KeyframeWriter?

  init(every interval: UInt64, after sequence: UInt64) {
    opened = sequence
    spacing = KeyframeSpacing(every: interval, after: sequence)
  }

  /// Stores a state. On closing, stores only one that is small relative to the events since the last keyframe, so that
  /// short sessions with a large state do not fill the disk.
  ///
  /// - Parameter earlier: Returns the journal's chain after an earlier event.
  mutating func write(
    _ checkpoint: StateCheckpoint, sequence: UInt64, chain: UInt32, to journal: JournalWriter, isClosing: Bool,
    knowing earlier: (UInt64) -> UInt32?
  ) {
    let body = checkpoint.encode()
    if isClosing, !spacing.hasRoom(for: body.count, at: sequence) { return }
    do throws(JournalError) {
      if writer == nil {
        writer = try KeyframeWriter(journal, after: opened) { earlier($0.sequence) == $0.chain }
      }
      try writer?.append(sequence: sequence, chain: chain, body: body)
      spacing.advance(after: sequence, bodyLength: body.count)
    } catch {
      writer = nil
      spacing.end()
    }
  }
}
