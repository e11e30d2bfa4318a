/// Which of the found events form one history.
///
/// A place in a history is a number and the chain value after it. Every fragment is a way from one place to another;
/// ways are cut where others begin or end, so that copies with different damage fit together where their chain values
/// agree. The route is the one with the most events along which each way begins where the one before ended, or at least
/// one event later, at a place to which no way leads. A place to which a way leads comes after that way's beginning: a
/// way that ends at that number with another chain value, or later, belongs to another history.
struct SalvageRoute {
  /// The most missing events over which stretches are joined: more than three segments of 8 MiB can hold.
  static let maximumGap: UInt64 = 1 << 20
  /// The number of ways above which the fragments are not joined.
  static let maximumWays = 1 << 20

  struct Place: Hashable {
    var sequence: UInt64
    var chain: UInt32
  }

  /// What happens to events that were found.
  enum Fate {
    /// They belong to the history, according to all evidence.
    case kept
    /// The journal's writer continued before them in a later segment.
    case givenUp
    /// The segment that would say whether the writer gave them up is damaged or missing.
    case undecided
    /// They are in a payload, and belong to the history only where the events around them link to both of their ends.
    case embedded
  }

  /// Part of a fragment.
  struct Way {
    var from: Place
    var to: Place
    var fragment: Int
    /// Whether the events count; events that do not may still lead to others that do.
    var fate = Fate.kept

    var isGivenUp: Bool { fate != .kept }

    var events: ClosedRange<UInt64> { (from.sequence + 1)...to.sequence }
  }

  private struct Score: Comparable {
    var events: UInt64 = 0
    /// Events that a later segment overrules but that lead to others that are not overruled: they were written again
    /// there.
    var bridging: UInt64 = 0
    var gaps: UInt64 = 0

    static func < (one: Score, other: Score) -> Bool {
      if one.events != other.events { return one.events < other.events }
      if one.bridging != other.bridging { return one.bridging < other.bridging }
      return one.gaps > other.gaps
    }
  }

  private struct Arrival {
    var score: Score
    var way: Int
    /// The arrival before, by its way; `nil` at the start.
    var before: Int?
  }

  /// The ways of the route, in order.
  private(set) var ways: [Way] = []
  /// All others that are not copies of those.
  private(set) var others: [Way] = []

  init(_ candidates: [Way]) {
    let sorted = candidates.sorted {
      ($0.from.sequence, $0.from.chain, $0.to.sequence, $0.to.chain, $0.isGivenUp ? 1 : 0)
        < ($1.from.sequence, $1.from.chain, $1.to.sequence, $1.to.chain, $1.isGivenUp ? 1 : 0)
    }
    /// The best arrival at each place by any way, and by one that was not given up; looked up, never iterated.
    var best: [Place: Arrival] = [:]
    /// Arrivals that a gap may follow, by their numbers, each better than those after it.
    var ahead: [(sequence: UInt64, arrival: Arrival)] = []
    var next = 0
    let byEnd = sorted.indices.sorted { (sorted[$0].to.sequence, $0) < (sorted[$1].to.sequence, $1) }
    let entered = Set(candidates.map(\.to))
    var arrivals = [Arrival?](repeating: nil, count: sorted.count)
    var first = 0
    var last: Int?
    for (index, way) in sorted.enumerated() {
      while next < byEnd.count, sorted[byEnd[next]].to.sequence < way.from.sequence {
        let ended = byEnd[next]
        next += 1
        guard let arrival = arrivals[ended], !sorted[ended].isGivenUp else { continue }
        while ahead.count > first, let worst = ahead.last, worst.arrival.score <= arrival.score { ahead.removeLast() }
        ahead.append((sorted[ended].to.sequence, arrival))
      }
      while first < ahead.count, way.from.sequence - ahead[first].sequence > Self.maximumGap { first += 1 }
      var base = Arrival(score: Score(), way: index, before: nil)
      if first < ahead.count, !entered.contains(way.from) {
        base = Arrival(score: ahead[first].arrival.score, way: index, before: ahead[first].arrival.way)
        base.score.gaps += 1
      }
      if let linked = best[way.from], !(linked.score < base.score) {
        base = Arrival(score: linked.score, way: index, before: linked.way)
      }
      let count = way.to.sequence - way.from.sequence
      if way.isGivenUp { base.score.bridging += count } else { base.score.events += count }
      arrivals[index] = base
      if best[way.to].map({ $0.score < base.score }) ?? true { best[way.to] = base }
      guard !way.isGivenUp else { continue }
      if last.map({ (arrivals[$0]?.score ?? Score()) < base.score }) ?? true { last = index }
    }
    var index = last
    while let way = index {
      ways.append(sorted[way])
      index = arrivals[way]?.before
    }
    ways.reverse()
    let kept = Set(ways.map { Pair(from: $0.from, to: $0.to) })
    others = sorted.filter { !kept.contains(Pair(from: $0.from, to: $0.to)) }
  }

  private struct Pair: Hashable {
    var from: Place
    var to: Place
  }
}
