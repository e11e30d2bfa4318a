import GraphDocuments
import JSON
import PlainText

/// Reads the configurations that Microsoft365DSC exports as PowerShell. Nothing is executed: only blocks of properties are
/// read, with texts, numbers, `$True`, `$False`, `$Null`, lists and embedded instances as their values; any other value is
/// unknown, and what is no property refuses its resource, with its place.
struct DesiredStateReader {
  /// What was found.
  struct Contents {
    /// The resources that can be documents, in the order of the text.
    var resources: [DesiredStateResource] = []
    /// The resources that were not read, and why.
    var refusals: [PolicyDocumentError] = []
  }

  private var lexer: DesiredStateLexer
  private var token = DesiredStateLexer.Token.lineBreak
  private var depth = 0
  private static let deepest = 64

  /// Reads a configuration.
  ///
  /// - Throws: ``/GraphDocuments/PolicyDocumentError`` if the text is not a configuration with a block `Node`.
  static func read(_ text: ExportText) throws(PolicyDocumentError) -> Contents {
    var reader = DesiredStateReader(text)
    return try reader.configuration()
  }

  /// Whether a text contains a configuration, rather than a script of another kind.
  static func recognizes(_ text: ExportText) -> Bool {
    var reader = DesiredStateReader(text)
    return reader.findConfiguration()
  }

  private init(_ text: ExportText) {
    lexer = DesiredStateLexer(text)
  }

  private mutating func advance() { token = lexer.next() }

  private mutating func skipLineBreaks() {
    while token == .lineBreak || token == .symbol(";") { advance() }
  }

  private func isWord(_ name: String) -> Bool {
    if case .word(let word) = token { word.lowercased() == name } else { false }
  }

  /// Moves after the opening brace of `Configuration NAME {`.
  private mutating func findConfiguration() -> Bool {
    while token != .end {
      guard isWord("configuration") else {
        advance()
        continue
      }
      advance()
      guard case .word = token else { continue }
      advance()
      skipLineBreaks()
      guard token == .symbol("{") else { continue }
      advance()
      return true
    }
    return false
  }

  private mutating func configuration() throws(PolicyDocumentError) -> Contents {
    guard findConfiguration() else {
      throw error("the text has no block Configuration", "export it with Microsoft365DSC, or give the policies as JSON")
    }
    // What precedes a node gets credentials and is of no interest.
    var contents: Contents?
    while token != .end {
      guard isWord("node") else {
        advance()
        continue
      }
      while token != .end, token != .symbol("{") { advance() }
      advance()
      try resources(into: &contents)
    }
    guard let contents else {
      throw error("the configuration has no block Node", "export it with Microsoft365DSC again")
    }
    return contents
  }

  /// Passes over a block in braces or parentheses that begins here, with everything in it.
  private mutating func skipBlock() -> Bool {
    guard isOpening else { return false }
    var open = 0
    repeat {
      if isOpening { open += 1 }
      if token == .symbol("}") || token == .symbol(")") { open -= 1 }
      advance()
    } while open > 0 && token != .end
    return true
  }

  private var isOpening: Bool {
    switch token {
    case .symbol("{"), .symbol("("), .opening: true
    case .word, .text, .variable, .number, .symbol, .lineBreak, .end: false
    }
  }

  private mutating func resources(into found: inout Contents?) throws(PolicyDocumentError) {
    var contents = found ?? Contents()
    defer { found = contents }
    while true {
      skipLineBreaks()
      if token == .symbol("}") { return }
      guard token != .end else {
        throw error("the text ends inside the block Node", "export it again")
      }
      let start = lexer.start
      if isStatement {
        contents.refusals.append(Self.statement(at: lexer.text.position(of: start)))
        skipStatement()
        continue
      }
      guard let (type, name) = heading() else {
        contents.refusals.append(
          lexer.text.error(
            .desiredState, at: start, "this is not a resource of a configuration",
            remedy: "keep only blocks of resources in Node"))
        while token != .end, token != .symbol("}"), token != .lineBreak { if !skipBlock() { advance() } }
        continue
      }
      guard DesiredStateResource.isKnown(type) else {
        contents.refusals.append(Self.foreign(type, at: lexer.text.position(of: start)))
        _ = skipBlock()
        continue
      }
      // Where the block is malformed, what follows it can still be read.
      var after = self
      _ = after.skipBlock()
      do throws(PolicyDocumentError) {
        advance()
        let members = try members()
        contents.resources.append(
          DesiredStateResource(type: type, name: name, members: members, position: lexer.text.position(of: start)))
      } catch {
        contents.refusals.append(error)
        self = after
      }
    }
  }

  private static let statements: Set<String> = [
    "foreach", "for", "while", "do", "if", "switch", "try", "function", "filter",
  ]

  /// Whether what begins here makes resources only when it runs: a loop, a condition, an assignment, or a pipeline.
  private var isStatement: Bool {
    switch token {
    case .variable, .opening: true
    case .word(let word): Self.statements.contains(word.lowercased())
    case .text, .number, .symbol, .lineBreak, .end: false
    }
  }

  /// Names what a run of the script would do.
  private static func statement(at position: JSONPosition) -> PolicyDocumentError {
    PolicyDocumentError(
      .statement, at: position, path: JSONPath(),
      message: "this makes resources only when the script runs, and nothing is executed",
      remedy: "write the resources themselves, or export the tenant with Microsoft365DSC")
  }

