import CommandSupport
import Forensics

/// Prints the last matches of a log, or all of them from the newest on, without keeping the log in memory: it is read
/// once to count, and then again for the rows to print, a window at a time.
struct LogTail {
  /// The number of matches to print; `nil` for all.
  let limit: Int?
  /// Whether to print the newest first.
  let isReversed: Bool
  /// The largest number of rows kept.
  var windowCapacity = 65_536

  /// Reads and prints.
  func print(
    _ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, _ printer: LogPrinter
  ) throws(Failure) -> LogTotals {
    if let totals = try printEnd(pass, filter, format, printer) { return totals }
    let (totals, rowsOfTail) = try count(pass, filter)
    let first = rowsOfTail.lowerBound
    var end = rowsOfTail.upperBound
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

  /// Which of a pass's entries are its last matches, with what stands between and after them.
  ///
  /// - Parameter isToGoOn: Asked at each entry: whether to look further.
  func count(
    _ pass: LogPass, _ filter: EventFilter, while isToGoOn: () -> Bool = { true }
  ) throws(Failure) -> (totals: LogTotals, rows: Range<Int>) {
    var count = 0
    var matches = LastMatches(limit ?? 0)
    let totals = try pass.run(filter) { entry in
      if entry.isMatch { matches.append(count) }
      count += 1
      return isToGoOn()
    }
    // Rows right before the first match are its context, when there are matches before it that are not printed.
    let first = limit == nil ? 0 : matches.first.map { max(0, $0 - pass.context) } ?? 0
    return (totals, first..<count)
  }

  /// The last matches among the rows of a pass over an end, with what stands between and after them; `nil` when there
  /// are fewer.
  static func last(_ limit: Int, of rows: [LogRow]) -> ArraySlice<LogRow>? {
    var left = limit
    for index in rows.indices.reversed() where rows[index].isMatch {
      left -= 1
      if left == 0 { return rows[index...] }
    }
    return nil
  }

  /// Prints the last events before the states of those before them are computed, where that gives the same rows;
  /// otherwise prints nothing and returns `nil`.
  private func printEnd(
    _ pass: LogPass, _ filter: EventFilter, _ format: any LogFormat, _ printer: LogPrinter
  ) throws(Failure) -> LogTotals? {
    let wasSeeking = pass.journal.trust.isSeeking
    guard let limit, let end = pass.end(of: limit, filter) else { return nil }
    var rows: [LogRow] = []
    let shown = try end.run(filter) { entry in
      rows.append(format.row(entry))
      return true
    }
    guard shown.obstacle == nil, wasSeeking == pass.journal.trust.isSeeking, let last = Self.last(limit, of: rows)
    else {
      return nil
    }
    for row in isReversed ? Array(last.reversed()) : Array(last) where !printer.print(row) { return shown }
    printer.flush()
    if wasSeeking { return shown.asEnd(after: max(pass.lower, pass.journal.history.firstSequence), until: end.lower) }
    // What is said of the whole log.
    return try pass.run(filter) { _ in !printer.isClosed }
  }
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
