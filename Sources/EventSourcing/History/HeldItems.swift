import Journal

/// ``JournalItems`` held by reference, so that they can be exchanged and kept.
final class HeldItems {
  var items: JournalItems

  init(_ reader: JournalReader, after sequence: UInt64) throws(HistoryError) {
    items = try JournalItems(reader, after: sequence, beyondDamage: true)
  }
}
