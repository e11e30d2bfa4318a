import EventSourcing
import WireFormat

/// `pin.set`: the user chose an app PIN, of which only what rules ask is kept.
public struct PINSet: EventPayload {
  /// What the PIN is like.
  public var facts: PINFacts

  /// Creates the event.
  public init(facts: PINFacts) {
    self.facts = facts
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    165, "pin.set",
    body: MessageDescriptor(
      "PINSet",
      [
        FieldDescriptor(1, "facts", .message(PINFacts.descriptor), .single, "what the PIN is like")
      ]),
    meaning: "The user chose an app PIN, of which only what rules ask is kept.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1) { facts.encode(into: &$0) }
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var facts: PINFacts?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: facts = try reader.message(field) { (inner) throws(WireError) in try PINFacts(from: &inner) }
      default: try reader.skip(field)
      }
    }
    self.init(facts: try reader.require(facts, field: 1))
  }
}
