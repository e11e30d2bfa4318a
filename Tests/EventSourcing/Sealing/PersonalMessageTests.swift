import Expectations
import Testing
import WireFormat

@testable import EventSourcing

/// A letter whose sender is written as the fields of a form.
private struct Letter: FieldList, Equatable {
  var sender = Sender(name: "")
  var copies: [Sender] = []
  var readers: [Personal<String>] = []

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ letter: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "sender", &letter.sender)
    try field(2, "copies", &letter.copies)
    try field(3, "readers", &letter.readers, privacy: .account)
  }
}

private struct Sender: FormedMessage, Equatable {
  struct Form: FieldList {
    @Personal var name = ""

    static var blank: Self { Self() }

    static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
      try field(1, "name", &form.$name, privacy: .account)
    }
  }

  @Personal var name: String

  init(name: String) { self.name = name }

  init(_ form: Form) { _name = form.$name }

  var form: Form {
    var form = Form()
    form.$name = $name
    return form
  }
}

private struct Notice: FieldList {
  @Personal var text = ""

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ notice: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "text", &notice.$text, privacy: .public)
  }
}

@Suite("Personal data in parts of a message")
struct PersonalMessageTests {
  private func encoded(_ letter: Letter) -> [UInt8] {
    var writer = WireWriter()
    letter.encode(into: &writer)
    return writer.bytes
  }

  private func decoded(_ bytes: [UInt8]) throws -> Letter {
    try WireReader.decode(bytes) { (reader) throws(WireError) in try Letter(from: &reader) }
  }

  @Test("Personal data in a form is sealed, and opened again")
  func forms() throws {
    let keys = TestKeys()
    let plain = Letter(sender: Sender(name: "Ada"), copies: [Sender(name: "Bob"), Sender(name: "")])
    var letter = plain
    var pass = PersonalPass(sealing: keys.sealing, domain: "post", account: 3)
    try letter.passPersonal(to: &pass)
    expectEqual(pass.sealedCount, 2)
    let bytes = encoded(letter)
    for name in ["Ada", "Bob"] { #expect(!String(decoding: bytes, as: UTF8.self).contains(name)) }
    var read = try decoded(bytes)
    #expect(read == letter && read.sender.name.isEmpty)
    var opening = PersonalPass(opening: keys.sealing, domain: "post", account: 3)
    try read.passPersonal(to: &opening)
    #expect(read.sender.name == "Ada" && read.copies.map(\.name) == ["Bob", ""])
  }

  @Test("Personal data is not written plainly where an event names no account to seal it for")
  func withoutAccount() throws {
    let keys = TestKeys()
    var pass = PersonalPass(sealing: keys.sealing, domain: "post", account: 0)
    var letter = Letter(readers: [Personal(wrappedValue: "")])
    try letter.passPersonal(to: &pass)
    letter.readers.append(Personal(wrappedValue: "Ada"))
    #expect(throws: SealingError.withoutAccount) { try letter.passPersonal(to: &pass) }
  }

  @Test("A list of personal values keeps its empty elements")
  func emptyElements() throws {
    let letter = Letter(readers: ["a", "", "b", ""].map { Personal(wrappedValue: $0) })
    let read = try decoded(encoded(letter))
    #expect(read == letter && read.readers.map(\.wrappedValue) == ["a", "", "b", ""])
    expectEqual(encoded(Letter()), encoded(Letter(sender: Sender(name: ""))))
  }

  /// The mistakes of a domain with one event of these fields.
  private func mistakes(_ body: MessageDescriptor) -> [String] {
    EventCatalog([EventDescriptor(1, "a.b", body: body, meaning: "")]).mistakes.map(\.description)
  }

  @Test("A field of personal data that is public is a mistake of the domain")
  func publicField() {
    expectEqual(mistakes(Notice.descriptor), ["in a.b, field 1, text, is personal and public"])
  }

  @Test("A reference that is called like a type is a mistake of the domain, and is refused in a catalogue")
  func referenceNames() throws {
    let field = FieldDescriptor(1, "owner", .reference(ReferenceDescriptor("string", prefix: "s")), .single, "")
    let part = FieldDescriptor(7, "part", .message(MessageDescriptor("Part", [field])), .single, "")
    expectEqual(
      mistakes(MessageDescriptor("Body", [part])),
      ["in a.b, in part, field 1, owner, refers to a kind of thing that is called like the type string"])
    for (name, isRefused) in [("thing", false), ("string", true), ("sequence", true)] {
      var form = CatalogForm()
      var field = FieldForm()
      (field.number, field.name, field.type) = (1, "field", FieldType.Kind.reference.rawValue)
      (field.reference, field.prefix) = (name, "t")
      form.messages = [MessageForm(name: "Body", fields: [field])]
      form.events = [EventForm(number: 1, name: "a.b", version: 1, unknownReaders: 0, body: 1)]
      var writer = WireWriter()
      form.encode(into: &writer)
      let error = (isRefused ? CatalogError.name(name) : nil)
      if let error {
        #expect(throws: error) { try EventCatalog(decoding: writer.bytes) }
      } else {
        try expectEqual(EventCatalog(decoding: writer.bytes).entries.count, 1)
      }
    }
  }

  @Test("Fields are found in a catalogue that describes very many, where a search of all of them would take minutes")
  func manyFields() throws {
    let count = 200_000
    let descriptor = MessageDescriptor(
      "Many", (1...count).map { FieldDescriptor($0, "f\($0)", .unsigned, .single, "") })
    var last = WireWriter()
    for _ in 0..<count { last.write(count, unsigned: 1) }
    expectEqual(MessageFields(last.bytes, as: descriptor).fields.map(\.number), [count])
    let misfit = last.bytes.withUnsafeBytes { descriptor.misfit($0) }
    #expect(misfit == nil)
    var all = WireWriter()
    for number in stride(from: 2, through: count, by: 2) { all.write(number, unsigned: 1) }
    all.write(count + 1, unsigned: 1)
    let fields = MessageFields(all.bytes, as: descriptor).withDefaults(of: descriptor).fields
    expectEqual(fields.map(\.number), Array(1...(count + 1)))
    #expect(descriptor.field(numbered: 0) == nil && descriptor.field(numbered: count + 1) == nil)
  }
}
