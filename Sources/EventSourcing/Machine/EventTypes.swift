/// The types of an ``EventList``, found out once from one event of each.
public struct EventTypes<Event: EventList>: Sendable {
  /// The name of the domain.
  public let domain: String
  /// The description of every type.
  public let catalog: EventCatalog
  /// The events that reading begins with, in the order of the catalogue.
  private let blanks: [Event]

  /// Collects the types. Their numbers and names must be unique.
  ///
  /// - Parameters:
  ///   - domain: The name of the domain, as ``JournaledEvent/domain``.
  ///   - blanks: One event of each type, with the values that absent fields mean. A field that begins with another value
  ///     than zero, nothing or an empty text must be written `always`: otherwise that value and the default could not be
  ///     told apart, which stops the program here. Lists begin empty, and fields that may be missing with `nil`.
  public init(_ domain: String, _ blanks: Event...) {
    self.domain = domain
    let described = blanks.map { blank in
      var list = EventVisitor(FieldDescriber())
      _ = blank.visit(&list)
      guard let label = list.label else { preconditionFailure("an event visits its fields outside of a type") }
      var absence = EventVisitor(AbsenceCheck())
      _ = blank.visit(&absence)
      let words = label.name.description.split(separator: ".")
      let body = MessageDescriptor(
        words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(), list.fields.fields)
      let descriptor = EventDescriptor(
        label.number, label.name.description, version: label.version, unknownReaders: label.unknownReaders, body: body,
        meaning: label.meaning.description)
      return (blank: blank, descriptor: descriptor)
    }.sorted { $0.descriptor.number < $1.descriptor.number }
    self.blanks = described.map(\.blank)
    catalog = EventCatalog(described.map(\.descriptor))
  }

  /// The event that reading one of this type begins with; `nil` for a type or a version that the list does not know.
  @usableFromInline
  func blank(of type: UInt32, version: UInt32) -> Event? {
    guard let index = catalog.index(of: type), (1...max(1, catalog.entries[index].version)).contains(version) else {
      return nil
    }
    return blanks[index]
  }
}
