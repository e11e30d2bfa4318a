import Journal
import WireFormat

/// The items of a journal in order, with the journal's errors as a history's, and the one place that knows which event
/// comes next.
@usableFromInline
struct JournalItems: ~Copyable {
  private var cursor: JournalCursor
  /// Whether lost events in a row are told as one finding, and not each as an event without a payload.
  private let joinsLost: Bool
  /// What was read behind lost events, and not told yet.
  private var held: JournalItem?
  /// The last of the lost events that the finding told last is about; `nil` when it is about something else.
  private(set) var lastLost: JournalEvent?
  /// The last event before the item that was told last: one that was told, or one of the lost ones.
  private(set) var previous: UInt64
  /// The last event that was told, or told as lost, or behind which the items begin.
  private(set) var last: UInt64

  /// Whether the event that was told last is what is left of a batch of which others are lost.
  @usableFromInline var isInCutBatch: Bool { cursor.isInCutBatch }

  init(
    _ reader: JournalReader, after sequence: UInt64, upTo limit: ReadLimit = .written, beyondDamage: Bool,
    joinsLost: Bool = true
  ) throws(HistoryError) {
    self.joinsLost = joinsLost
    previous = sequence
    last = sequence
    do throws(JournalError) {
      cursor = try reader.cursor(after: sequence, upTo: limit, beyondDamage: beyondDamage)
    } catch {
      throw .journal(error)
    }
  }

  /// The next item; `nil` at the end. An event's payload is there until the next call.
  ///
  /// Events without a payload, which a salvage puts where events are lost, are told as one finding, unless each of them
  /// is asked for.
  @usableFromInline
  mutating func next() throws(HistoryError) -> JournalItem? {
    if lastLost != nil { lastLost = nil }
    previous = last
    let item: JournalItem?
    if held != nil {
      item = held
      held = nil
    } else {
      do throws(JournalError) {
        item = try cursor.next()
      } catch {
        throw .journal(error)
      }
    }
    guard case .event(let event)? = item else { return item }
    if event.payload.isEmpty, joinsLost { return .finding(lostEvents(from: event)) }
    last = event.sequence
    return item
  }

  /// The next item of a history without a gap: every event follows the one before it, or the lost ones before it.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` at an event that does not.
  mutating func nextInOrder() throws(HistoryError) -> JournalItem? {
    let item = try next()
    switch item {
    case .event where last != previous + 1: throw .damaged(lastDerivable: previous, nil)
    case .finding(let finding) where lastLost != nil && finding.lostEvents?.lowerBound != previous + 1:
      throw .damaged(lastDerivable: previous, finding)
    default: return item
    }
  }

  /// Reads on to the last of some lost events. Seldom called, so it stays out of the loops that read events; the optimizer
  /// of Swift 6.3 also fails on it there.
  @inline(never)
  private mutating func lostEvents(from first: JournalEvent) -> Finding {
    var last = first
    // What the device does not deliver now, the next call asks for again.
    while let item = try? cursor.next() {
      guard case .event(let event) = item, event.payload.isEmpty, event.sequence == last.sequence + 1 else {
        held = item
        break
      }
      last = event
    }
    lastLost = last
    self.last = last.sequence
    return .lostBeforeSalvage(first.sequence...last.sequence, file: first.file, offset: first.offset)
  }
}

extension Finding {
  /// Whether no state is known behind this finding, because events are missing or cannot be read.
  ///
  /// A torn tail is no loss, because nobody was promised what it was to become; after an undecidable gap the history
  /// ends as after a torn tail, and what is stranded behind it has a gap in its numbers.
  var losesEvents: Bool {
    switch verdict {
    case .damaged, .tailLost, .lost, .ioError, .unsupportedFormat: true
    case .clean, .torn, .unsyncedGap, .indexDamaged: false
    }
  }

  /// Whether the history ends before this finding, whatever verifies behind it: that is where a writer would go on.
  var endsHistory: Bool { verdict == .unsyncedGap }
}
