import Foundation

/// A Swift file of the repository, as far as its structure goes: the types it declares outside of others, and every
/// name it uses that a type can have.
struct SwiftSource {
  /// Where it is, from the top of the repository.
  let path: String
  /// The types that it declares outside of others.
  private(set) var declared: Set<String> = []
  /// The names in it that begin with an upper-case letter, outside of comments and texts.
  private(set) var used: Set<String> = []
  /// Whether every brace has its other one. Where one has not, a comment or a text was taken for code, or the reverse.
  private(set) var isBalanced = true

  private static let introducers: Set<String> = ["struct", "enum", "class", "actor", "protocol", "typealias"]

  /// The top of the repository.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every Swift file below a folder of the repository, in the order of their paths.
  static func all(below folder: String) throws -> [SwiftSource] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { try SwiftSource(at: "\(folder)/\($0)") }
  }

  init(at path: String) throws {
    self.init(path: path, bytes: Array(try Data(contentsOf: Self.root.appending(path: path))))
  }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    var words = Words(bytes)
    var depth = 0
    var introducer = false
    while let word = words.next() {
      switch word {
      case "{": depth += 1
      case "}":
        depth -= 1
        if depth < 0 { isBalanced = false }
      default:
        if introducer, depth == 0 { declared.insert(word) }
        introducer = Self.introducers.contains(word)
        if word.first?.isUppercase == true { used.insert(word) }
      }
    }
    if depth != 0 { isBalanced = false }
  }

  /// The names and braces of a Swift text, without comments and string literals. A literal inside an interpolation ends the
  /// one around it, so what is quoted there counts as code.
  private struct Words {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> String? {
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "/") where isNext("//"): skip { $0 != UInt8(ascii: "\n") }
        case UInt8(ascii: "\""): skipText()
        case UInt8(ascii: "{"), UInt8(ascii: "}"):
          place += 1
          return String(decoding: bytes[(place - 1)..<place], as: UTF8.self)
        case let byte where Self.isNamePart(byte):
          let start = place
          skip(Self.isNamePart)
          return String(decoding: bytes[start..<place], as: UTF8.self)
        default: place += 1
        }
      }
      return nil
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }

    private func isNext(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

    private mutating func skip(_ belongs: (UInt8) -> Bool) {
      while place < bytes.count, belongs(bytes[place]) { place += 1 }
    }

    private mutating func skipText() {
      let end = isNext("\"\"\"") ? "\"\"\"" : "\""
      place += end.utf8.count
      while place < bytes.count, !isNext(end) { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
      place = min(bytes.count, place + end.utf8.count)
    }
  }
}
