import EventSourcing

/// A name with a text: `keyValuePair` in Graph.
public struct PolicyPair: FieldList, Hashable {
  /// What the text belongs to, such as an app or a URL scheme.
  public var name: String
  /// The text; `nil` for none.
  public var value: String?
  /// The type annotation as it came, such as `microsoft.graph.keyValuePair`; most documents have none.
  public var typeName: String?

  /// A name with a text, or without one.
  public init(_ name: String, _ value: String?, typeName: String? = nil) {
    self.name = name
    self.value = value
    self.typeName = typeName
  }

  /// Whether no output shows the text of a setting that is an organization's own: its name, or one in it, is that of a secret.
  package var isSecret: Bool { Privacy.isSecret(value ?? "", named: name) }

  /// The value that decoding starts from.
  public static var blank: Self { Self("", nil) }

  public static func visit<V: FieldVisitor>(_ pair: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "name", &pair.name, "The name")
    try field(2, "value", &pair.value, "The text")
    try field(3, "typeName", &pair.typeName, "The type annotation as it came")
  }
}
