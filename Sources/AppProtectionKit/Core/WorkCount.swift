import EventSourcing

/// How many pieces of work a run has carried out within an hour. A run may last as long as a dialog is open, so that only a
/// rate tells work that feeds itself from a long day.
struct WorkCount {
  private var count = 0
  private var begin: Moment?

  /// Counts a piece of work at a moment of this process; `false` if there were more than `limit`.
  mutating func add(at moment: Moment, limit: Int) -> Bool {
    let hour: Int64 = 3_600_000_000_000
    if begin.map({ moment.uptimeNanoseconds &- $0.uptimeNanoseconds >= hour }) ?? true { (begin, count) = (moment, 0) }
    count += 1
    return count <= limit
  }
}
