import EventSourcing

/// The lives of the processes that wrote a history, from the first event of each to its last.
struct ProcessSpans: Sendable {
  /// The life of one process.
  struct Life: Sendable {
    let process: UInt64
    let first: Int
    /// The last event of it.
    var last: Int?
    /// Whether its first event started it.
    let hasStart: Bool
    var hasEnd = false
    /// The row of the drawing: processes whose lives overlap have different ones.
    var row = 0

    /// What is said of it.
    var text: String { "process of event \(process)" + (hasEnd || last == nil ? "" : ", without an end") }
    /// A process that left no event at its end was killed, or crashed.
    var tone: LaneTone { hasEnd ? .idle : last == nil ? .good : .warning }
  }

  private var lives: [Life] = []
  private var places: [UInt64: Int] = [:]
  private var count = 0

  /// The most rows.
  private static let maximumRows = 4

  /// Adds the next event.
  mutating func add(_ process: UInt64, at index: Int, isStart: Bool, isEnd: Bool) {
    count = index + 1
    guard process > 0 else { return }
    let place = places[process] ?? lives.count
    if place == lives.count {
      places[process] = place
      lives.append(Life(process: process, first: index, last: index, hasStart: isStart))
    }
    lives[place].last = index
    if isEnd { lives[place].hasEnd = true }
  }

  /// The lives, each on a row where it overlaps no other as far as there are rows. The process of the last event has no end
  /// unless it is recorded.
  consuming func placed() -> [Life] {
    if let index = lives.lastIndex(where: { $0.last == count - 1 && !$0.hasEnd }) { lives[index].last = nil }
    var ends: [Int] = []
    for index in lives.indices {
      let life = lives[index]
      let row = ends.firstIndex { $0 < life.first } ?? min(ends.count, Self.maximumRows - 1)
      if row == ends.count { ends.append(0) }
      ends[row] = max(ends[row], life.last ?? count)
      lives[index].row = row
    }
    return lives
  }
}
