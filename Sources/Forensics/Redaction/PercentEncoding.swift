/// Percent-encoding of links (RFC 3986, 2.1).
enum PercentEncoding {
  /// Bytes with each `%` and two hexadecimal digits decoded; `nil` where there are none.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard bytes.contains(UInt8(ascii: "%")) else { return nil }
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.first {
      if byte == UInt8(ascii: "%"), rest.count > 2, let high = digit(rest[rest.startIndex + 1]),
        let low = digit(rest[rest.startIndex + 2])
      {
        result.append(high << 4 | low)
        rest = rest.dropFirst(3)
      } else {
        result.append(byte)
        rest = rest.dropFirst()
      }
    }
    return result.count < bytes.count ? result : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
