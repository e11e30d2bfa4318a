import WireFormat

/// A catalogue as a journal carries it.
///
/// Messages and enumerations stand in tables of their own. A field refers to one by its place in the table, counted from
/// 1, and a message refers only to earlier ones. Equal messages stand there once.
struct CatalogForm: FieldList {
  /// The event types, in ascending order of number.
  var events: [EventForm] = []
  /// The bodies and the messages within them.
  var messages: [MessageForm] = []
  /// The enumerations that fields name.
  var enumerations: [EnumerationForm] = []
  /// The slices of a state.
  var slices: [SliceForm] = []
  /// The revision of the rules; 0 if the program did not state it.
  var revision: UInt64 = 0

  static let blank = CatalogForm()

  static func visit<V: FieldVisitor>(_ catalog: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "events", &catalog.events, "the event types, in ascending order of number")
    try field(2, "messages", &catalog.messages, "bodies and the messages within them; each refers only to earlier ones")
    try field(3, "enumerations", &catalog.enumerations, "the enumerations that fields name")
    try field(4, "slices", &catalog.slices, "the slices of a state, in the order of their digests")
    try field(5, "revision", &catalog.revision, "the revision of the rules that compute the states")
  }
}

/// An event type.
struct EventForm: FieldList {
  var number: UInt64 = 0
  var name = ""
  var version: UInt64 = 1
  var unknownReaders: UInt64 = 0
  var body: UInt64 = 0
  var meaning = ""
  var remedy = ""

  static let blank = EventForm()

  static func visit<V: FieldVisitor>(_ event: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &event.number, "the type's number in envelopes")
    try field(2, "name", &event.name, "two words separated by a dot")
    try field(3, "version", &event.version, "the version of the body's schema that the program writes")
    try field(4, "unknownReaders", &event.unknownReaders, "what a reader that does not know the type must do")
    try field(5, "body", &event.body, "the place of the body among the messages, from 1")
    try field(6, "meaning", &event.meaning, "what the event records")
    try field(7, "remedy", &event.remedy, "what the reader can do about it; empty for nothing")
  }
}

/// A message: an event's body, or a part of one.
struct MessageForm: FieldList {
  var name = ""
  var fields: [FieldForm] = []

  static let blank = MessageForm()

  static func visit<V: FieldVisitor>(_ message: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &message.name, "the message's name in the published schema")
    try field(2, "fields", &message.fields, "the fields, in ascending order of number")
  }
}

/// A field of a message.
struct FieldForm: FieldList {
  var number: UInt64 = 0
  var name = ""
  var type: UInt64 = 0
  var place: UInt64 = 0
  var reference = ""
  var prefix = ""
  var cardinality: UInt64 = 0
  var privacy: UInt64 = 0
  var meaning = ""
  var refinement: UInt64 = 0

  static let blank = FieldForm()

  static func visit<V: FieldVisitor>(_ form: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &form.number, "the field's number on the wire")
    try field(2, "name", &form.name, "the field's name, in lower camel case")
    try field(3, "type", &form.type, "what it holds, as a number of the table of field types")
    try field(4, "place", &form.place, "the place of its message or enumeration in their table, from 1")
    try field(5, "reference", &form.reference, "of a reference: what the thing is called")
    try field(6, "prefix", &form.prefix, "of a reference: what precedes the number in print")
    try field(7, "cardinality", &form.cardinality, "0 once, 1 once or not at all, 2 any number of times")
    try field(8, "privacy", &form.privacy, "0 public, 1 account, 2 secret")
    try field(9, "meaning", &form.meaning, "its meaning in one phrase")
    try field(10, "refinement", &form.refinement, "what the type leaves unsaid; 0 for nothing")
  }
}

/// An enumeration.
struct EnumerationForm: FieldList {
  var name = ""
  var members: [MemberForm] = []

  static let blank = EnumerationForm()

  static func visit<V: FieldVisitor>(_ enumeration: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &enumeration.name, "the enumeration's name in the published schema")
    try field(2, "members", &enumeration.members, "the members, in ascending order of number")
  }
}

/// A member of an enumeration.
struct MemberForm: FieldList {
  var number: UInt64 = 0
  var name = ""

  static let blank = MemberForm()

  static func visit<V: FieldVisitor>(_ member: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &member.number, "the member's number")
    try field(2, "name", &member.name, "the member's name")
  }
}

/// A slice of a state.
struct SliceForm: FieldList {
  var name = ""
  var unknownReaders: UInt64 = 0

  static let blank = SliceForm()

  static func visit<V: FieldVisitor>(_ slice: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &slice.name, "the slice's name")
    try field(2, "unknownReaders", &slice.unknownReaders, "what a reader that does not know the slice must do")
  }
}
