import EventSourcing
import WireFormat

/// What differs between the real and the imagined state, computed again only in slices that may have changed since it was last asked
/// for.
@usableFromInline
struct StandingDifference<Domain: RedecidingDomain> {
  /// The differences in each slice; `nil` where nothing was asked, and where the slice may have changed since.
  @usableFromInline var changes: [[StateChange]?]
  /// The accounts that events concern, by their types and bodies.
  @usableFromInline var subjects: [[UInt8]: Set<String>] = [:]

  /// The most events whose accounts are remembered.
  private static var maximumSubjects: Int { 4096 }

  /// Nothing was asked yet.
  @inlinable
  init() {
    changes = Domain.State.sliceNames.map { _ in nil }
  }

  /// Forgets what is known of slices that may have changed in either state.
  @inlinable
  mutating func invalidate(_ changed: ChangedSlices) {
    for slice in changes.indices where changes[slice] != nil && changed.contains(slice) { changes[slice] = nil }
  }

  /// The first difference that concerns the accounts which events name, or the first one if they name none.
  @inlinable
  mutating func first(
    concerning events: [Domain.Event], from real: Domain.State, to imagined: Domain.State, _ numbering: Renumbering,
    _ differ: StateDiffer
  ) -> StateChange? {
    var subjects: Set<String>?
    for slice in changes.indices {
      for change in differences(inSlice: slice, from: real, to: imagined, differ)
      where !numbering.isSame(change.before, change.after) {
        let accounts = subjects ?? accounts(of: events)
        subjects = accounts
        if accounts.isEmpty || change.path.split(separator: "/").contains(where: { accounts.contains(String($0)) }) {
          return change
        }
      }
    }
    return nil
  }

  @inlinable
  mutating func differences(
    inSlice slice: Int, from real: Domain.State, to imagined: Domain.State, _ differ: StateDiffer
  ) -> [StateChange] {
    if let known = changes[slice] { return known }
    let found = differ.changes(from: real, to: imagined, inSlices: CollectionOfOne(slice)).changes
    changes[slice] = found
    return found
  }

  @usableFromInline
  mutating func accounts(of events: [Domain.Event]) -> Set<String> {
    events.reduce(into: []) { $0.formUnion(accounts(of: $1)) }
  }

  private mutating func accounts(of event: Domain.Event) -> Set<String> {
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    let key = withUnsafeBytes(of: event.type) { Array($0) } + writer.bytes
    if let known = subjects[key] { return known }
    let fields = MessageFields(writer.bytes, as: Domain.Event.catalog[event.type]?.body)
    let found = Set(EventAccounts.numbers(in: fields).map(EventAccounts.pseudonym))
    if subjects.count >= Self.maximumSubjects { subjects.removeAll(keepingCapacity: true) }
    subjects[key] = found
    return found
  }
}
