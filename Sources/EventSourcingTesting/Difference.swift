import EventSourcing
import Forensics
import WireFormat

/// The lines of an ``ExpectationFailure``.
enum Difference {
  /// Events side by side, by their positions. Those that are equal show their types only.
  static func lines<Event: JournaledEvent>(
    expected: [Event], received: [Event], from first: UInt64
  ) -> [String] {
    (0..<max(expected.count, received.count)).flatMap { index -> [String] in
      let sequence = first + UInt64(index)
      guard index < expected.count else { return lines(of: [received[index]], from: sequence, "+ ") }
      guard index < received.count else { return lines(of: [expected[index]], from: sequence, "− ") }
      return lines(expected[index], received[index], sequence)
    }
  }

  private static func lines<Event: JournaledEvent>(
    _ expected: Event, _ received: Event, _ sequence: UInt64
  ) -> [String] {
    let (old, new) = (EventText(expected), EventText(received))
    guard old.type == new.type else {
      return lines(of: [expected], from: sequence, "− ") + lines(of: [received], from: sequence, "+ ")
    }
    let title = "  event \(sequence), \(new.type)"
    guard expected != received else { return [title] }
    // Fields of both are in the order of their numbers.
    let names = old.fields.map(\.name) + new.fields.map(\.name).filter { old[$0] == nil }
    let fields = names.flatMap { name -> [String] in
      let texts = (old[name], new[name])
      if let text = texts.0, text == texts.1 { return ["    \(name): \(text)"] }
      return [texts.0.map { "−   \(name): \($0)" }, texts.1.map { "+   \(name): \($0)" }].compactMap(\.self)
    }
    guard old.fields.map(\.text) != new.fields.map(\.text) || old.fields.map(\.name) != new.fields.map(\.name) else {
      return [title] + unlisted(expected, received)
    }
    return [title] + fields
  }

  /// Events that stand on one side only, with all their fields.
  static func lines<Event: JournaledEvent>(of events: [Event], from first: UInt64, _ sign: String) -> [String] {
    events.enumerated().flatMap { index, event -> [String] in
      let text = EventText(event)
      return ["\(sign)event \(first + UInt64(index)), \(text.type)"]
        + text.fields.map { "\(sign)  \($0.name): \($0.text)" }
    }
  }

  /// A refusal that stands on one side only.
  static func lines(of rejection: some CustomStringConvertible, _ sign: String) -> [String] {
    ["\(sign)refused: \(rejection.description)"]
  }

  /// Two refusals, which differ.
  static func lines<Rejection: CustomStringConvertible>(expected: Rejection, received: Rejection) -> [String] {
    guard expected.description == received.description else {
      return lines(of: expected, "− ") + lines(of: received, "+ ")
    }
    return ["  refused: \(received.description)"] + parts(of: expected, received)
  }

  /// The values in which two states differ, by their paths.
  static func lines<State: MachineState>(expected: State, received: State) -> [String] {
    let values = ValueText(.revealing)
    let lines = StateDiffer().changes(from: expected, to: received).changes.flatMap { change in
      [
        "− \(change.path): \(values.text(change.before))",
        "+ \(change.path): \(values.text(change.after))",
      ]
    }
    return lines.isEmpty ? unlisted(expected, received) : lines
  }

  /// What differs where the lists of fields show no difference.
  private static func unlisted<Value>(_ expected: Value, _ received: Value) -> [String] {
    ["  all listed fields are equal: a property that the list lacks differs, which a journal would lose"]
      + parts(of: expected, received)
  }

  /// Two values with their stored parts, whatever they say of themselves.
  private static func parts<Value>(of expected: Value, _ received: Value) -> [String] {
    let (old, new) = (parts(of: expected), parts(of: received))
    guard old.count == new.count else { return old.map { "− \($0)" } + new.map { "+ \($0)" } }
    return zip(old, new).flatMap { (one, other) -> [String] in
      one == other ? ["  \(one)"] : ["− \(one)", "+ \(other)"]
    }
  }

  private static func parts<Value>(of value: Value) -> [Substring] {
    var text = ""
    dump(value, to: &text, maxItems: 100)
    return text.split(separator: "\n")
  }
}

/// An event's type and fields, as a log shows them to a reader who may see everything.
private struct EventText {
  let type: String
  let fields: [(name: String, text: String)]

  init<Event: JournaledEvent>(_ event: Event) {
    let descriptor = Event.catalog[event.type]
    type = descriptor?.name ?? "type \(event.type)"
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    fields = ValueText(.revealing).fields(
      MessageFields(writer.bytes, as: descriptor?.body).withDefaults(of: descriptor?.body))
  }

  subscript(name: String) -> String? { fields.first { $0.name == name }?.text }
}
