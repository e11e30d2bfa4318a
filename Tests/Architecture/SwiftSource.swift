import Foundation

/// A Swift file of the repository, as far as its structure goes: the types it declares outside of others, the members of its
/// types and extensions, and the names it uses.
struct SwiftSource {
  /// Where it is, from the top of the repository.
  let path: String
  /// Its text.
  let lines: [String]
  /// The types that it declares outside of others.
  private(set) var declared: Set<String> = []
  /// The functions, properties and cases of its types and extensions that other files can use.
  private(set) var members: Set<String> = []
  /// The names in it that begin with an upper-case letter, outside of comments and texts.
  private(set) var used: Set<String> = []
  /// The other names in it, without those that it declares itself and the labels of parameters and arguments.
  private(set) var mentioned: Set<String> = []
  /// What it says in comments and texts.
  private(set) var prose: [Passage] = []
  /// Whether every brace has its other one. Where one has not, a comment or a text was taken for code, or the reverse.
  private(set) var isBalanced = true

  /// A comment, over all its lines, or the part of a text between two interpolations.
  struct Passage {
    /// The line where it begins, from 1.
    let line: Int
    var text: String
    let isComment: Bool
  }

  private static let introducers: Set<String> = ["struct", "enum", "class", "actor", "protocol", "typealias"]
  private static let memberIntroducers: Set<String> = ["func", "var", "let", "case"]

