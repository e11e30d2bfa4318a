import EventSourcing
import WireFormat

/// `identity.scopeClosed`: a window or a thread is gone, and its identity with it.
public struct IdentityScopeClosed: EventPayload {
  /// The process, the window or the thread.
  public var scope: IdentityScope

  /// Creates the event.
  public init(scope: IdentityScope) {
    self.scope = scope
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    104, "identity.scopeClosed",
    body: MessageDescriptor(
      "IdentityScopeClosed",
      [
        FieldDescriptor(
          1, "scope", .message(IdentityScope.descriptor), .single,
          "the process, the window or the thread")
      ]),
    meaning: "A window or a thread is gone, and its identity with it.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { scope.encode(into: &$0) }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var scope: IdentityScope?
    while let field = try reader.nextField() {
      switch field.number {
      case 1:
        scope = try reader.message(field) { (inner) throws(WireError) in
          try IdentityScope(from: &inner)
        }
      default: try reader.skip(field)
      }
    }
    self.init(
      scope: try reader.require(scope, field: 1))
  }
}
