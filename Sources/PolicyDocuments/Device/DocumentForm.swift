import AppProtection
import JSON

/// What a file seems to be, by how it begins.
enum DocumentForm {
  /// JSON.
  case json
  /// A property list.
  case propertyList
  /// Any other text.
  case lines

  /// Examines the first byte that is not white space, after any byte order mark.
  init(of bytes: [UInt8]) {
    if bytes.starts(with: Array("bplist".utf8)) {
      self = .propertyList
      return
    }
    // In UTF-16, every other byte of such a beginning is 0.
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0, 0x20, 0x09, 0x0A, 0x0D]
    let beginning = Array(bytes.lazy.filter { !marks.contains($0) }.prefix(2))
    switch beginning.first {
    case UInt8(ascii: "<"): self = .propertyList
    case UInt8(ascii: "{"), UInt8(ascii: "["), nil: self = .json
    case _ where beginning == Array("//".utf8) || beginning == Array("/*".utf8): self = .json
    default: self = Self.hasSetting(bytes) ? .lines : .json
    }
  }

  /// Whether a line of text begins with the name of a device or Graph setting. Other text is left to the JSON parser,
  /// whose messages say where the text stops being JSON.
  private static func hasSetting(_ bytes: [UInt8]) -> Bool {
    text(of: bytes).split(whereSeparator: \.isNewline).contains { line in
      let name = line.drop { $0 == " " || $0 == "\t" || $0 == "\"" }.prefix {
        $0.isASCII && ($0.isLetter || $0.isWholeNumber)
      }
      return DeviceSetting.named(String(name)) != nil || GraphMember.named(String(name)) != nil
    }
  }

  /// The text of a file: UTF-8 or UTF-16. Invalid bytes become U+FFFD.
  static func text(of bytes: [UInt8]) -> String { String(decoding: JSONSource.text(of: bytes), as: UTF8.self) }
}
