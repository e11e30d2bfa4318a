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

  /// Opens the file with the keyframes of the stores before this one, which say when the next one is due.
  ///
  /// - Parameter earlier: Returns the journal's chain after an earlier event.
  /// - Returns: Whether one is.
  mutating func begin(
    at sequence: UInt64, of journal: JournalWriter, knowing earlier: (UInt64) -> UInt32?
  ) -> Bool {
    guard writer == nil else { return true }
    do throws(JournalError) {
      let opened = try KeyframeWriter(journal, after: opened) { earlier($0.sequence) == $0.chain }
      let (last, bodyLength) = (opened.lastSequence, opened.lastBodyLength)
      writer = consume opened
      if last > 0 { spacing.advance(after: last, bodyLength: bodyLength) }
    } catch {
      spacing.end()
    }
    return sequence >= spacing.due
  }

  /// Stores a state.
  mutating func write(_ body: [UInt8], sequence: UInt64, chain: UInt32) {
    do throws(JournalError) {
      try writer?.append(sequence: sequence, chain: chain, body: body)
      spacing.advance(after: sequence, bodyLength: body.count)
    } catch {
      writer = nil
      spacing.end()
    }
  }
}
