extension CivilTime {
  /// Appends a length of time in ISO 8601, in days and smaller units: `P90D`, `PT30M`, `PT0S`, `-PT1.5S`.
  package static func append(duration nanoseconds: Int64, to bytes: inout [UInt8]) {
    let second = UInt64(nanosecondsPerSecond)
    let seconds = nanoseconds.magnitude / second
    let days = seconds / 86_400
    let isWhole = seconds % 86_400 == 0 && nanoseconds.magnitude % second == 0
    func append(_ number: UInt64, _ unit: UInt8) {
      guard number > 0 else { return }
      bytes.append(number, digits: 1)
      bytes.append(unit)
    }
    if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(UInt8(ascii: "P"))
    append(days, UInt8(ascii: "D"))
    guard !isWhole else {
      if days == 0 { bytes.append(contentsOf: "T0S".utf8) }
      return
    }
    bytes.append(UInt8(ascii: "T"))
    append(seconds / 3600 % 24, UInt8(ascii: "H"))
    append(seconds / 60 % 60, UInt8(ascii: "M"))
    let fraction = nanoseconds.magnitude % second
    guard seconds % 60 > 0 || fraction > 0 else { return }
    bytes.append(seconds % 60, digits: 1)
    bytes.append(fraction: fraction)
    bytes.append(UInt8(ascii: "S"))
  }
}
