/// Percent-encoding of links (RFC 3986, 2.1).
enum PercentEncoding {
  /// Bytes with each `%` and two hexadecimal digits decoded; `nil` where there are none.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "%")) else { return nil }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"), rest.count > 2,
        let value = UInt8(hexadecimal: rest[rest.startIndex + 1], rest[rest.startIndex + 2])
      {
        result.append(value)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result.count < bytes.count ? result : nil
  }
}

extension UInt8 {
  /// The byte that two hexadecimal digits of ASCII stand for; `nil` where they are none.
  package init?(hexadecimal high: UInt8, _ low: UInt8) {
    guard let high = Character(Unicode.Scalar(high)).hexDigitValue,
      let low = Character(Unicode.Scalar(low)).hexDigitValue
    else { return nil }
    self = UInt8(high << 4 | low)
  }
}
