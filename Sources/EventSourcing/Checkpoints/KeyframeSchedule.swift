import Journal

/// Writes a keyframe every so many events while a store is at work.
///
/// Keyframes are a cache for looking at the past: whatever goes wrong with them stops no command, and ends them for this
/// store.
@usableFromInline
struct KeyframeSchedule: ~Copyable, Sendable {
  @usableFromInline private(set) var spacing: KeyframeSpacing
  /// The event up to which the journal was there when the store was opened: entries of later ones are of another history.
  private let opened: UInt64
  private var writer: KeyframeWriter?

  init(every interval: UInt64, after sequence: UInt64) {
    opened = sequence
    spacing = KeyframeSpacing(every: interval, after: sequence)
  }

  /// Stores a state; on closing only one that is small beside the events since the last one, so that short sessions with
  /// a large state do not fill the disk with keyframes.
  ///
  /// - Parameter earlier: Tells the journal's chain after an earlier event.
  mutating func write(
    _ checkpoint: StateCheckpoint, sequence: UInt64, chain: UInt32, to journal: Journal, isClosing: Bool,
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
