/// Random numbers from a seed: SplitMix64 (Steele, Lea, Flood 2014), the same on every system.
struct FleetRandom {
  private var state: UInt64

  /// The numbers of one journal of a fleet: those of the others do not depend on how many it draws.
  init(seed: UInt64, index: UInt64) {
    state = seed
    let first = next()
    state = first ^ (index &* 0x9E37_79B9_7F4A_7C15)
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in the range.
  mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Whether something of this share, in percent, happens.
  mutating func happens(_ percent: Int) -> Bool { number(in: 1...100) <= percent }

  /// One of these.
  mutating func one<Choice>(of choices: [Choice]) -> Choice { choices[number(in: 0...choices.count - 1)] }

  /// A GUID of version 4.
  mutating func guid() -> String {
    let (high, low) = (next(), next())
    func digits(_ value: UInt64, _ count: Int) -> String {
      let text = String(value & (1 << UInt64(4 * count) - 1), radix: 16)
      return String(repeating: "0", count: count - text.count) + text
    }
    return "\(digits(high >> 32, 8))-\(digits(high >> 16, 4))-4\(digits(high, 3))-"
      + "\(digits(8 | low >> 62, 1))\(digits(low >> 48, 3))-\(digits(low, 12))"
  }
}