  /// Passes over a statement: up to its last block, or else to the end of its line.
  private mutating func skipStatement() {
    while token != .end, token != .symbol("}") {
      let isBlock = token == .symbol("{")
      let isHead = token == .symbol("(")
      let goesOn = token == .symbol("|")
      if !skipBlock() {
        if token == .lineBreak || token == .symbol(";") { return }
        advance()
      }
      if goesOn { skipLineBreaks() }
      var after = self
      after.skipLineBreaks()
      if isBlock {
        guard ["else", "elseif", "catch", "finally", "while", "until"].contains(where: after.isWord) else { return }
        self = after
      } else if isHead, after.token == .symbol("{") {
        self = after
      }
    }
  }

  /// `TYPE "NAME"` before a brace, which is then the token; `nil` for anything else.
  private mutating func heading() -> (type: String, name: String)? {
    guard case .word(let type) = token else { return nil }
    advance()
    let name: String
    switch token {
    case .word(let text), .text(let text?): name = text
    case .text(nil), .variable: name = ""
    case .number, .opening, .symbol, .lineBreak, .end: return nil
    }
    advance()
    skipLineBreaks()
    return token == .symbol("{") ? (type, name) : nil
  }

  /// Names a resource that holds no document of app management.
  static func foreign(_ type: String, at position: JSONPosition) -> PolicyDocumentError {
    var error = PolicyDocumentError(
      .foreignType, at: position, path: JSONPath(),
      message: "\(JSONExcerpt.plain(type)) is not a resource of app protection",
      remedy: "nothing is to be done if it is not expected here")
    error.foreignKind = .type(JSONExcerpt.plain(type))
    error.foreignType = JSONExcerpt.plain(type)
    return error
  }

  /// The properties up to the closing brace, which is passed over.
  private mutating func members() throws(PolicyDocumentError) -> [JSONObject.Member] {
    var members: [JSONObject.Member] = []
    var names: Set<String> = []
    while true {
      skipLineBreaks()
      if token == .symbol("}") {
        advance()
        return members
      }
      guard case .word(let name) = token else {
        throw error("a property is needed here", "write NAME = VALUE")
      }
      let position = lexer.text.position(of: lexer.start)
      guard names.insert(name.lowercased()).inserted else {
        throw error("the property \(name) occurs twice in one block", "remove one of them")
      }
      advance()
      guard token == .symbol("=") else { throw error("= is needed after the property's name", "write NAME = VALUE") }
      advance()
      if DesiredStateResource.isCredential(name) {
        // Whatever is given here is neither read nor shown.
        skipValue()
        continue
      }
      let start = self
      do throws(PolicyDocumentError) {
        let value = try wholeValue(of: name)
        members.append(JSONObject.Member(name, value, at: position))
      } catch {
        // What only a run of the script would say is unknown, and the other properties are read.
        self = start
        skipValue()
        guard token != .end else { throw error }
        members.append(JSONObject.Member(name, RestatedValue.noValue(because: error.message), at: position))
      }
    }
  }

  /// Passes over a property's value.
  private mutating func skipValue() {
    while token != .end, token != .lineBreak, token != .symbol(";"), token != .symbol("}") {
      if !skipBlock() { advance() }
    }
  }

  /// A value that nothing follows.
  private mutating func wholeValue(of name: String) throws(PolicyDocumentError) -> JSONValue {
    let value = try value(of: name)
    switch token {
    case .lineBreak, .symbol(";"), .symbol("}"): return value
    case .word, .text, .variable, .number, .opening, .symbol, .end:
      throw error("something follows the value of \(name)", "write one value, not an expression")
    }
  }

  private mutating func value(of name: String) throws(PolicyDocumentError) -> JSONValue {
    let position = lexer.text.position(of: lexer.start)
    let content: JSONValue.Content
    switch token {
    case .text(let text?): content = .string(text)
    case .number(let number): content = .number(number)
    case .variable(let variable):
      switch variable.lowercased() {
      case "true": content = .bool(true)
      case "false": content = .bool(false)
      case "null": content = .null
      case _:
        throw error("the value of \(name) is a variable, and nothing is executed", "write the value itself")
      }
    case .opening("("): return JSONValue(.array(try list(of: name)), at: position)
    case .word:
      advance()
      skipLineBreaks()
      guard token == .symbol("{") else {
        throw error("the value of \(name) is a word without quotes", "put it into quotes")
      }
      try enter()
      advance()
      let members = try members()
      depth -= 1
      return JSONValue(.object(JSONObject(members)), at: position)
    case .text(nil):
      throw error("the value of \(name) has a variable in it, and nothing is executed", "write the value itself")
    case .opening, .symbol, .lineBreak, .end:
      throw error(
        "the value of \(name) is not a text, a number, $True, $False, $Null, a list or an instance",
        "write the value itself, not an expression")
    }
    advance()
    return JSONValue(content, at: position)
  }

  private mutating func list(of name: String) throws(PolicyDocumentError) -> [JSONValue] {
    try enter()
    advance()
    var elements: [JSONValue] = []
    while true {
      while token == .lineBreak || token == .symbol(",") || token == .symbol(";") { advance() }
      if token == .symbol(")") { break }
      elements.append(try value(of: name))
      switch token {
      case .lineBreak, .symbol(","), .symbol(";"), .symbol(")"): break
      case .word, .text, .variable, .number, .opening, .symbol, .end:
        throw error("the elements of \(name) are not separated by commas or lines", "write @(\"one\", \"two\")")
      }
    }
    advance()
    depth -= 1
    return elements
  }

  private mutating func enter() throws(PolicyDocumentError) {
    depth += 1
    guard depth <= Self.deepest else {
      throw error("values are nested deeper than \(Self.deepest) levels", "export it again")
    }
  }

  private func error(_ message: String, _ remedy: String) -> PolicyDocumentError {
    lexer.text.error(.desiredState, at: lexer.start, message, remedy: remedy)
  }
}
