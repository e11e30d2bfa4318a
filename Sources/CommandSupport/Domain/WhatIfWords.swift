import EventSourcing
import Forensics
import WireFormat

/// What is said of decisions that rest on state that differs.
struct WhatIfWords<Domain: RedecidingDomain> {
  private let values: ValueText

  init(_ values: ValueText) {
    self.values = values
  }

  /// The name of an event's type.
  static func type(of event: Domain.Event) -> String {
    Domain.Event.catalog[event.type]?.name ?? "type \(event.type)"
  }

  /// What would be otherwise, and how that is known.
  func sentence(_ affected: AffectedDecision<Domain>) -> String {
    let effect = affected.hasNoEffect ? "; as recorded, it changes nothing now" : ""
    switch affected.basis {
    case .redecided(.refused(let rule, let reason)): return "would be refused: \(reason) (\(rule))" + effect
    case .redecided(.events(let events)): return decided(events, instead: affected.recorded) + effect
    case .refolded:
      return affected.hasNoEffect
        ? "changes nothing now; whether it would have happened is unknown"
        : "changes the state otherwise; whether it would have happened is unknown"
    case .possible(let path): return "may have rested on \(path), which differs"
    case .orphaned(let cause):
      return "its cause, event \(cause), did not happen as recorded; whether it would have happened is unknown" + effect
    }
  }

  private func decided(_ events: [Domain.Event], instead recorded: [Domain.Event]) -> String {
    guard !events.isEmpty else { return "would not have happened: the rules find nothing to do" }
    guard events.map(\.type) == recorded.map(\.type) else {
      return "would lead to \(list(events)) instead of \(list(recorded))"
    }
    for (event, was) in zip(events, recorded) where event != was {
      let differences = differences(was, event)
      return "would be otherwise: " + (differences.isEmpty ? Self.type(of: event) : differences.joined(separator: ", "))
    }
    return "would be otherwise"
  }

  /// The types of events, with how many there are of each.
  private func list(_ events: [Domain.Event]) -> String {
    var counts: [(name: String, count: Int)] = []
    for name in events.map(Self.type) {
      if let index = counts.firstIndex(where: { $0.name == name }) {
        counts[index].count += 1
      } else {
        counts.append((name, 1))
      }
    }
    return counts.map { $0.count == 1 ? $0.name : "\($0.count) × \($0.name)" }.joined(separator: ", ")
  }

  /// The fields that differ between two events of one type.
  private func differences(_ one: Domain.Event, _ other: Domain.Event) -> [String] {
    let (before, after) = (fields(one), fields(other))
    var names = before.map(\.name)
    names += after.map(\.name).filter { !names.contains($0) }
    return names.compactMap { name in
      let texts = [before, after].map { fields in fields.first { $0.name == name }?.text ?? "unset" }
      return texts[0] == texts[1] ? nil : "\(name): \(texts[0]) → \(texts[1])"
    }
  }

  private func fields(_ event: Domain.Event) -> [(name: String, text: String)] {
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    let descriptor = Domain.Event.catalog[event.type]?.body
    return values.fields(MessageFields(writer.bytes, as: descriptor).withDefaults(of: descriptor))
  }
}
