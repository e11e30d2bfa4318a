/// Random numbers that a seed determines (SplitMix64, Steele, Lea and Flood 2014).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  /// A generator of its own for one purpose under the same seed.
  package init(seed: UInt64, _ purposes: UInt64...) {
    state = seed
    for purpose in purposes { state = next() ^ (purpose &* 0x9E37_79B9_7F4A_7C15) }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number below `bound`, which must be greater than zero.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True once in `count` times.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
}
