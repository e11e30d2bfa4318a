/// What went wrong, with numbers left out: how often, and the first time with what reproduces it.
package struct FailureLog: Sendable {
  private var kinds: [String: (count: Int, first: String)] = [:]

  package var isEmpty: Bool { kinds.isEmpty }

  /// One line for each kind.
  package var lines: [String] {
    kinds.keys.sorted().compactMap { kind in kinds[kind].map { "\($0.count) times, first \($0.first)" } }
  }

  package mutating func note(_ what: String, _ place: @autoclosure () -> String) {
    let kind = String(what.map { $0.isNumber ? "#" : $0 })
    let known = kinds[kind]
    kinds[kind] = (count: (known?.count ?? 0) + 1, first: known?.first ?? "\(place()): \(what)")
  }

  package mutating func add(_ other: FailureLog) {
    kinds.merge(other.kinds) { (count: $0.count + $1.count, first: min($0.first, $1.first)) }
  }
}
