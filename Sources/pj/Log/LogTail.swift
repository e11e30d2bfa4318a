import Forensics

/// Prints the last matches of a log, or all of them from the newest on, without keeping the log in memory: it is read
/// once to count, and then again for the rows to print, a window at a time.
struct LogTail {
  /// How many matches are printed; `nil` for all.
  let limit: Int?
  /// Whether the newest comes first.
  let isReversed: Bool
  /// How many rows are kept at most.
  var windowCapacity = 65_536

  /// Reads and prints.
  func print(
    _ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, _ printer: LogPrinter
  ) throws(Failure) -> LogTotals {
    if let totals = try printEnd(pass, filter, format, printer) { return totals }
    var count = 0
    var matches = LastMatches(limit ?? 0)
    let totals = try pass.run(filter) { entry in
      if entry.isMatch { matches.append(count) }
      count += 1
      return true
    }
    // Rows right before the first match are its context, when there are matches before it that are not printed.
    let first = limit == nil ? 0 : matches.first.map { max(0, $0 - pass.context) } ?? 0
    var end = count
    while end > first {
      let start = isReversed ? max(first, end - windowCapacity) : first
      var index = 0
      var rows: [LogRow] = []
      _ = try pass.run(filter) { entry in
        defer { index += 1 }
        guard index >= start, index < end else { return index < end }
        guard isReversed else { return printer.print(format.row(entry)) }
        rows.append(format.row(entry))
        return true
      }
      for row in rows.reversed() where !printer.print(row) { return totals }
      if printer.isClosed { return totals }
      end = start
    }
    return totals
  }

  /// Prints the last events before anything else is read, where all of them are wanted and nothing is wrong with them;
  /// otherwise prints nothing and returns `nil`.
  private func printEnd(
    _ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, _ printer: LogPrinter
  ) throws(Failure) -> LogTotals? {
    guard let limit, limit <= Self.maximumEnd, filter.isEmpty, pass.context == 0, let last = pass.lastEvent,
      last >= UInt64(limit), last - UInt64(limit) + 1 > pass.lower
    else { return nil }
    let end = LogPass(
      journal: pass.journal, lower: last - UInt64(limit) + 1, upper: pass.upper, redaction: pass.redaction, context: 0)
    var rows: [LogRow] = []
    let shown = try end.run(filter) { entry in
      rows.append(format.row(entry))
      return true
    }
    guard shown.findings.isEmpty, shown.obstacle == nil, shown.matched == UInt64(limit) else { return nil }
    for row in isReversed ? rows.reversed() : rows where !printer.print(row) { return shown }
    printer.flush()
    // What is said of the whole log.
    return try pass.run(filter) { _ in !printer.isClosed }
  }

  /// How many rows are kept for printing them from the end.
  private static let maximumEnd = 4096
}

/// The last numbers of a rising sequence.
struct LastMatches {
  private let capacity: Int
  private var numbers: [Int] = []
  private var next = 0
  private var hasDropped = false

  init(_ capacity: Int) {
    self.capacity = capacity
  }

  /// The first number that is kept; `nil` while none was dropped.
  var first: Int? {
    guard hasDropped, capacity > 0 else { return nil }
    return numbers[next % capacity]
  }

  mutating func append(_ number: Int) {
    guard capacity > 0 else { return }
    if numbers.count < capacity {
      numbers.append(number)
    } else {
      numbers[next % capacity] = number
      next += 1
      hasDropped = true
    }
  }
}
