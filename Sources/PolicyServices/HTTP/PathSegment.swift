import SensitiveText

/// One segment of an address's path.
enum PathSegment {
  /// The dot segment that a server or a proxy may find in a text: `.` or `..` (RFC 3986, section 6.2.2.3), plain or escaped
  /// once or more often, between separators of any kind, and followed by parameters. `nil` if there is none.
  ///
  /// Escaping a segment does not help: some decode a path before they remove its dot segments, and some decode it twice.
  static func dotSegment(in text: some StringProtocol) -> String? {
    let pieces = decoded(text).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    for piece in pieces {
      let name = piece.prefix { $0 != UInt8(ascii: ";") }
      if !name.isEmpty, name.count <= 2, name.allSatisfy({ $0 == UInt8(ascii: ".") }) {
        return String(decoding: name, as: UTF8.self)
      }
    }
    return nil
  }

  /// The text without any escape, also where escapes make others, as `%252e` does. Takes time in proportion to its length.
  private static func decoded(_ text: some StringProtocol) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      decoded.append(byte)
      while decoded.count >= 3, decoded[decoded.count - 3] == UInt8(ascii: "%"),
        let byte = UInt8(hexadecimal: decoded[decoded.count - 2], decoded[decoded.count - 1])
      {
        decoded.removeLast(3)
        decoded.append(byte)
      }
    }
    return decoded
  }
}
