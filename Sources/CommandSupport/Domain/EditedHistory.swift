import EventSourcing
import Forensics
import JSON
import WireFormat

/// What is different in an imagined history of the tool's domain: see `HistoryEdits`, of which these are the operations.
@usableFromInline
package protocol EditedHistory: AnyObject {
  /// How many edits there are.
  var count: Int { get }

  /// The first event at which the histories can differ, at or after `first`.
  func firstEdited(from first: UInt64) -> UInt64

  /// Drops an event, or a range of them.
  func drop(_ events: ClosedRange<UInt64>) throws(EditError)
  /// Drops the events for which a condition holds that needs no states.
  func drop(where condition: FilterExpression) throws(EditError)
  /// Drops the events of the types that a pattern matches.
  func drop(types pattern: Glob) throws(EditError)
  /// Replaces an event.
  func replace(_ sequence: UInt64, with content: EditContent) throws(EditError)
  /// Inserts something after an event, or at the beginning.
  func insert(_ content: EditContent, after place: UInt64) throws(EditError)

  /// What moves an event after another one; `nil` where the event is lost.
  func mover(of sequence: UInt64, in history: AnyHistory) throws(HistoryError) -> ((UInt64) throws(EditError) -> Void)?

  /// Reads an event as `show -j` prints it.
  func content(_ node: JSONNode) throws(JSONError) -> EditContent
}

/// What an edit puts in a place.
@usableFromInline
package struct EditContent: Sendable {
  /// The content itself.
  @usableFromInline let value: any Sendable
  /// The numbers of the accounts that it names.
  package let accounts: [UInt64]

  /// - Parameter value: The content as one of `HistoryEdits`.
  package init(_ value: any Sendable, accounts: [UInt64] = []) { (self.value, self.accounts) = (value, accounts) }
}

/// The edits of a history of one domain.
@usableFromInline
package final class DomainEdits<Domain: RedecidingDomain>: EditedHistory {
  /// The edits themselves.
  @usableFromInline package var edits = HistoryEdits<Domain>()

  @usableFromInline
  init() {}

  @usableFromInline
  package var count: Int { edits.count }

  @usableFromInline
  package func firstEdited(from first: UInt64) -> UInt64 { edits.firstEdited(from: first) }

  @usableFromInline
  package func drop(_ events: ClosedRange<UInt64>) throws(EditError) { try edits.drop(events) }

  @usableFromInline
  package func drop(where condition: FilterExpression) throws(EditError) {
    try edits.drop { condition.holds(for: FilterSubject($0)) == true }
  }

  @usableFromInline
  package func drop(types pattern: Glob) throws(EditError) { try edits.drop { pattern.matches($0.typeName) } }

  @usableFromInline
  package func replace(_ sequence: UInt64, with content: EditContent) throws(EditError) {
    try edits.replace(sequence, with: try Self.own(content))
  }

  @usableFromInline
  package func insert(_ content: EditContent, after place: UInt64) throws(EditError) {
    try edits.insert(try Self.own(content), after: place)
  }

  @usableFromInline
  static func own(_ content: EditContent) throws(EditError) -> HistoryEdits<Domain>.Content {
    guard let own = content.value as? HistoryEdits<Domain>.Content else {
      throw EditError(
        "the edit is of another domain than the journal's, \(Domain.Event.domain)",
        remedy: "write an event as 'show -j' prints those of this journal")
    }
    return own
  }

  @usableFromInline
  package func mover(
    of sequence: UInt64, in history: AnyHistory
  ) throws(HistoryError) -> ((UInt64) throws(EditError) -> Void)? {
    var cursor = try history.of(Domain.self).events(after: sequence - 1)
    while let item = try cursor.next() {
      guard case .event(let step) = item, step.record.sequence == sequence else { continue }
      return { (place) throws(EditError) in try self.edits.move(step.record, after: place) }
    }
    return nil
  }

  @usableFromInline
  package func content(_ node: JSONNode) throws(JSONError) -> EditContent {
    let read = try EventText<Domain.Event>(node)
    var writer = WireWriter()
    read.event.encodeBody(into: &writer)
    let fields = MessageFields(writer.bytes, as: Domain.Event.catalog[read.event.type]?.body)
    return EditContent(
      HistoryEdits<Domain>.Content.event(read.event, at: read.moment), accounts: EventAccounts.numbers(in: fields))
  }
}

extension FilterSubject {
  /// What is known of an event without the states around it.
  fileprivate init<Event>(_ record: RecordedEvent<Event>) {
    self.init(
      sequence: record.sequence, type: record.typeName, cause: record.envelope.cause,
      process: record.envelope.process,
      accounts: {
        EventAccounts.numbers(in: record.fields).map { AccountNames(pseudonym: EventAccounts.pseudonym($0)) }
      }, changedPaths: { nil }, findings: { nil }, shownText: { [] })
  }
}
