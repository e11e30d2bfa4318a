import EventSourcing

/// Spells the catalogue's names and types as in the published schema.
enum SchemaName {
  /// A field's name in snake case: `minimumRequiredOSVersion` is `minimum_required_os_version`.
  static func field(_ name: String) -> String {
    words(name).joined(separator: "_")
  }

  /// A constant's name in upper snake case; any character that is neither letter nor digit separates words.
  static func constant(_ name: String) -> String {
    words(name).joined(separator: "_").uppercased()
  }

  /// The JSON name that protoc derives from a field name in snake case, whether lower or upper case.
  static func lowerCamelCase(_ snake: String) -> String {
    let words = snake.lowercased().split(separator: "_")
    return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The scalar, message or enumeration type of a field in the schema.
  static func type(of field: FieldDescriptor) -> String {
    switch field.type {
    case .time where field.refinement == .double: "double"
    case .bool: "bool"
    case .unsigned, .reference, .sequence: "uint64"
    case .signed, .duration: "sint64"
    case .string, .json: "string"
    case .bytes, .guid: "bytes"
    case .time: "sfixed64"
    case .enumeration(let enumeration): enumeration.name
    case .message(let message): message.name
    }
  }

  /// What the schema's type leaves unsaid about the values.
  static func note(on field: FieldDescriptor) -> String? {
    switch field.type {
    case .time where field.refinement == .double: nil
    case .signed where field.refinement == .date: "days since 1970-01-01"
    case .json: "one JSON value"
    case .guid: "16 bytes in the order of a GUID's digits"
    case .time: "nanoseconds since 1970-01-01T00:00:00Z"
    case .duration: "nanoseconds"
    case .reference(let kind): note(onNumberOf: kind.name)
    case .sequence: note(onNumberOf: "event")
    case .bool, .unsigned, .signed, .string, .bytes, .enumeration, .message: nil
    }
  }

  private static func note(onNumberOf name: String) -> String {
    "\(name.first.map("aeiou".contains) == true ? "an" : "a") \(name)'s number, 0 is none"
  }

  /// Whether proto3 would pack a repeated field of this type.
  static func isPackable(_ type: FieldType) -> Bool {
    switch type {
    case .bool, .unsigned, .signed, .time, .duration, .reference, .sequence, .enumeration: true
    case .string, .json, .bytes, .guid, .message: false
    }
  }

  /// The words of a name in lower case, split where a capital follows a small letter or begins a word after capitals,
  /// and at any character that is neither letter nor digit.
  private static func words(_ name: String) -> [String] {
    var result: [String] = []
    var word = ""
    let characters = Array(name)
    for (index, character) in characters.enumerated() {
      guard character.isLetter || character.isNumber else {
        if !word.isEmpty { result.append(word) }
        word = ""
        continue
      }
      let previous = index > 0 ? characters[index - 1] : " "
      let next = index + 1 < characters.count ? characters[index + 1] : " "
      let begins = character.isUppercase && (!previous.isUppercase || next.isLowercase)
      if begins && !word.isEmpty {
        result.append(word)
        word = ""
      }
      word += character.lowercased()
    }
    if !word.isEmpty { result.append(word) }
    return result
  }
}
