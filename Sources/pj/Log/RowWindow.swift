/// Keeps the last rows of a log: those around the last so many wanted events.
struct RowWindow {
  /// How many wanted events are kept; `nil` for no bound.
  let matches: Int?
  /// How many rows are kept at most.
  let capacity: Int
  /// How many rows before the first wanted event are kept when others were dropped.
  let context: Int
  /// How many rows were dropped.
  private(set) var dropped = 0
  private var rows: [LogRow] = []
  private var start = 0
  private var matchCount = 0

  init(matches: Int?, capacity: Int, context: Int) {
    self.matches = matches
    self.capacity = capacity
    self.context = context
  }

  /// The rows that are kept, in order.
  var kept: ArraySlice<LogRow> { rows[start...] }

  mutating func append(_ row: LogRow) {
    rows.append(row)
    if row.isMatch { matchCount += 1 }
    while rows.count - start > capacity || matchCount > (matches ?? .max) { dropFirst() }
    if matches != nil, dropped > 0 {
      // What stands before the first kept event belonged to those that were dropped.
      while let first = kept.firstIndex(where: \.isMatch), first - start > context { dropFirst() }
    }
    // Moves the kept rows down now and then, so that the storage does not grow with what was dropped.
    if start > 1024, start > rows.count / 2 {
      rows.removeFirst(start)
      start = 0
    }
  }

  private mutating func dropFirst() {
    guard start < rows.count else { return }
    if rows[start].isMatch { matchCount -= 1 }
    rows[start] = LogRow(text: "")
    start += 1
    dropped += 1
  }
}
