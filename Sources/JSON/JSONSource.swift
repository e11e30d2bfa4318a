/// The characters of a text as valid UTF-8, regardless of their original encoding, with their original places. Readers of
/// other texts decode them with it too.
package struct JSONSource {
  /// Valid UTF-8 without a byte order mark.
  package let bytes: [UInt8]
  package let encoding: JSONDocument.Encoding
  /// The length of the byte order mark, in bytes.
  let markLength: Int

  /// Reads a text that is expected to be whole.
  ///
  /// The odd length tells a stray zero byte in UTF-8 from UTF-16.
  package init(_ input: [UInt8]) throws(JSONError) {
    let isWide = input.count >= 4 && (input[0...2].allSatisfy { $0 == 0 } || input[1...3].allSatisfy { $0 == 0 })
    if input.starts(with: [0xFF, 0xFE, 0, 0]) || input.starts(with: [0, 0, 0xFE, 0xFF]) || isWide {
      throw JSONError(
        .unsupportedEncoding, at: JSONPosition(line: 1, column: 1, offset: 0), path: JSONPath(),
        message: "the text seems to be UTF-32", remedy: "save it as UTF-8")
    }
    (encoding, markLength) = Self.encoding(of: input, mayHaveNoMark: input.count.isMultiple(of: 2))
    let failure: Int?
    switch encoding {
    case .utf8:
      bytes = markLength == 0 ? input : Array(input.dropFirst(markLength))
      failure = Self.firstInvalidUTF8(bytes)
    case .utf16LittleEndian, .utf16BigEndian:
      let isLittle = encoding == .utf16LittleEndian
      (bytes, failure) = Self.transcode(input.dropFirst(markLength), lowByteFirst: isLittle)
    }
    if let failure {
      var tracker = JSONPositionTracker(encoding: encoding, markLength: markLength)
      throw JSONError(
        .invalidEncoding, at: tracker.position(of: failure, in: bytes), path: JSONPath(),
        message: "the bytes here are not valid \(encoding.rawValue)", remedy: "save the text as UTF-8 again")
    }
  }

  /// Detects the encoding from the byte order mark or, without one, from the pattern of zero bytes: a text begins
  /// with an ASCII character and contains no U+0000.
  private static func encoding(
    of input: [UInt8], mayHaveNoMark: Bool
  ) -> (encoding: JSONDocument.Encoding, markLength: Int) {
    if input.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    guard input.count >= 2 else { return (.utf8, 0) }
    switch (input[0], input[1]) {
    case (0xFF, 0xFE): return (.utf16LittleEndian, 2)
    case (0xFE, 0xFF): return (.utf16BigEndian, 2)
    case (0, 1...) where mayHaveNoMark: return (.utf16BigEndian, 0)
    case (1..., 0) where mayHaveNoMark: return (.utf16LittleEndian, 0)
    default: return (.utf8, 0)
    }
  }

  /// The text in UTF-8, whatever it was written in; what is no character of UTF-16 is U+FFFD. It may be cut within a
  /// character.
  package static func text(of input: [UInt8]) -> [UInt8] {
    let (encoding, markLength) = Self.encoding(of: input, mayHaveNoMark: true)
    guard encoding != .utf8 else { return markLength == 0 ? input : Array(input.dropFirst(markLength)) }
    let low = encoding == .utf16LittleEndian ? 0 : 1
    let units = stride(from: markLength, to: input.count - 1, by: 2).map {
      UInt16(input[$0 + low]) | UInt16(input[$0 + 1 - low]) << 8
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// The index of the first byte that does not begin a well-formed sequence (Unicode 15, table 3-7); `nil` if all do.
  static func firstInvalidUTF8(_ bytes: [UInt8]) -> Int? {
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
        continue
      }
      let (length, second): (Int, ClosedRange<UInt8>)
      switch lead {
      case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard bytes.count - index >= length, second.contains(bytes[index + 1]),
        bytes[(index + 2)..<(index + length)].allSatisfy({ (0x80...0xBF).contains($0) })
      else { return index }
      index += length
    }
    return nil
  }

  /// UTF-16 converted to UTF-8. The result ends, with a failure, at the first unit that is not a character or is cut
  /// off.
  private static func transcode(_ input: ArraySlice<UInt8>, lowByteFirst: Bool) -> (bytes: [UInt8], failure: Int?) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(input.count / 2)
    var index = input.startIndex
    func unit(at index: Int) -> UInt16? {
      guard input.endIndex - index >= 2 else { return nil }
      let (first, second) = (UInt16(input[index]), UInt16(input[index + 1]))
      return lowByteFirst ? second << 8 | first : first << 8 | second
    }
    while index < input.endIndex {
      guard let high = unit(at: index) else { return (bytes, bytes.count) }
      index += 2
      if let scalar = Unicode.Scalar(high) {
        bytes.append(contentsOf: scalar.utf8)
        continue
      }
      guard high < 0xDC00, let low = unit(at: index), (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
      else { return (bytes, bytes.count) }
      bytes.append(contentsOf: scalar.utf8)
      index += 2
    }
    return (bytes, nil)
  }
}

/// Converts indexes into the bytes of a ``JSONSource`` to positions in the original text.
///
/// Indexes must be requested in ascending order, so that the text is traversed only once. A smaller index than the
/// previous one yields the previous position.
struct JSONPositionTracker {
  let encoding: JSONDocument.Encoding
  private var index = 0
  private var current: JSONPosition

  init(encoding: JSONDocument.Encoding, markLength: Int) {
    self.encoding = encoding
    current = JSONPosition(line: 1, column: 1, offset: markLength)
  }

  mutating func position(of wanted: Int, in bytes: [UInt8]) -> JSONPosition {
    while index < wanted, index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A {
        // The line was already counted at the CR of a CR LF.
        if index == 0 || bytes[index - 1] != 0x0D { current.line += 1 }
        current.column = 1
      } else if byte == 0x0D {
        current.line += 1
        current.column = 1
      } else if byte & 0xC0 != 0x80 {
        current.column += 1
      }
      current.offset += width(of: byte)
      index += 1
    }
    return current
  }

  /// The number of bytes in the original text that correspond to this byte of its UTF-8 form; a character's bytes are
  /// all counted at its first byte.
  private func width(of byte: UInt8) -> Int {
    guard encoding != .utf8 else { return 1 }
    return byte & 0xC0 == 0x80 ? 0 : (byte >= 0xF0 ? 4 : 2)
  }
}
