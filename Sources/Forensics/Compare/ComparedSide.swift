import EventSourcing
import Journal

/// One of the two histories that are compared: a journal, or the events of one account in a journal.
public struct ComparedSide<Machine: Reducer>: Sendable {
  /// The journal.
  public var history: History<Machine>
  /// The account whose events are looked at, by its number; `nil` for all events.
  public var account: UInt64?

  /// Creates a side.
  public init(_ history: History<Machine>, account: UInt64? = nil) {
    self.history = history
    self.account = account
  }
}

/// One event of a comparison: its record, and its content in a form that two histories share.
public struct ComparedEvent<Event: JournaledEvent>: Sendable {
  /// The event.
  public let record: RecordedEvent<Event>
  /// Which fields count.
  let scope: ComparedScope
  /// What the start of a process says of the rules that derive its states; `nil` for any other event.
  let rules: StatedRules?

  /// Whether both say the same thing happened, whenever, however and by whichever rules it was written down.
  func hasSameContent(as other: ComparedEvent) -> Bool {
    record.envelope.type == other.record.envelope.type && record.envelope.version == other.record.envelope.version
      && (isEqual(to: other) || differsInRulesOnly(from: other))
  }

  /// Whether the fields are the same, as far as they count. Equal bytes need not be read for that.
  private func isEqual(to other: ComparedEvent) -> Bool {
    if scope == other.scope, record.envelope.body == other.record.envelope.body { return true }
    return scope != .everything && leaves == other.leaves
  }

  /// What counts of the fields; all of them where every byte does.
  private var leaves: [FieldLeaf] { FieldLeaf.all(in: record.fields).compactMap(scope.compared) }

  /// Whether both are the start of a process, and state different rules.
  func statesOtherRules(than other: ComparedEvent) -> Bool {
    guard let rules, let others = other.rules else { return false }
    return rules != others
  }

  /// Whether the stated rules are all that differs. They are one field, so that no other one differs when one does.
  private func differsInRulesOnly(from other: ComparedEvent) -> Bool {
    guard statesOtherRules(than: other) else { return false }
    let (ours, theirs) = (leaves, other.leaves)
    let different = FieldLeaf.differences(ours, theirs)
    guard let path = different.first?.path, different.count == 1 else { return false }
    return ours.filter { $0.path != path } == theirs.filter { $0.path != path }
  }

  /// Whether they were written down in the same way too.
  ///
  /// - Parameter hasDigests: Whether the recorded digests of states count: different rules give others of the same state.
  func hasSameMetadata(as other: ComparedEvent, hasDigests: Bool) -> Bool {
    var one = record.envelope
    var two = other.record.envelope
    one.body = []
    two.body = []
    if case .withoutClocks = scope {
      // The digest is of a state that has times in it, and the fingerprint of a command that may have some.
      (one.moment, one.stateDigest, one.commandFingerprint) = (two.moment, two.stateDigest, two.commandFingerprint)
    }
    if !hasDigests { (one.stateDigest, two.stateDigest) = ([], []) }
    return one == two
  }
}

/// What of the events counts in a comparison.
enum ComparedScope: Equatable, Sendable {
  /// Every byte.
  case everything
  /// Everything, and of points in time and the fields of these names only whether they are set.
  case withoutClocks(Set<String>)
  /// What happened to an account.
  case account(UInt64)

  /// What counts of a field; `nil` when nothing does.
  func compared(_ leaf: FieldLeaf) -> FieldLeaf? {
    switch self {
    case .everything: leaf
    case .withoutClocks(let names): leaf.isTime || names.contains(leaf.path) ? leaf.withoutValue : leaf
    case .account(let number): leaf.comparable(of: number)
    }
  }
}

/// The rules by which a process derived its states, as its start states them.
struct StatedRules: Equatable, Sendable {
  /// Their revision; `nil` when the start does not say.
  let revision: UInt32?
}

/// Reads the events of one side in order, in constant memory.
struct ComparedStream<Machine: Reducer>: ~Copyable {
  private var cursor: HistoryCursor<Machine>
  private let account: UInt64?
  private let scope: ComparedScope
  /// Events that were looked at ahead of their turn.
  private var ahead: [ComparedEvent<Machine.Event>] = []
  /// Why nothing further can be read; `nil` while it can, and at the history's own end.
  private(set) var obstacle: HistoryError?

  /// - Parameters:
  ///   - clocks: The fields that count as little as points in time do; `nil` when everything counts.
  ///   - sequence: The event behind which to begin.
  ///   - fileSystem: What the journal is read through.
  init(
    _ side: ComparedSide<Machine>, leavingOut clocks: Set<String>?, after sequence: UInt64,
    through fileSystem: any FileSystem
  ) throws(HistoryError) {
    let history = History<Machine>(side.history.reader.reading(through: fileSystem))
    cursor = try history.events(after: sequence, beyondDamage: false)
    account = side.account
    scope = side.account.map(ComparedScope.account) ?? clocks.map(ComparedScope.withoutClocks) ?? .everything
  }

  /// Takes the next event; `nil` at the end, or where nothing further can be read: ``obstacle`` tells which.
  mutating func next() -> ComparedEvent<Machine.Event>? {
    if !ahead.isEmpty { return ahead.removeFirst() }
    return read()
  }

  /// The next events, at most `count`, without taking them.
  mutating func peek(_ count: Int) -> [ComparedEvent<Machine.Event>] {
    while ahead.count < count, let event = read() { ahead.append(event) }
    return Array(ahead.prefix(count))
  }

  private mutating func read() -> ComparedEvent<Machine.Event>? {
    guard obstacle == nil else { return nil }
    do throws(HistoryError) {
      return try readFurther()
    } catch {
      obstacle = error
      return nil
    }
  }

  private mutating func readFurther() throws(HistoryError) -> ComparedEvent<Machine.Event>? {
    while let item = try cursor.next() {
      guard case .event(let step) = item else { continue }
      let record = step.record
      guard let account else {
        return ComparedEvent(record: record, scope: scope, rules: Self.rules(in: record))
      }
      guard EventAccounts.numbers(in: record.fields).contains(account) else { continue }
      return ComparedEvent(record: record, scope: scope, rules: nil)
    }
    if let obstacle = cursor.obstacle { throw obstacle }
    return nil
  }

  private static func rules(in record: RecordedEvent<Machine.Event>) -> StatedRules? {
    guard record.envelope.type == Machine.processStart, let event = record.event else { return nil }
    return StatedRules(revision: Machine.recordedRevision(in: event))
  }
}
