import EventSourcing
import JSON
import WireFormat

/// Prints messages of one kind directly from the wire, in one pass: names and enumerations are ready as bytes.
///
/// It prints what writers write: every field known, in the order of its number, of its declared type.
/// ``/EventSourcing/MessageFields`` reads all other bytes, and what is printed here is what ``ValueText`` and
/// ``ValueJSON`` make of it. Printing fails where they have to be asked.
public final class MessagePrinter: Sendable {
  /// The fields in the order of their numbers.
  let fields: [Field]
  /// The number of the text that names what stands beside it, which may be a secret by its name; `nil` if there is none.
  let naming: Int?
  /// The same fields as far as the accounts in them are concerned.
  let accountFields: [AccountField]
  /// Whether any value is the number of an account, however deep it is.
  let namesAccounts: Bool
  /// Whether a field has a refinement, which only ``/EventSourcing/MessageFields`` reads.
  let isRefined: Bool

  /// A field that may name accounts. It owns nothing, so that going through the fields counts no references.
  struct AccountField: Sendable {
    let number: Int
    let isRepeated: Bool
    /// Whether its value is the number of an account.
    let isAccount: Bool
    /// Its place among the fields if it is a message that may name accounts.
    let message: Int?
  }

  /// A field and its printed names.
  final class Field: Sendable {
    let number: Int
    let name: [UInt8]
    /// The name as a member of JSON: in quotation marks, with a colon.
    let jsonName: [UInt8]
    let kind: Kind
    let privacy: Privacy
    let isRepeated: Bool
    /// What absence means in text; `nil` where absence is no answer.
    let standard: [UInt8]?
    /// Whether this names the account that a line has a column for.
    let isAccount: Bool

    init(_ field: FieldDescriptor) {
      number = field.number
      name = Array(field.name.utf8)
      jsonName = MessagePrinter.json(field.name) + [UInt8(ascii: ":")]
      kind = Kind(field.type)
      privacy = field.privacy
      isRepeated = field.cardinality == .repeated
      standard = field.cardinality == .single ? kind.standard : nil
      isAccount = field.name == "account"
    }
  }

  /// What a field holds.
  enum Kind: Sendable {
    case bool, unsigned, signed, string, json, bytes, guid, time, duration, sequence
    case reference(ReferenceDescriptor, isAccount: Bool)
    case enumeration(Names)
    case message(MessagePrinter)
  }

  /// The names of an enumeration.
  final class Names: Sendable {
    fileprivate let descriptor: EnumerationDescriptor
    /// The names of the numbers from 0, as text and as JSON, while there are no gaps. Only the first ones: a journal's
    /// catalogue may have thousands of fields of an enumeration with thousands of members.
    private let near: [(text: [UInt8], json: [UInt8])]

    init(_ descriptor: EnumerationDescriptor) {
      self.descriptor = descriptor
      let members = descriptor.members.prefix(32).enumerated().prefix { $0.element.number == UInt64($0.offset) }
      near = members.map { (Array($0.element.name.utf8), MessagePrinter.json($0.element.name)) }
    }

    func appendText(_ number: UInt64, to bytes: inout [UInt8]) {
      guard number >= UInt64(near.count) else { return bytes.append(contentsOf: near[Int(number)].text) }
      if let name = descriptor.name(of: number) { bytes.append(name) } else { bytes.append(number) }
    }

    func appendJSON(_ number: UInt64, to bytes: inout [UInt8]) {
      guard number >= UInt64(near.count) else { return bytes.append(contentsOf: near[Int(number)].json) }
      JSONEscaping.append(descriptor.name(of: number) ?? String(number), to: &bytes)
    }
  }

  /// A printer for messages of this description.
  public init(_ descriptor: MessageDescriptor) {
    fields = descriptor.fields.map(Field.init)
    naming = descriptor.namingField
    isRefined = descriptor.fields.contains { $0.refinement != nil }
    accountFields = fields.enumerated().map { place, field in
      switch field.kind {
      case .reference(_, let isAccount):
        AccountField(number: field.number, isRepeated: field.isRepeated, isAccount: isAccount, message: nil)
      case .message(let printer):
        AccountField(
          number: field.number, isRepeated: field.isRepeated, isAccount: false,
          message: printer.namesAccounts ? place : nil)
      case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .sequence, .enumeration:
        AccountField(number: field.number, isRepeated: field.isRepeated, isAccount: false, message: nil)
      }
    }
    namesAccounts = fields.contains { field in
      switch field.kind {
      case .reference(_, let isAccount): isAccount
      case .message(let printer): printer.namesAccounts
      case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .sequence, .enumeration: false
      }
    }
  }

  private static func json(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    JSONEscaping.append(text, to: &bytes)
    return bytes
  }

  /// The class of a text in a field of a class.
  ///
  /// - Parameter name: What the message's field ``naming`` says; `nil` if it did not come.
  func privacy(
    of text: String, _ found: WireReader.Field, in field: Field, _ privacy: Privacy, named name: String?
  ) throws(WireError) -> Privacy {
    guard !field.isRepeated else { return privacy }
    if privacy == .account, let naming, field.number != naming {
      guard field.number > naming else { throw Self.irregular(found) }
      if let name, Privacy.isSecret(text, named: name) { return .secret }
    }
    return privacy.ofValue(text)
  }

  /// Refuses a message with refined fields.
  func checkIsPlain(_ reader: WireReader) throws(WireError) {
    if isRefined { throw WireError(.truncated, at: reader.offset) }
  }

  /// What a field says of those beside it, before it is read; `nil` where it names none.
  func name(_ found: WireReader.Field, _ reader: WireReader) -> String? {
    found.number == naming ? String(decoding: reader.peekBytes(found), as: UTF8.self) : nil
  }

  /// What no field of the description is: only ``/EventSourcing/MessageFields`` says what it is.
  static func irregular(_ field: WireReader.Field) -> WireError { WireError(.truncated, at: field.offset) }
}

extension MessagePrinter.Kind {
  init(_ type: FieldType) {
    self =
      switch type {
      case .bool: .bool
      case .unsigned: .unsigned
      case .signed: .signed
      case .string: .string
      case .json: .json
      case .bytes: .bytes
      case .guid: .guid
      case .time: .time
      case .duration: .duration
      case .sequence: .sequence
      case .reference(let kind): .reference(kind, isAccount: kind == EventAccounts.kind)
      case .enumeration(let names): .enumeration(MessagePrinter.Names(names))
      case .message(let descriptor): .message(MessagePrinter(descriptor))
      }
  }

  /// What ``MessageFields/withDefaults(of:)`` puts in place of an absent field.
  fileprivate var standard: [UInt8]? {
    switch self {
    case .bool: return Array("false".utf8)
    case .unsigned, .signed: return Array("0".utf8)
    case .enumeration(let names):
      guard names.hasDefault else { return nil }
      var bytes: [UInt8] = []
      names.appendText(0, to: &bytes)
      return bytes
    case .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence, .message: return nil
    }
  }
}

extension MessagePrinter.Names {
  fileprivate var hasDefault: Bool { descriptor.name(of: 0) != nil }
}
