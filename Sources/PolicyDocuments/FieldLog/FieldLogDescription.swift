import JSON

/// The text in which Apple's systems describe a dictionary: `{ NAME = VALUE; OTHER = ( A, B ); }`.
///
/// It is read into JSON, so that one reader knows both. Every value that is not a list or a dictionary becomes a text. Members
/// without a name, as the documentation prints some, get an empty one.
enum FieldLogDescription {
  /// How deep brackets are read.
  private static let deepest = 32

  /// The root of a block in either form; `nil` where it is neither.
  static func root(of text: String) -> JSONNode? {
    if let root = try? JSONDocument.parse(Array(text.utf8)).root { return root }
    var reader = Reader(text)
    return reader.block().map { JSONNode($0) }
  }

  /// Reads a description.
  private struct Reader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The block: a value, or members without brackets around them.
    mutating func block() -> JSONValue? {
      skipSpace()
      guard index < bytes.count else { return nil }
      if bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "(") { return value(depth: 0) }
      let members = members(depth: 0)
      return members.isEmpty ? nil : .object(members)
    }

    private mutating func value(depth: Int) -> JSONValue? {
      skipSpace()
      guard index < bytes.count, depth < deepest else { return nil }
      switch bytes[index] {
      case UInt8(ascii: "{"):
        index += 1
        return .object(members(depth: depth + 1))
      case UInt8(ascii: "("), UInt8(ascii: "["):
        index += 1
        return list(depth: depth + 1)
      case 0x22: return .string(quotedText())
      default: return .string(bareText(until: ";,)}]\n"))
      }
    }

    private mutating func list(depth: Int) -> JSONValue {
      var elements: [JSONValue] = []
      while true {
        skipSpace(and: ",;")
        guard index < bytes.count else { break }
        if bytes[index] == UInt8(ascii: ")") || bytes[index] == UInt8(ascii: "]") {
          index += 1
          break
        }
        let before = index
        guard let element = value(depth: depth), index > before else { break }
        elements.append(element)
      }
      return .array(elements)
    }

    private mutating func members(depth: Int) -> [JSONObject.Member] {
      var members: [JSONObject.Member] = []
      while true {
        skipSpace(and: ",;")
        guard index < bytes.count else { break }
        if bytes[index] == UInt8(ascii: "}") {
          index += 1
          break
        }
        let before = index
        if bytes[index] == UInt8(ascii: "{") || bytes[index] == UInt8(ascii: "(") {
          guard let nameless = value(depth: depth) else { break }
          members.append(.init("", nameless))
        } else {
          let name = bytes[index] == 0x22 ? quotedText() : bareText(until: " \t\n=:;,{}()")
          skipSpace()
          if index < bytes.count, bytes[index] == UInt8(ascii: "=") || bytes[index] == UInt8(ascii: ":") {
            index += 1
            guard let value = value(depth: depth) else { break }
            members.append(.init(name, value))
          }
        }
        // What is neither is passed over.
        if index == before { index += 1 }
      }
      return members
    }

    private mutating func skipSpace(and others: String = "") {
      while index < bytes.count, bytes[index] <= 0x20 || others.utf8.contains(bytes[index]) { index += 1 }
    }

    private mutating func bareText(until ends: String) -> String {
      let rest = bytes[index...].prefix { !ends.utf8.contains($0) }
      index = rest.endIndex
      var text = rest
      while let last = text.last, last <= 0x20 { text = text.dropLast() }
      return String(decoding: text, as: UTF8.self)
    }

    private mutating func quotedText() -> String {
      var text: [UInt8] = []
      index += 1
      while index < bytes.count, bytes[index] != 0x22 {
        if bytes[index] == 0x5C, index + 1 < bytes.count { index += 1 }
        text.append(bytes[index])
        index += 1
      }
      index += 1
      return String(decoding: text, as: UTF8.self)
    }
  }
}
