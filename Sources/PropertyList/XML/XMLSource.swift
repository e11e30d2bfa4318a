/// The characters of an XML text as valid UTF-8, regardless of their original encoding.
struct XMLSource {
  /// Valid UTF-8 without a byte order mark.
  let bytes: [UInt8]
  /// How the input has its characters.
  private let encoding: Encoding

  private enum Encoding {
    case utf8(hasMark: Bool)
    case utf16(lowByteFirst: Bool, hasMark: Bool)
  }

  /// Detects UTF-16 by its byte order mark or by the zero byte next to the first `<`; everything else is UTF-8.
  init(_ input: [UInt8]) throws(PropertyListError) {
    func begins(with prefix: [UInt8]) -> Bool { input.starts(with: prefix) }
    if begins(with: [0xFF, 0xFE]) || begins(with: [0xFE, 0xFF]) {
      encoding = .utf16(lowByteFirst: input[0] == 0xFF, hasMark: true)
      bytes = try Self.transcode(input.dropFirst(2), lowByteFirst: input[0] == 0xFF)
    } else if begins(with: [0x3C, 0]) || begins(with: [0, 0x3C]) {
      encoding = .utf16(lowByteFirst: input[0] == 0x3C, hasMark: false)
      bytes = try Self.transcode(input[...], lowByteFirst: input[0] == 0x3C)
    } else {
      let hasMark = begins(with: [0xEF, 0xBB, 0xBF])
      encoding = .utf8(hasMark: hasMark)
      bytes = hasMark ? Array(input.dropFirst(3)) : input
      // Decoding replaces invalid bytes in the copy, so the first difference is the first invalid byte.
      let repaired = String(decoding: bytes, as: UTF8.self).utf8
      if !repaired.elementsEqual(bytes) {
        let valid = zip(bytes, repaired).prefix { $0 == $1 }.count
        throw Self.invalid("UTF-8", after: bytes.prefix(valid))
      }
    }
  }

  /// Text in the encoding of the input, with its byte order mark if it has one.
  func encoded(_ text: [UInt8]) -> [UInt8] {
    switch encoding {
    case .utf8(let hasMark): return (hasMark ? [0xEF, 0xBB, 0xBF] : []) + text
    case .utf16(let lowByteFirst, let hasMark):
      let units = (hasMark ? [0xFEFF] : []) + Array(String(decoding: text, as: UTF8.self).utf16)
      return units.flatMap { unit in
        let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
        return lowByteFirst ? [low, high] : [high, low]
      }
    }
  }

  private static func transcode(_ input: ArraySlice<UInt8>, lowByteFirst: Bool) throws(PropertyListError) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(input.count / 2)
    var rest = input
    while let first = rest.popFirst(), let second = rest.popFirst() {
      units.append(lowByteFirst ? UInt16(second) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(second))
    }
    let text = String(decoding: units, as: UTF16.self)
    guard input.count.isMultiple(of: 2), text.utf16.elementsEqual(units) else {
      let valid = zip(units, text.utf16).prefix { $0 == $1 }.count
      throw invalid("UTF-16", after: String(decoding: units.prefix(valid), as: UTF16.self).utf8)
    }
    return Array(text.utf8)
  }

  private static func invalid(_ encoding: String, after text: some Sequence<UInt8>) -> PropertyListError {
    let bytes = Array(text)
    var tracker = XMLPositionTracker()
    return PropertyListError(
      .invalidEncoding, at: tracker.position(of: bytes.count, in: bytes), "the bytes here are not valid \(encoding)",
      remedy: "save the file as UTF-8 again")
  }

  /// White space as defined in XML 1.0, production 3.
  /// Whether a character can be in a text (XML 1.0, 2.2).
  static func isCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x20...0xFFFD, 0x10000...: true
    case _: false
    }
  }

  static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}

/// Converts indexes to lines and columns. Indexes must be requested in ascending order, so that the text is traversed
/// only once; a smaller index than the previous one yields the previous position.
struct XMLPositionTracker {
  private var index = 0
  private var line = 1
  private var column = 1

  mutating func position(of wanted: Int, in bytes: [UInt8]) -> PropertyListPosition {
    while index < wanted, index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A {
        // The line was already counted at the CR of a CR LF.
        if index == 0 || bytes[index - 1] != 0x0D { line += 1 }
        column = 1
      } else if byte == 0x0D {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      index += 1
    }
    return .text(line: line, column: column)
  }
}
