import CommandSupport
import EventSourcing
import Forensics
import Journal

/// The contents of one row of a log. An event's row is computed only when it is printed.
enum LogEntry {
  /// An event, and whether it matched or is shown as context.
  case event(LoggedEvent, isMatch: Bool)
  /// A jump of the clock.
  case clockJump(ClockJump)
  /// A finding about the bytes.
  case finding(Finding)
  /// The place from which no state is known.
  case stateUnknown(HistoryError)
  /// Events before the first one were retired, and the state is known from a checkpoint on.
  case retiredBeginning(RetiredBeginning)

  /// Whether it is an event that matched.
  var isMatch: Bool {
    if case .event(_, isMatch: true) = self { true } else { false }
  }
}

/// One pass over a stretch of a history: chooses what a log shows of it.
struct LogPass {
  let journal: JournalInput
  /// The first and the last event to look at; `nil` is the end.
  let lower: UInt64
  let upper: UInt64?
  let redaction: Redaction
  /// The number of events shown around each match.
  let context: Int

  /// The most events that ``end(of:_:)`` is asked for, because their rows are kept.
  private static let maximumEnd = 4096

  /// A pass over the last `count` events and what follows them, with the same entries for them as this one; `nil` where
  /// that cannot be known in advance.
  ///
  /// It is known if every earlier event is present: the states, which may come from a stored one, are then those that this
  /// pass would compute. All bytes are read for that, because damage may be anywhere, but nothing is decoded; while
  /// seeking, what describes the journal says that every event is present.
  func end(of count: Int, _ filter: EventFilter) -> LogPass? {
    guard count <= Self.maximumEnd, filter.isEmpty, context == 0, let last = wholeEnd, last >= UInt64(count) else {
      return nil
    }
    let first = last - UInt64(count) + 1
    guard first > max(lower, journal.history.firstSequence) else { return nil }
    return LogPass(journal: journal, lower: first, upper: upper, redaction: redaction, context: 0)
  }

  /// The last event of the stretch, when the state before its first one is known and none is missing in between.
  private var wholeEnd: UInt64? {
    let history = journal.history
    if journal.trust.isSeeking, let events = try? journal.trust.knownEvents() {
      return min(upper ?? .max, events.upperBound)
    }
    guard lower >= history.firstSequence else { return nil }
    if lower > 1, !journal.history.isStateKnown(after: lower - 1) { return nil }
    var last = lower - 1
    do throws(JournalError) {
      var cursor = try history.reader.cursor(after: last)
      while last != upper, let item = try cursor.next() {
        switch item {
        case .event(let event):
          guard event.sequence == last + 1, !event.payload.isEmpty else { return nil }
          last = event.sequence
        case .finding(let finding):
          switch finding.verdict {
          case .torn, .indexDamaged: continue
          case .clean, .damaged, .tailLost, .lost, .unsyncedGap, .ioError, .unsupportedFormat: return nil
          }
        }
      }
    } catch {
      return nil
    }
    return last
  }

  /// Passes every entry of the range to `emit`; stops early when that returns `false`.
  ///
  /// - Parameters:
  ///   - ahead: Reads ahead on other threads, or prints what they found; `nil` where the next item is to be read here, and
  ///     `false` to end.
  ///   - isToGoOn: Called when no entry is left; returns whether to look again.
  ///   - isLast: Called with each event, also one that the filter keeps out; returns whether to end after it.
  func run(
    _ filter: EventFilter, needsStates: Bool = true,
    ahead: (AnyLogReader, inout LogSelection) -> Bool? = { _, _ in nil },
    goingOn isToGoOn: () -> Bool = { false },
    endingAt isLast: (LoggedEvent) -> Bool = { _ in false },
    _ emit: (LogEntry) -> Bool
  ) throws(Failure) -> LogTotals {
    let tools = LogTools(journal.domain, redaction, showing: filter.shownPaths)
    var selection = LogSelection(filter, tools, context: context)
    try read { () throws(HistoryError) in
      let reader = try journal.history.log(from: lower, upTo: upper, needsStates: needsStates)
      while true {
        if let isWanted = ahead(reader, &selection) {
          guard isWanted else { break }
          continue
        }
        guard let item = try reader.next(tools) else {
          if isToGoOn() { continue }
          break
        }
        guard selection.take(item, endingAt: isLast, emit) else { break }
      }
    }
    return selection.finish()
  }

  /// Prints every entry of the range, on several threads where the filter allows it; stops early when the reader of the
  /// output is gone.
  func print(_ filter: EventFilter, _ format: any LogFormat, _ printer: LogPrinter) throws(Failure) -> LogTotals {
    guard journal.threadCount > 1, context == 0, filter.judgesEventsAlone else {
      return try run(filter) { printer.print(format.row($0)) }
    }
    var parallel = ParallelLog(self, filter, format, printer)
    defer { parallel.end() }
    return try run(filter, ahead: { parallel.advance($0, &$1) }) { printer.print(format.row($0)) }
  }

  /// Reads the journal, and says what is wrong with it where that fails.
  private func read(_ body: () throws(HistoryError) -> Void) throws(Failure) {
    journal.begin("replaying")
    do throws(HistoryError) {
      try body()
    } catch {
      if case .journal(let error) = error, error.code == .notAJournal {
        throw Failure(
          .unreadable,
          "\(journal.path): the journal was moved or removed while it was read (\(error.message)); find out where it "
            + "went", next: "ls -ld \(journal.path.shellWord)")
      }
      throw Failure(error, journal: journal.path)
    }
  }
}
