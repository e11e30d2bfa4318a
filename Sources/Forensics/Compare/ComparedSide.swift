import EventSourcing
import Journal

/// One of two histories to compare: a journal, or the events of one account in it.
public struct ComparedSide<Machine: Reducer>: Sendable {
  /// The journal's history.
  public var history: History<Machine>
  /// The number of the account whose events are compared; `nil` for all events.
  public var account: UInt64?

  /// Omit `account` to compare the whole journal.
  public init(_ history: History<Machine>, account: UInt64? = nil) {
    self.history = history
    self.account = account
  }
}

/// One event of a comparison: its record, and its content in a form comparable across histories.
public struct ComparedEvent<Event: JournaledEvent>: Sendable {
  /// The event.
  public let record: RecordedEvent<Event>
  /// Which fields count in the comparison.
  let scope: ComparedScope
  /// The rules that a process start states for the states derived after it; `nil` for other events.
  let rules: StatedRules?

  /// Whether both record the same fact, regardless of when, how and under which rules they were written.
  func hasSameContent(as other: ComparedEvent) -> Bool {
    record.envelope.type == other.record.envelope.type && record.envelope.version == other.record.envelope.version
      && (isEqual(to: other) || differsInRulesOnly(from: other))
  }

  /// Whether all fields that count are equal. Equal bytes are not decoded.
  private func isEqual(to other: ComparedEvent) -> Bool {
    if scope == other.scope, record.envelope.body == other.record.envelope.body { return true }
    return scope != .everything && leaves == other.leaves
  }

  /// The fields that count; all of them in a byte-by-byte comparison.
  private var leaves: [FieldLeaf] { FieldLeaf.all(in: record.fields).compactMap(scope.compared) }

  /// Whether both are process starts that state different rules.
  func statesOtherRules(than other: ComparedEvent) -> Bool {
    guard let rules, let others = other.rules else { return false }
    return rules != others
  }

  /// Whether only the stated rules differ. These are a single field: if it differs, no other field does.
  private func differsInRulesOnly(from other: ComparedEvent) -> Bool {
    guard statesOtherRules(than: other) else { return false }
    let (ours, theirs) = (leaves, other.leaves)
    let different = FieldLeaf.differences(ours, theirs)
    guard let path = different.first?.path, different.count == 1 else { return false }
    return ours.filter { $0.path != path } == theirs.filter { $0.path != path }
  }

  /// Whether both were also written in the same way.
  ///
  /// - Parameter hasDigests: Whether recorded state digests count; different rules produce different digests of the
  ///   same state.
  func hasSameMetadata(as other: ComparedEvent, hasDigests: Bool) -> Bool {
    var one = record.envelope
    var two = other.record.envelope
    one.body = []
    two.body = []
    if case .withoutClocks = scope {
      // The digest covers a state that contains times; the fingerprint covers a command that may.
      (one.moment, one.commandFingerprint) = (two.moment, two.commandFingerprint)
      one.digest = two.digest
    }
    if !hasDigests {
      (one.digest, two.digest) = (nil, nil)
    }
    return one == two
  }
}

/// Which parts of the events a comparison considers.
enum ComparedScope: Equatable, Sendable {
  /// Every byte.
  case everything
  /// Everything, except that for points in time and the named fields only their presence counts.
  case withoutClocks(Set<String>)
  /// What happened to one account.
  case account(UInt64)

  /// The part of a field that counts; `nil` if none does.
  func compared(_ leaf: FieldLeaf) -> FieldLeaf? {
    switch self {
    case .everything: leaf
    case .withoutClocks(let names): leaf.isTime || names.contains(leaf.path) ? leaf.withoutValue : leaf
    case .account(let number): leaf.comparable(of: number)
    }
  }
}

/// The rules under which a process derived its states, as stated by its start event.
struct StatedRules: Equatable, Sendable {
  /// The revision; `nil` if the start event does not state it.
  let revision: UInt32?
}

/// Reads one side's events in order, in constant memory.
struct ComparedStream<Machine: Reducer>: ~Copyable {
  private var cursor: HistoryCursor<Machine>
  private let account: UInt64?
  private let scope: ComparedScope
  /// Events read ahead of their turn.
  private var ahead: [ComparedEvent<Machine.Event>] = []
  /// Why reading stopped early; `nil` while reading continues and at the history's normal end.
  private(set) var obstacle: HistoryError?

  /// - Parameters:
  ///   - clocks: Fields of which, as of points in time, only the presence counts; `nil` if everything counts.
  ///   - sequence: The event after which to begin.
  ///   - fileSystem: The file system through which to read the journal.
  init(
    _ side: ComparedSide<Machine>, leavingOut clocks: Set<String>?, after sequence: UInt64,
    through fileSystem: any FileSystem
  ) throws(HistoryError) {
    let history = History<Machine>(side.history.reader.reading(through: fileSystem))
    cursor = try history.events(after: sequence, beyondDamage: false)
    account = side.account
    scope = side.account.map(ComparedScope.account) ?? clocks.map(ComparedScope.withoutClocks) ?? .everything
  }

  /// Removes and returns the next event; `nil` at the end or where reading failed. ``obstacle`` tells the two apart.
  mutating func next() -> ComparedEvent<Machine.Event>? {
    if !ahead.isEmpty { return ahead.removeFirst() }
    return read()
  }

  /// The next events, at most `count`, without removing them.
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
