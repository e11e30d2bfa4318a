/// Numbers that look random and are the same in every run: a linear congruential generator (Knuth's MMIX constants).
struct RandomSequence {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }

  mutating func next(below bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[next(below: elements.count)]
  }

  mutating func flag() -> Bool {
    next() % 2 == 0
  }
}
