extension BinaryInteger {
  /// The number with a comma between groups of three digits, such as `9,112`. The same in every locale.
  package var grouped: String {
    let digits = String(magnitude)
    var text = self < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// The number and what it counts: `1 event`, `9,112 events`.
  ///
  /// - Parameter many: What follows any number but one; `nil` adds an `s` to `one`.
  package func counted(_ one: String, _ many: String? = nil) -> String {
    "\(grouped) \(self == 1 ? one : many ?? one + "s")"
  }
}

extension FixedWidthInteger {
  /// The number in at least this many digits, at most 64, zeros before it; zero in place of a negative one.
  package func padded(to width: Int, radix: UInt64 = 10) -> String {
    let number = UInt64(clamping: self)
    var rest = number
    var count = 1
    while rest >= radix {
      rest /= radix
      count += 1
    }
    // A directory is listed with every opening: a string of zeros before another one takes ten times as long.
    return String(unsafeUninitializedCapacity: Swift.max(count, width)) { buffer in
      var rest = number
      for place in (0..<Swift.max(count, width)).reversed() {
        let digit = UInt8(truncatingIfNeeded: rest % radix)
        buffer[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        rest /= radix
      }
      return Swift.max(count, width)
    }
  }
}
