/// Writes JSON piece by piece, for output that is generated as it is computed: JSON Lines records, long arrays.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object {
///   $0.member("seq", 42)
///   $0.member("paths") { $0.array { $0.write("/accounts/a1") } }
/// }
/// writer.text  // {"seq":42,"paths":["/accounts/a1"]}
/// ```
///
/// The same calls produce the same bytes. Writing a value without a name inside an object, a name outside an object, or
/// a name without a value is a caller's bug and stops the program.
public struct JSONWriter: Sendable {
  /// The layout of the text.
  public enum Style: Equatable, Sendable {
    /// One line without spaces.
    case compact
    /// Each member and element on a separate line, indented by two spaces per level; no line break at the end.
    case pretty
  }

  private enum Container: Equatable { case object, array }

  /// Everything written so far, as UTF-8.
  public private(set) var bytes: [UInt8] = []
  private let style: Style
  private var open: [Container] = []
  /// Whether the innermost container has any contents.
  private var hasContent = false
  private var nameIsPending = false

  /// Starts empty.
  public init(style: Style = .compact) {
    self.style = style
  }

  /// Everything written so far, as a string.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Discards everything written but keeps the storage, so that one writer serves many records.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    open.removeAll()
    hasContent = false
    nameIsPending = false
  }

  /// Writes an object; `body` writes its members.
  public mutating func object<Failure: Error>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    try container(.object, "{", "}", body)
  }

  /// Writes an array; `body` writes its elements.
  public mutating func array<Failure: Error>(_ body: (inout JSONWriter) throws(Failure) -> Void) throws(Failure) {
    try container(.array, "[", "]", body)
  }

  /// Writes a member; `body` must write exactly one value.
  public mutating func member<Failure: Error>(
    _ name: String, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(open.last == .object && !nameIsPending, "a member's name is outside an object")
    separate()
    JSONEscaping.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    if style == .pretty { bytes.append(0x20) }
    nameIsPending = true
    try body(&self)
    precondition(!nameIsPending, "a member has no value")
  }

  /// Writes a member with text.
  public mutating func member(_ name: String, _ text: String) { member(name) { $0.write(text) } }

  /// Writes a member with a whole number.
  public mutating func member(_ name: String, _ value: some BinaryInteger) { member(name) { $0.write(value) } }

  /// Writes a member with a truth value.
  public mutating func member(_ name: String, _ flag: Bool) { member(name) { $0.write(flag) } }

  /// Writes a member with any value.
  public mutating func member(_ name: String, _ value: JSONValue) { member(name) { $0.write(value) } }

  /// Writes text.
  public mutating func write(_ text: String) {
    begin()
    JSONEscaping.append(text, to: &bytes)
  }

  /// Writes a whole number.
  public mutating func write(_ value: some BinaryInteger) { literal(String(value)) }

  /// Writes a truth value.
  public mutating func write(_ flag: Bool) { literal(flag ? "true" : "false") }

  /// Writes `null`.
  public mutating func writeNull() { literal("null") }

  /// Writes any value.
  public mutating func write(_ value: JSONValue) {
    switch value.content {
    case .object(let object):
      self.object { writer in for member in object.members { writer.member(member.name, member.value) } }
    case .array(let elements):
      array { writer in for element in elements { writer.write(element) } }
    case .string(let text): write(text)
    case .number(let number): literal(number.text)
    case .bool(let flag): write(flag)
    case .null: writeNull()
    }
  }

  private mutating func literal(_ text: String) {
    begin()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func container<Failure: Error>(
    _ kind: Container, _ opening: Character, _ closing: Character, _ body: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    begin()
    bytes.append(contentsOf: String(opening).utf8)
    open.append(kind)
    hasContent = false
    try body(&self)
    open.removeLast()
    if hasContent { breakLine() }
    bytes.append(contentsOf: String(closing).utf8)
    hasContent = true
  }

  /// Writes what must precede a value.
  private mutating func begin() {
    if nameIsPending {
      nameIsPending = false
      return
    }
    precondition(open.last != .object, "a value inside an object has no name")
    if !open.isEmpty { separate() }
  }

  /// Writes what separates a member or element from the one before.
  private mutating func separate() {
    if hasContent { bytes.append(UInt8(ascii: ",")) }
    breakLine()
    hasContent = true
  }

  private mutating func breakLine() {
    guard style == .pretty else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
  }
}

extension JSONValue {
  /// The value as JSON text in the given layout.
  public func text(style: JSONWriter.Style) -> String {
    var writer = JSONWriter(style: style)
    writer.write(self)
    return writer.text
  }
}
