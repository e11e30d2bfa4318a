import EventSourcing
import WireFormat

/// `identity.switched`: the identity of the process, a window or a thread is another one.
public struct IdentitySwitched: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope
  /// Whose it is from here on.
  public var identity: Identity
  /// Who wanted it.
  public var origin: IdentityChangeOrigin

  /// Creates the event.
  public init(scope: IdentityScope, identity: Identity, origin: IdentityChangeOrigin = .app) {
    self.scope = scope
    self.identity = identity
    self.origin = origin
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    100, "identity.switched",
    body: MessageDescriptor(
      "IdentitySwitched",
      [
        FieldDescriptor(
          1, "scope", .message(IdentityScope.descriptor), .single,
          "the process, the window or the thread"),
        FieldDescriptor(2, "identity", .message(Identity.descriptor), .single, "whose it is from here on"),
        FieldDescriptor(3, "origin", .enumeration(IdentityChangeOrigin.descriptor), .single, "who wanted it"),
      ]),
    meaning: "The identity of the process, a window or a thread is another one.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { scope.encode(into: &$0) }
    writer.write(2) { identity.encode(into: &$0) }
    writer.write(3, enumeration: origin)
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var scope: IdentityScope?
    var identity: Identity?
    var origin = IdentityChangeOrigin.app
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        scope = try reader.message(field) { (inner) throws(WireError) in
          try IdentityScope(from: &inner)
        }
      case 2:
        identity = try reader.message(field) { (inner) throws(WireError) in
          try Identity(from: &inner)
        }
      case 3: origin = try reader.enumeration(field, as: IdentityChangeOrigin.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      scope: try reader.require(scope, field: 1), identity: try reader.require(identity, field: 2), origin: origin)
  }
}
