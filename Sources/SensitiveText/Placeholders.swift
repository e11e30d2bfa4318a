/// Finds the placeholders in a text, such as `{{mail}}`: an administrator writes them, and a service, device management or the
/// app itself puts a fact about the user or the device in their place.
package enum Placeholders {
  /// The names between `{{` and `}}`, in order: letters, digits, spaces, dots, underscores and hyphens.
  package static func names(in text: String) -> [Substring] {
    var names: [Substring] = []
    var rest = text[...]
    while let end = rest.firstRange(of: "}}") {
      let before = rest[..<end.lowerBound]
      rest = rest[end.upperBound...]
      guard let brace = before.lastIndex(of: "{"), before[..<brace].last == "{" else { continue }
      let name = before[before.index(after: brace)...]
      if !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || " ._-".contains($0) }) { names.append(name) }
    }
    return names
  }

  /// Whether a text begins with a placeholder, whatever its name.
  package static func begin(_ text: String) -> Bool {
    let trimmed = text.drop { $0 == " " }
    return trimmed.hasPrefix("{{") && trimmed.contains("}}")
  }

  /// Whether a text is one placeholder with a plain name, which identifies no one.
  package static func isPlain(_ text: String) -> Bool {
    let bytes = text.utf8.drop { $0 == UInt8(ascii: " ") }
    return bytes.starts(with: "{{".utf8) && bytes.count > 4 && bytes.suffix(2).elementsEqual("}}".utf8)
      && isPlainName(bytes.dropFirst(2).dropLast(2))
  }

  /// Whether a name is one that a service or a product gave, and not a person's: ASCII letters and digits, between spaces at most.
  package static func isPlainName(_ name: some Collection<UInt8>) -> Bool {
    let words = name.split(separator: UInt8(ascii: " "))
    return words.count <= 1 && words.allSatisfy { $0.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 } }
  }
}
