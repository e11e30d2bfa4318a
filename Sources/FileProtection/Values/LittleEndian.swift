/// Numbers in the layouts of this module: the least significant byte first.
extension Array where Element == UInt8 {
  /// Appends a number.
  mutating func append<Number: FixedWidthInteger>(number: Number) {
    for index in 0..<(Number.bitWidth / 8) { append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }
}

extension Collection where Element == UInt8, Index == Int {
  /// The number at a place, counted from the first byte; 0 where the bytes end before it does.
  func number<Number: FixedWidthInteger>(at place: Int, as type: Number.Type = Number.self) -> Number {
    let count = Number.bitWidth / 8
    guard place >= 0, place <= self.count - count else { return 0 }
    var number: Number = 0
    for index in 0..<count { number |= Number(truncatingIfNeeded: self[startIndex + place + index]) << (8 * index) }
    return number
  }
}
