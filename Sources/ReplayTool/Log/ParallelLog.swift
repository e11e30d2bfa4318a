import CommandSupport
import EventSourcing
import Forensics
import Journal

/// What a pass has other threads do: it prints the same bytes in the same order as on one thread, with the same totals and
/// the same words about damage.
///
/// The thread of the pass reads all bytes in order and prints. Other threads each fold stretches of events from keyframe to
/// keyframe and compute their rows. A stretch counts only if the states before it are equal, whichever way they were computed;
/// otherwise, and for everything but events, the reading thread does the work. Memory is bounded by ``maximumStretches``
/// and ``maximumSize``. When the reader of the output goes away, what is under way ends and the rest is dropped.
struct ParallelLog {
  /// The most stretches in memory for each thread.
  private static let maximumStretches = 3
  /// With this many bytes of events in memory, no more are read ahead.
  private static let maximumSize = 2 << 20

  /// What a thread makes of a stretch: the rows up to its end, or up to where the reading thread has to look.
  private struct Part: Sendable {
    var rows: [LogRow] = []
    var filter: EventFilter
    var totals = LogTotals()
    var read: (any Sendable)?
  }

  private let format: any LogFormat
  private let printer: LogPrinter
  private let work: OrderedWork<LogStretch, Part>
  private let maximumCount: Int
  /// Those that are under way, oldest first.
  private var waiting: [LogStretch] = []

  init(_ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, _ printer: LogPrinter) {
    (self.format, self.printer) = (format, printer)
    let (redaction, threads) = (pass.redaction, pass.journal.threadCount)
    let (domain, history) = (pass.journal.domain, pass.journal.history)
    work = OrderedWork(on: history.reader.fileSystem, threads: threads) {
      let tools = LogTools(domain, redaction, showing: filter.shownPaths)
      return { Self.part(of: $0, in: history, filter, tools, format) }
    }
    maximumCount = threads * Self.maximumStretches
  }

  /// Ends the threads.
  func end() { work.end() }

  /// Reads a stretch for another thread, or prints the oldest one; `nil` where the pass has to read, and `false` when the
  /// reader of the output is gone.
  mutating func advance(_ reader: AnyLogReader, _ selection: inout LogSelection) -> Bool? {
    if waiting.count < maximumCount, waiting.reduce(0, { $0 + $1.byteCount }) < Self.maximumSize,
      let stretch = reader.readNext()
    {
      waiting.append(stretch)
      work.give(stretch)
      return true
    }
    return work.next().map { adopt($0, waiting.removeFirst(), reader, &selection) }
  }

  /// Computes the rows of a stretch, on any thread.
  private static func part(
    of stretch: LogStretch, in history: AnyHistory, _ filter: EventFilter, _ tools: LogTools, _ format: any LogFormat
  ) -> Part {
    var part = Part(filter: filter)
    var selection = LogSelection(filter, tools)
    var rows: [LogRow] = []
    if filter.judgesTypesAlone {
      part.read = history.fold(stretch, passingOver: { selection.keepsOut(type: $0) }, tools) { item in
        _ = selection.take(item) { entry in
          rows.append(format.row(entry))
          return true
        }
      }
    } else {
      if filter.isEmpty { rows.reserveCapacity(stretch.eventCount) }
      part.read = history.fold(stretch, tools) { item in
        _ = selection.take(item) { entry in
          rows.append(format.row(entry))
          return true
        }
      }
    }
    part.rows = rows
    part.totals = selection.totals
    part.filter = selection.filter
    return part
  }

  /// Prints the rows of a stretch, or finds them itself where the thread could not; `false` when the reader of the output
  /// is gone.
  private func adopt(
    _ part: Part, _ stretch: LogStretch, _ reader: AnyLogReader, _ selection: inout LogSelection
  ) -> Bool {
    var jump: ClockJump?
    if let read = part.read, reader.adopt(read, jump: &jump) {
      if let jump, !selection.take(.clockJump(jump), emit) { return false }
      selection.add(part.filter, part.totals)
      return part.rows.allSatisfy(printer.print)
    }
    var isWanted = true
    stretch.forEachEvent { event in
      guard isWanted else { return }
      isWanted = selection.take(reader.next(event, selection.tools), emit)
      while isWanted, let item = reader.nextWaiting(selection.tools) { isWanted = selection.take(item, emit) }
    }
    return isWanted
  }

  private func emit(_ entry: LogEntry) -> Bool { printer.print(format.row(entry)) }
}