  /// The module whose folder holds it.
  var module: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// The top of the repository.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Every Swift file below `Sources` and `Tests`, read once for all tests.
  private static let files = Result {
    try ["Sources", "Tests"].flatMap { folder in
      let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)
      return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { try SwiftSource(at: "\(folder)/\($0)") }
    }
  }

  /// Every Swift file below a folder of the repository, in the order of their paths.
  static func all(below folder: String) throws -> [SwiftSource] {
    try files.get().filter { $0.path.hasPrefix("\(folder)/") }
  }

  init(at path: String) throws {
    self.init(path: path, bytes: Array(try Data(contentsOf: Self.root.appending(path: path))))
  }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    var words: [String] = []
    // The names of a list of cases after its first one.
    var laterCases: Set<Int> = []
    // How many parentheses are open in a list of cases; `nil` outside of one.
    var open: Int?
    var reader = Words(bytes)
    while let word = reader.next() {
      switch word {
      case ",":
        if open == 0 { laterCases.insert(words.count) }
        continue
      case ")":
        open = open.map { $0 - 1 }
        continue
      case "(": open = open.map { $0 + 1 }
      case "case": open = 0
      case _ where open == 0 && !laterCases.contains(words.count) && words.last != "case" && !Self.isNumber(word):
        open = nil
      default: break
      }
      words.append(word)
    }
    prose = Self.passages(reader.prose, bytes)
    // Whether each open brace is that of a type or an extension.
    var isTypeOpen: [Bool] = []
    func isMemberPlace(_ isTypeOpen: [Bool]) -> Bool { !isTypeOpen.isEmpty && isTypeOpen.allSatisfy(\.self) }
    var opensType = false
    var isHidden = false
    // Names of this file alone: local ones, private members and labels.
    var own = Set(["self", "init"])
    for (place, word) in words.enumerated() {
      let before = place == 0 ? "" : words[place - 1]
      let next = place + 1 < words.count ? words[place + 1] : ""
      switch word {
      case "{":
        isTypeOpen.append(opensType)
        (opensType, isHidden) = (false, false)
      case "}":
        if isTypeOpen.popLast() == nil { isBalanced = false }
        (opensType, isHidden) = (false, false)
      case ".", ":", "(": break
      case "private", "fileprivate": if next != "(" { isHidden = true }
      case _ where before != "." && Self.isIntroducer(word, before: next):
        opensType = true
      default:
        if Self.introducers.contains(before), isTypeOpen.isEmpty { declared.insert(word) }
        if word.first?.isUppercase == true {
          used.insert(word)
        } else if Self.memberIntroducers.contains(before) || laterCases.contains(place) && isMemberPlace(isTypeOpen) {
          if isMemberPlace(isTypeOpen), !isHidden {
            members.insert(word)
          } else {
            own.insert(word)
          }
          isHidden = false
        } else if before != ".",
          next == ":" || (Self.isName(next) && words.dropFirst(place + 2).first == ":") || next == "in"
        {
          own.insert(word)
        } else {
          mentioned.insert(word)
        }
      }
    }
    mentioned.subtract(own)
    mentioned.subtract(members)
    if !isTypeOpen.isEmpty { isBalanced = false }
  }

  /// Joins the lines of a comment.
  private static func passages(_ found: [(range: Range<Int>, isComment: Bool)], _ bytes: [UInt8]) -> [Passage] {
    var passages: [Passage] = []
    var (line, place, last) = (1, 0, 0)
    for (range, isComment) in found {
      let between = bytes[place..<range.lowerBound]
      line += between.count { $0 == UInt8(ascii: "\n") }
      var text = String(decoding: bytes[range], as: UTF8.self)
      if isComment { text = String(text.drop { $0 == "/" }) }
      if isComment, passages.last?.isComment == true, line == last + 1, between.allSatisfy({ $0 <= UInt8(ascii: " ") })
      {
        passages[passages.count - 1].text += text
      } else {
        passages.append(Passage(line: line, text: text, isComment: isComment))
      }
      line += bytes[range].count { $0 == UInt8(ascii: "\n") }
      (place, last) = (range.upperBound, line)
    }
    return passages
  }

  /// Whether a word begins a type or an extension, and not a member such as `class func`.
  private static func isIntroducer(_ word: String, before next: String) -> Bool {
    (word == "extension" || (introducers.contains(word) && word != "typealias")) && !memberIntroducers.contains(next)
      && next != ":"
  }

  private static func isNumber(_ word: String) -> Bool { word.first?.isNumber ?? false }

  private static func isName(_ word: String) -> Bool { word.utf8.first.map(Words.isNamePart) ?? false }

  /// The names, braces, dots, colons, commas and parentheses of a Swift text, without comments and string literals, and with
  /// what string literals interpolate.
  private struct Words {
    private let bytes: [UInt8]
    private var place = 0
    /// The literals around the current place: the end of each, and how many parentheses its interpolation has open.
    private var literals: [(end: String, open: Int)] = []
    /// The comments and the texts that were passed over.
    private(set) var prose: [(range: Range<Int>, isComment: Bool)] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> String? {
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "/") where isNext("//"):
          let start = place
          skip { $0 != UInt8(ascii: "\n") }
          prose.append((start..<place, true))
        case UInt8(ascii: "\""):
          let end = isNext("\"\"\"") ? "\"\"\"" : "\""
          place += end.utf8.count
          skipText(to: end)
        case UInt8(ascii: ")"):
          place += 1
          guard let literal = literals.last else { return ")" }
          literals[literals.count - 1].open -= 1
          if literal.open == 1 {
            literals.removeLast()
            skipText(to: literal.end)
          }
        // Closing one within an interpolation: nothing there is a list of cases.
        case let byte where "{}.:(,".utf8.contains(byte):
          place += 1
          if byte == UInt8(ascii: "("), !literals.isEmpty { literals[literals.count - 1].open += 1 }
          return String(decoding: [byte], as: UTF8.self)
        case let byte where Self.isNamePart(byte):
          let start = place
          skip(Self.isNamePart)
          return String(decoding: bytes[start..<place], as: UTF8.self)
        default: place += 1
        }
      }
      return nil
    }

    static func isNamePart(_ byte: UInt8) -> Bool {
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

    /// Skips a literal to its end, or to its next interpolation.
    private mutating func skipText(to end: String) {
      let start = place
      while place < bytes.count, !isNext(end) {
        if isNext("\\(") {
          prose.append((start..<place, false))
          place += 2
          return literals.append((end, 1))
        }
        place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
      }
      prose.append((start..<min(bytes.count, place), false))
      place = min(bytes.count, place + end.utf8.count)
    }
  }
}
