import EventSourcing

/// A member of a policy's JSON that is kept unchanged, so that nothing is lost when the document is written again.
///
/// These are unknown members; annotations such as `@odata.type`; and known members whose JSON holds more than the typed
/// setting can: an enumeration's unknown name, an unknown member of an app.
public struct KeptMember: FieldList, Hashable {
  /// The member's name.
  public var name: String
  /// The value as JSON text in one line: numbers with their digits, members in their order.
  public var json: String

  /// A member as the document has it, with its JSON.
  public init(_ name: String, json: String) {
    self.name = name
    self.json = json
  }

  /// Whether the value may reveal something about a person: any text may, unless Graph documents the member as a flag,
  /// a number, a choice, a version or a name of apps or devices' models, and its value is one.
  public var isPersonal: Bool {
    // OData's statements about the types of a response reveal nothing about a person.
    let isAnnotation = name.hasPrefix("@odata.") || name.hasSuffix("@odata.type")
    guard !isAnnotation, Privacy.canBePersonal(json) else { return false }
    return !(GraphMember.named(name)?.kind?.holds(json) ?? false)
  }

  /// Whether no output shows the value: its name, or one in it, is that of a secret.
  public var isSecret: Bool { Privacy.isSecret(json, named: name) }

  /// The value that decoding starts from.
  public static var blank: Self { Self("", json: "") }

  public static func visit<V: FieldVisitor>(_ member: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &member.name, "The member's name")
    try field(2, "json", &member.json, as: .json, privacy: .account, "The member's value as it came")
  }
}
