import Journal
import WireFormat

/// What an envelope says of its event beside the body: enough to find events by time and type.
@usableFromInline
package struct EventHeading: Sendable {
  /// The event's number.
  package let sequence: UInt64
  /// Its wall time in nanoseconds since 1970-01-01T00:00:00Z.
  package let wallNanoseconds: Int64
  /// The type's name, as ``RecordedEvent/typeName``.
  package let typeName: String
}

extension History {
  /// Passes the heading of every event after a number to `body`, in order and beyond damage, until that returns `false`.
  /// Decodes no body and computes no state, so it is several times faster than ``events(after:beyondDamage:)``, with which
  /// it agrees.
  ///
  /// - Parameter note: Receives the findings between the events.
  @usableFromInline
  package func forEachHeading(
    after sequence: UInt64, note: (Finding) -> Void = { _ in }, _ body: (EventHeading) -> Bool
  ) throws(HistoryError) {
    try requireFittingEvents()
    var items = try JournalItems(reader, after: sequence, beyondDamage: true)
    // A journal has few types, and each name would be looked up, or made, for every event.
    var names: [UInt32: String] = [:]
    while let item = try items.next() {
      switch item {
      case .finding(let finding): note(finding)
      case .event(let event):
        let (type, wall) = Self.heading(of: event.payload)
        let name: String
        if let foreign {
          name = foreign.schema(of: event).catalog?[type]?.name ?? RecordedEvent<Machine.Event>.nameless(type)
        } else if let known = names[type] {
          name = known
        } else {
          name = Machine.Event.catalog.entry(of: type)?.name ?? RecordedEvent<Machine.Event>.nameless(type)
          names[type] = name
        }
        guard body(EventHeading(sequence: event.sequence, wallNanoseconds: wall, typeName: name)) else { return }
      }
    }
  }

  /// The type and the time that a payload states; zeros where it is not an envelope.
  private static func heading(of payload: UnsafeRawBufferPointer) -> (type: UInt32, wallNanoseconds: Int64) {
    var reader = WireReader(payload)
    guard let fields = try? EnvelopeFields(from: &reader) else { return (0, 0) }
    return (fields.type, fields.moment.wallNanoseconds)
  }
}
