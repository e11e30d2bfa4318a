import Journal
import WireFormat

/// A mistake in what a domain says of its events or of its state.
///
/// These lists are code, so only their developer makes one. It is found, in every build, when a journal of the domain is created
/// or opened, and nothing is written.
public struct DomainMistake: Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, with the type and the field that it is wrong in.
  public let description: String

  init(_ description: String) { self.description = description }

  init(in place: String, _ fault: String) { self.init("in \(place), \(fault)") }
}

extension EventCatalog {
  /// What is wrong with the types, their fields and the messages within them; empty for a domain that can be opened.
  public var mistakes: [DomainMistake] { ownMistakes + entries.flatMap { $0.body.mistakes(in: $0.name) } }
}

extension MessageDescriptor {
  /// What is wrong with the fields and the messages within them.
  func mistakes(in place: String) -> [DomainMistake] {
    faults.map { DomainMistake(in: place, $0) }
      + fields.flatMap { field -> [DomainMistake] in
        if case .message(let part) = field.type { return part.mistakes(in: "\(place), in \(field.name)") }
        return field.fault.map { [DomainMistake(in: place, $0)] } ?? []
      }
  }
}

extension FieldDescriptor {
  /// The field in a sentence.
  var place: String { "field \(number), \(name)," }

  /// What is wrong with the field itself, as a clause; `nil` if nothing is.
  fileprivate var fault: String? {
    if !(1...WireReader.maximumFieldNumber).contains(number) {
      return "\(place) has a number outside 1...\(WireReader.maximumFieldNumber)"
    }
    if case .reference(let kind) = type, FieldType.isScalarName(kind.name) {
      return "\(place) refers to a kind of thing that is called like the type \(kind.name)"
    }
    return nil
  }
}

extension JournalError {
  /// Refuses a domain with mistakes. Names the first, and how many more there are.
  init(_ mistakes: [DomainMistake], of domain: String) {
    let first = mistakes.first?.description ?? ""
    let rest = mistakes.count > 1 ? " (and \(mistakes.count - 1) more)" : ""
    self.init(
      .outOfRange, "the domain \"\(domain)\" contradicts itself: \(first)\(rest)",
      remedy: "correct its lists; EventCatalog.mistakes has all of them")
  }
}
