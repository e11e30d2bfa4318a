import PlainText

/// Serves a journal's events in order, existing and then new ones, without gaps or duplicates: across segments and
/// checkpoints, and from other processes.
///
/// ```swift
/// var follower = try JournalReader(path: "Journal").follow(after: 41)
/// while let item = try follower.next() {
///   if case .event(let event) = item { print(event.sequence) }
/// }
/// ```
///
/// It takes no lock, writes nothing, and needs only read permission. A follower belongs to one thread at a time.
public struct JournalFollower: ~Copyable {
  private var cursor: JournalCursor
  /// The changes that it waits for. ``JournalChanges/stop()`` ends it, from any thread.
  public let changes: JournalChanges

  init(_ cursor: consuming JournalCursor, _ changes: JournalChanges) {
    self.cursor = cursor
    self.changes = changes
  }

  /// The last event served, or the one after which it began.
  public var lastSequence: UInt64 { cursor.lastSequence }

  /// Returns the next event or finding, waiting for it; `nil` once it was stopped.
  ///
  /// - Throws: `inputOutput` when the device fails, which can be retried; `unsupportedFormat`; `conflict` when events
  ///   that were served have gone: the writer took them back before they were durable, or the files were cut or
  ///   belong to another journal; `notAJournal` when the directory or all files are gone.
  public mutating func next() throws(JournalError) -> JournalItem? {
    while true {
      if let item = try cursor.next() { return item }
      guard changes.wait() else { return nil }
    }
  }

  /// Returns the next event or finding if it exists; does not wait.
  public mutating func nextIfThere() throws(JournalError) -> JournalItem? {
    try cursor.next()
  }
}

extension JournalReader {
  /// Follows the journal after an event.
  ///
  /// - Parameters:
  ///   - sequence: the last event that is not wanted; zero for all events.
  ///   - limit: whether to serve events only once they are known to be durable.
  ///   - beyondDamage: whether to continue after damage. Otherwise the first damage is the last item.
  /// - Throws: `outOfRange` when the journal lacks events after `sequence` because they were retired or precede a fork, unless
  ///   `sequence` asks for all events; otherwise
  ///   as ``cursor(after:upTo:beyondDamage:)``.
  public func follow(
    after sequence: UInt64 = 0, upTo limit: ReadLimit = .written, beyondDamage: Bool = true
  ) throws(JournalError) -> JournalFollower {
    let first = firstSequence
    if sequence > 0, sequence < first - min(first, 1) {
      let why = retirement == nil ? "are not in this journal" : "were retired"
      throw JournalError(
        .outOfRange, "the events before \(first.grouped) \(why)",
        remedy: "begin there, with the state of a checkpoint",
        file: retirement == nil ? Format.identityName : Format.keptName, sequence: sequence + 1)
    }
    let changes = changes()
    return JournalFollower(try cursor(after: sequence, upTo: limit, beyondDamage: beyondDamage), changes)
  }

  /// Does the same for tasks: events and findings in order, until the task is cancelled. Every loop begins at
  /// `sequence` again.
  public func feed(
    after sequence: UInt64 = 0, upTo limit: ReadLimit = .written, beyondDamage: Bool = true
  ) -> JournalFeed {
    JournalFeed(reader: self, start: sequence, limit: limit, beyondDamage: beyondDamage)
  }
}
