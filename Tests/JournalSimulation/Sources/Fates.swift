/// What a power cut does to one change.
enum Fate: Hashable, Sendable {
  case kept
  case lost
  case torn(Tear)
}

/// Which blocks of a write arrived, and what stands in the place of the others.
struct Tear: Hashable, Sendable {
  enum Fill: Hashable, Sendable {
    /// The file ends with the last block that arrived, or what was there before.
    case absent
    /// The file has its new length, and zeros where bytes are missing, or what was there before.
    case zeros
    case garbage
    /// What another file has in this place (0), or what this file has so many bytes before it.
    case stale(Int)

    static let all: [Fill] = [.absent, .zeros, .garbage, .stale(0), .stale(512)]
  }

  enum Pattern: Hashable, Sendable {
    case first(Int)
    case allBut(first: Int)
    /// Each block by one bit of a number that the seed begins.
    case some(seed: UInt64)
  }

  /// 8, 512 or 4096 bytes.
  var granularity: Int
  var pattern: Pattern
  var fill: Fill
  /// Whether garbage may stand over old bytes too: only in the write that the cut itself interrupts.
  var isInterrupted = false

  /// The blocks that a write touches; their borders are multiples of the granularity in the file.
  func blocks(_ offset: Int, _ count: Int) -> [(range: Range<Int>, isKept: Bool)] {
    var blocks: [(range: Range<Int>, isKept: Bool)] = []
    var generator = SeededGenerator(seed: 0)
    if case .some(let seed) = pattern { generator = SeededGenerator(seed: seed, UInt64(offset)) }
    var start = offset
    while start < offset + count {
      let end = min((start / granularity + 1) * granularity, offset + count)
      let isKept =
        switch pattern {
        case .first(let number): blocks.count < number
        case .allBut(let number): blocks.count >= number
        case .some: generator.oneIn(2)
        }
      blocks.append((start..<end, isKept))
      start = end
    }
    return blocks
  }

  /// Behind the last block that arrives.
  func lastKept(_ offset: Int, _ count: Int) -> Int? {
    blocks(offset, count).last { $0.isKept }?.range.upperBound
  }

  static func blockCount(_ offset: Int, _ count: Int, _ granularity: Int) -> Int {
    count == 0 ? 0 : (offset + count - 1) / granularity - offset / granularity + 1
  }
}

/// What a power cut does to everything that was on its way. Changes are known by the number of their operation.
struct Fates: Hashable, Sendable {
  enum Rule: Hashable, Sendable {
    case all(Fate)
    /// Everything up to an operation arrives, and nothing after it; or the other way round.
    case split(Int, keepsEarlier: Bool)
    /// Each by a random number of its own.
    case random(UInt64)
  }

  var rule: Rule
  var names: Rule
  /// Changes with a fate of their own.
  var exceptions: [Int: Fate] = [:]
  var nameExceptions: [Int: Bool] = [:]

  init(_ rule: Rule, names: Rule? = nil, _ exceptions: [Int: Fate] = [:]) {
    self.rule = rule
    self.names = names ?? rule
    self.exceptions = exceptions
  }

  func fate(of position: Int) -> Fate {
    if let own = exceptions[position] { return own }
    switch rule {
    case .all(let fate): return fate
    case .split(let place, let keepsEarlier): return (position <= place) == keepsEarlier ? .kept : .lost
    case .random(let seed):
      var generator = SeededGenerator(seed: seed, UInt64(position))
      switch generator.below(8) {
      case 0..<3: return .kept
      case 3..<5: return .lost
      default:
        let fill = Tear.Fill.all[generator.below(Tear.Fill.all.count)]
        return .torn(
          Tear(granularity: generator.oneIn(2) ? 512 : 4096, pattern: .some(seed: generator.next()), fill: fill))
      }
    }
  }

  func keepsName(_ position: Int) -> Bool {
    if let own = nameExceptions[position] { return own }
    switch names {
    case .all(let fate): return fate == .kept
    case .split(let place, let keepsEarlier): return (position <= place) == keepsEarlier
    case .random(let seed):
      var generator = SeededGenerator(seed: seed, UInt64(position), 1)
      return generator.oneIn(2)
    }
  }
}

extension Fates: CustomStringConvertible {
  /// In words as few as reproduce it.
  var description: String {
    func name(_ rule: Rule) -> String {
      switch rule {
      case .all(let fate): return "all \(name(fate))"
      case .split(let place, let keepsEarlier): return keepsEarlier ? "up to \(place)" : "after \(place)"
      case .random(let seed): return "random \(seed)"
      }
    }
    func name(_ fate: Fate) -> String {
      switch fate {
      case .kept: return "kept"
      case .lost: return "lost"
      case .torn(let tear): return "torn at \(tear.granularity) \(tear.pattern) \(tear.fill)"
      }
    }
    var parts = [name(rule)]
    if names != rule { parts.append("names \(name(names))") }
    for place in exceptions.keys.sorted() { parts.append("\(place) \(exceptions[place].map { name($0) } ?? "")") }
    for place in nameExceptions.keys.sorted() {
      parts.append("name \(place) \(nameExceptions[place] == true ? "kept" : "lost")")
    }
    return parts.joined(separator: ", ")
  }
}
