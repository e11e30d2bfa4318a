import Journal
import WireFormat

/// The items of a journal in order, with the journal's errors as a history's.
@usableFromInline
struct JournalItems: ~Copyable {
  private var cursor: JournalCursor

  init(_ reader: JournalReader, after sequence: UInt64, beyondDamage: Bool) throws(HistoryError) {
    do throws(JournalError) {
      cursor = try reader.cursor(after: sequence, beyondDamage: beyondDamage)
    } catch {
      throw .journal(error)
    }
  }

  /// The next item; `nil` at the end. An event's payload is there until the next call.
  @usableFromInline
  mutating func next() throws(HistoryError) -> JournalItem? {
    do throws(JournalError) {
      return try cursor.next()
    } catch {
      throw .journal(error)
    }
  }
}

extension Finding {
  /// Whether no state is known behind this finding, because events are missing or cannot be read.
  ///
  /// A torn tail is no loss, because nobody was promised what it was to become; after an undecidable gap the history
  /// ends as after a torn tail, and what is stranded behind it has a gap in its numbers.
  var losesEvents: Bool {
    switch verdict {
    case .damaged, .tailLost, .ioError, .unsupportedFormat: true
    case .clean, .torn, .unsyncedGap, .indexDamaged: false
    }
  }

  /// Whether the history ends before this finding, whatever verifies behind it: that is where a writer would go on.
  var endsHistory: Bool { verdict == .unsyncedGap }
}
