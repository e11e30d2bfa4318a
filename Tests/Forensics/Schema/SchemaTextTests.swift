import EventSourcing
import Expectations
import Forensics
import Testing

@Suite("The schema of payloads")
struct SchemaTextTests {
  private static func event(_ number: UInt32, _ name: String, _ body: String, _ members: String...) -> EventDescriptor {
    let names = members.enumerated().map { (UInt64($0.offset), $0.element) }
    let state = EnumerationDescriptor("State", names)
    return EventDescriptor(
      number, name,
      body: MessageDescriptor(body, [FieldDescriptor(1, "state", .enumeration(state), .single, "its state")]),
      meaning: "Something changed.")
  }

  @Test("Two enumerations of one short name are two, each with its own members, and equal ones are one")
  func names() {
    let catalog = EventCatalog([
      Self.event(1, "door.moved", "DoorMoved", "closed", "open"),
      Self.event(2, "lamp.turned", "LampTurned", "off", "on"),
      Self.event(3, "lamp.replaced", "LampReplaced", "off", "on"),
      Self.event(4, "gate.moved", "GateMoved", "closed", "open"),
    ])
    let lines = SchemaText(catalog, package: "house").text.split(separator: "\n").map(String.init)
    expectEqual(
      lines.filter { $0.hasPrefix("enum ") && $0.contains("State") },
      ["enum State {", "enum LampTurnedState {"])
    expectEqual(
      lines.filter { $0.contains(" state = 1;") },
      ["  State state = 1;", "  LampTurnedState state = 1;", "  LampTurnedState state = 1;", "  State state = 1;"])
    #expect(lines.contains("  LAMP_TURNED_STATE_ON = 1;") && lines.contains("  STATE_OPEN = 1;"))
    expectEqual(Set(lines.filter { $0.hasPrefix("enum ") }).count, lines.count { $0.hasPrefix("enum ") })
  }
}
