import Journal
import WireFormat

/// A journal's items in order, with its errors converted to ``HistoryError``. Only this type decides which event comes
/// next.
@usableFromInline
struct JournalItems: ~Copyable {
  private var cursor: JournalCursor
  /// Whether consecutive lost events form one finding instead of an event without a payload each.
  private let joinsLost: Bool
  private let isSalvaged: Bool
  /// An item read after lost events and not yet returned.
  private var held: JournalItem?
  /// The last of the lost events that the latest finding covers; `nil` if it concerns something else.
  private(set) var lastLost: JournalEvent?
  /// The last event before the latest item: a returned one or a lost one.
  private(set) var previous: UInt64
  /// The last event returned, alone or within a finding, or the event after which the items begin.
  @usableFromInline private(set) var last: UInt64

  /// Whether the latest event belongs to a batch that lost other events. Stored, because asking the cursor copies it.
  @usableFromInline private(set) var isInCutBatch = false

  init(
    _ reader: JournalReader, after sequence: UInt64, upTo limit: ReadLimit = .written, beyondDamage: Bool,
    joinsLost: Bool = true
  ) throws(HistoryError) {
    self.joinsLost = joinsLost
    isSalvaged = reader.identity.isSalvaged
    previous = sequence
    last = sequence
    do throws(JournalError) {
      cursor = try reader.cursor(after: sequence, upTo: limit, beyondDamage: beyondDamage)
    } catch {
      throw .journal(error)
    }
  }

  /// The next item; `nil` at the end. An event's payload is valid until the next call.
  ///
  /// A salvage replaces lost events with events without a payload. These form one finding, unless the caller asked for
  /// each of them.
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
    isInCutBatch = cursor.isInCutBatch
    guard case .event(let event)? = item else { return item }
    if event.payload.isEmpty, joinsLost { return .finding(lostEvents(from: event)) }
    last = event.sequence
    return item
  }

  /// The next item of a history without gaps: each event follows its predecessor, or the lost events before it.
  ///
  /// - Throws: ``HistoryError/damaged(lastDerivable:_:)`` at an event that does not follow.
  mutating func nextInOrder() throws(HistoryError) -> JournalItem? {
    let item = try next()
    switch item {
    case .event where last != previous + 1: throw .damaged(lastDerivable: previous, nil)
    case .finding(let finding) where lastLost != nil && finding.lostEvents?.lowerBound != previous + 1:
      throw .damaged(lastDerivable: previous, finding)
    case .event, .finding, nil: return item
    }
  }

  /// The next event, if it follows the last one and is read already, as nearly all are; `nil` where ``nextInOrder()`` has
  /// to look for what comes.
  @usableFromInline
  mutating func nextAtHand() -> JournalEvent? {
    guard held == nil, lastLost == nil, let event = cursor.nextAtHand() else { return nil }
    guard event.sequence == last + 1, !event.payload.isEmpty else {
      held = .event(event)
      return nil
    }
    isInCutBatch = cursor.isInCutBatch
    previous = last
    last = event.sequence
    return event
  }

  /// Reads to the last of consecutive lost events. Rarely called, so it stays out of the loops that read events; Swift
  /// 6.3's optimizer also fails on it there.
  @inline(never)
  private mutating func lostEvents(from first: JournalEvent) -> Finding {
    var last = first
    // If the device fails to deliver an item now, the next call asks again.
    while let item = try? cursor.next() {
      guard case .event(let event) = item, event.payload.isEmpty, event.sequence == last.sequence + 1 else {
        held = item
        break
      }
      last = event
    }
    lastLost = last
    self.last = last.sequence
    return .lost(
      first.sequence...last.sequence, file: first.file, offset: first.offset, isSalvaged: isSalvaged)
  }
}

extension Finding {
  /// Whether no state is known after this finding because events are missing or unreadable.
  ///
  /// A torn tail loses nothing, because it was never acknowledged. After an undecidable gap the history ends as after a
  /// torn tail, and the numbers of the events stranded beyond it leave a gap.
  var losesEvents: Bool {
    switch verdict {
    case .damaged, .tailLost, .lost, .ioError, .unsupportedFormat: true
    case .clean, .torn, .unsyncedGap, .indexDamaged: false
    }
  }

  /// Whether the history ends before this finding even though later bytes may verify: a writer would continue here.
  var endsHistory: Bool { verdict == .unsyncedGap }
}
