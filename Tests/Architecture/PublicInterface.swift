/// The public declarations of a module, as its files spell them: `SwiftSource` has the layout of `.swift-format`, in which the
/// indentation says what is in what.
struct PublicInterface {
  /// One line for each declaration, sorted: the types around it with what the extension requires of them, and the declaration
  /// without attributes, comments and bodies, except for what a property's body lets callers do.
  let lines: [String]

  init(of files: [[String]]) {
    let outer = files.flatMap(Self.outerTypes)
    // Of a name that some files have for themselves, the type that apps can name counts.
    let hidden = Set(outer.filter { !$0.isPublic }.map(\.name)).subtracting(outer.filter(\.isPublic).map(\.name))
    lines = files.flatMap { Self.declarations(in: $0, besides: hidden) }.sorted()
  }

  /// What is open around a line.
  private struct Scope {
    var indentation: Int
    /// The path of a type; `nil` for what follows `#if`.
    var path: String?
    /// What extensions around it require, from ` where ` on.
    var condition = ""
    /// Whether members are public without saying so.
    var isProtocol = false
    var isEnum = false
  }

  /// The types of a file outside of others. Where apps cannot name one, what extends it is not public either.
  private static func outerTypes(in lines: [String]) -> [(name: String, isPublic: Bool)] {
    lines.compactMap { line in
      guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "/"),
        let match = unattributed(line[...]).firstMatch(of: declaration), types.contains(match.2),
        match.2 != "extension"
      else { return nil }
      return (String(match.3), match.1.contains("public") || match.1.contains("open"))
    }
  }

  private static let types: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "extension"]

  private static func declarations(in lines: [String], besides hidden: Set<String>) -> [String] {
    var found: [String] = []
    var scopes: [Scope] = []
    var isText = false
    var index = 0
    while index < lines.count {
      let line = lines[index]
      index += 1
      defer { if line.count(of: "\"\"\"") % 2 == 1 { isText.toggle() } }
      let indentation = line.prefix { $0 == " " }.count
      guard !isText, indentation < line.count else { continue }
      let text = line.dropFirst(indentation)
      if text.hasPrefix("//") { continue }
      if text.hasPrefix("@_exported import ") { found.append(String(text)) }
      while let last = scopes.last, indentation <= last.indentation, !text.hasPrefix("#else") {
        // The brace that closes a type stands below its beginning; so does what follows it.
        scopes.removeLast()
      }
      if text.hasPrefix("#if") { scopes.append(Scope(indentation: indentation)) }
      guard !text.hasPrefix("#"), indentation == (scopes.last.map { $0.indentation + 2 } ?? 0) else { continue }
      let around = scopes.last { $0.path != nil }
      guard let match = unattributed(text).firstMatch(of: declaration) else { continue }
      let (modifiers, kind, name) = (match.1, match.2, match.3)
      let isPublic =
        (kind == "extension" && modifiers.isEmpty) || modifiers.contains("public") || modifiers.contains("open")
        || around?.isProtocol == true
        || (kind == "case" && around?.isEnum == true)
      guard isPublic, kind != "extension" || !hidden.contains(String(name.prefix { $0 != "." })) else { continue }
      let read = signature(from: unattributed(text), &index, lines)
      var signature = read.text
      if let body = read.body, kind == "var" || kind == "subscript" {
        let inner = lines[index...].prefix { $0.isEmpty || $0.prefix { $0 == " " }.count > indentation }
        signature += accessors(body, inner.filter { $0.prefix { $0 == " " }.count == indentation + 2 })
      }
      let path = [around?.path, name.isEmpty ? nil : String(name)].compactMap(\.self).joined(separator: ".")
      if types.contains(kind) {
        let (head, condition) = split(signature)
        scopes.append(
          Scope(
            indentation: indentation, path: path,
            condition: (around?.condition ?? "") + (kind == "extension" ? condition : ""),
            isProtocol: kind == "protocol", isEnum: kind == "enum"))
        // An extension alone is no declaration; with a conformance it is.
        if kind == "extension", !head.contains(": ") { continue }
      }
      found.append(around.map { "\($0.path ?? "")\($0.condition): \(signature)" } ?? signature)
    }
    return found
  }

  /// A declaration before ` where `, and from there on.
  private static func split(_ signature: String) -> (head: Substring, condition: String) {
    let place = signature.firstRange(of: " where ")?.lowerBound ?? signature.endIndex
    return (signature[..<place], String(signature[place...]))
  }

  /// What a property with a body lets callers do, as a protocol says it; nothing for a stored one, which the modifiers say.
  ///
  /// - Parameters:
  ///   - body: What follows the brace on its line.
  ///   - lines: Those of the body that are not within others, if it goes on.
  private static func accessors(_ body: Substring, _ lines: [String]) -> String {
    let body = body.drop { $0 == " " }
    let parts = body.isEmpty ? lines.map { unattributed($0.drop { $0 == " " }) } : [body]
    let words = parts.compactMap { try? accessor.prefixMatch(in: $0) }
    if words.contains(where: { $0.2 == "didSet" || $0.2 == "willSet" }) { return "" }
    let effects = words.first { $0.2 == "get" }?.3 ?? ""
    let isSet = words.contains { $0.2 == "set" || $0.2 == "_modify" } || (!words.isEmpty && body.contains(/\bset\b/))
    let isNonmutating = words.contains { $0.1.contains("nonmutating") && $0.2 != "get" }
    return " { get\(effects)\(isSet ? isNonmutating ? " nonmutating set" : " set" : "") }"
  }

  nonisolated(unsafe) private static let accessor =
    /((?:nonmutating |mutating )*)(get|set|_read|_modify|didSet|willSet)((?: async| throws(?:\(\w+\))?)*)(?= |$|\(\w+\) \{)/

  nonisolated(unsafe) private static let declaration =
    /^((?:(?:public|open|static|class|final|indirect|mutating|nonmutating|consuming|borrowing|convenience|required|nonisolated|lazy|weak|unowned|prefix|postfix|override|(?:private|package|internal|fileprivate)(?:\(set\))?|nonisolated\(unsafe\)|unowned\(unsafe\)) )*)(struct|enum|class|actor|protocol|extension|func|var|let|init|subscript|case|typealias|associatedtype|deinit)\b ?`?([\w.]*)/

  /// A line without the attributes at its beginning.
  private static func unattributed(_ text: Substring) -> Substring {
    var rest = text
    while rest.hasPrefix("@") {
      var open = 0
      guard
        let end = rest.indices.first(where: { place in
          if rest[place] == "(" { open += 1 } else if rest[place] == ")" { open -= 1 }
          return rest[place] == " " && open == 0
        })
      else { return "" }
      rest = rest[end...].drop { $0 == " " }
    }
    return rest
  }

  /// A declaration over all its lines, up to its body or its value, and what follows the body's brace on its line.
  private static func signature(
    from first: Substring, _ index: inout Int, _ lines: [String]
  ) -> (text: String, body: Substring?) {
    var signature = ""
    var open = 0
    var text = first
    while true {
      var isText = false
      for (place, character) in zip(text.indices, text) {
        if character == "\"" { isText.toggle() }
        guard !isText else { continue }
        switch character {
        case "(", "[": open += 1
        case ")", "]": open -= 1
        case "{" where open == 0,
          "=" where open == 0 && text[place...].hasPrefix("= ") && text[..<place].hasSuffix(" "):
          // Not the value of a property, but what a name stands for.
          if character == "=" && signature.isEmpty && text.contains("typealias ") { continue }
          return ((signature + text[..<place]).trimmingSpaces, character == "{" ? text[place...].dropFirst() : nil)
        case "/" where open == 0 && text[place...].hasPrefix("//"):
          return ((signature + text[..<place]).trimmingSpaces, nil)
        default: break
        }
      }
      signature += text
      guard index < lines.count else { break }
      let next = lines[index].drop { $0 == " " }
      guard open > 0 || ["where ", "-> ", "throws", "async", "{"].contains(where: next.hasPrefix) else { break }
      // As on one line.
      if !signature.hasSuffix("("), !signature.hasSuffix("["), !next.hasPrefix(")"), !next.hasPrefix("]") {
        signature += " "
      }
      text = next
      index += 1
    }
    return (signature.trimmingSpaces, nil)
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  fileprivate func count(of part: String) -> Int { ranges(of: part).count }
}
