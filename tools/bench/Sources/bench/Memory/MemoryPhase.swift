import AppProtection
import EventSourcing
import Journal

/// Something whose memory is measured in a process of its own.
enum MemoryPhase: String, CaseIterable {
  /// Nothing: what the process itself takes.
  case nothing
  /// A policy history through the typed store, a command at a time.
  case append
  /// Every byte is read and compared.
  case verify
  /// All events into the state.
  case replay
  /// All events with the states around each.
  case walk
  /// The state at some positions.
  case travel
  /// A store is opened from its checkpoint.
  case open
  /// The same as often as there are repetitions: for counting instructions only.
  case reopen
  /// A history like that of `append`, in which one event is different, beside it: for counting instructions only.
  case change
  /// The first difference of those two, as often as there are repetitions: for counting instructions only.
  case diverge
  /// The whole history is replayed and compared with every recorded digest: for counting instructions only.
  case check
  /// Decisions in a state, as many as there are events: for counting instructions only.
  case decide
  /// Events of 128 bytes, one a commit, not synced: for counting instructions only.
  case readings
  /// Commands and differences in states of different sizes: prints what each costs.
  case growth

  /// Those whose memory says something.
  static let measured: [MemoryPhase] = [.nothing, .append, .verify, .replay, .walk, .travel, .open]

  var title: String {
    switch self {
    case .nothing: "nothing"
    case .append: "append through the typed store"
    case .verify: "verify"
    case .replay: "replay into the state"
    case .walk: "walk over events and states"
    case .travel: "state at five positions"
    case .open: "open the store"
    case .reopen: "open the store again and again"
    case .change: "append another history"
    case .diverge: "first difference"
    case .check: "check"
    case .decide: "decide"
    case .readings: "append 128 B, one a commit, not synced"
    case .growth: "commands in states of different sizes"
    }
  }

  /// Does the work; `append` creates the journal that the others read.
  func run(_ options: Options) throws {
    let journal = options.journal
    switch self {
    case .nothing: break
    case .append:
      try Histories.writePolicies(
        options.events, to: journal, from: options.policies, checkpointBefore: min(Fixtures.tail, options.events / 2))
    case .verify: _ = try JournalReader(path: journal).verify()
    case .replay:
      var history = try History<AppProtectionMachine>(at: journal)
      history.usesCheckpoints = false
      _ = try history.state(at: .end)
    case .walk:
      var cursor = try History<AppProtectionMachine>(at: journal).cursor()
      while try cursor.next() != nil {}
    case .travel:
      let history = try History<AppProtectionMachine>(at: journal)
      for fifth in 1...5 { _ = try history.state(at: .sequence(UInt64(options.events * fifth / 5))) }
    case .open: try EventStore<AppProtectionMachine>.open(at: journal).close()
    case .reopen: for _ in 0..<options.repetitions { try EventStore<AppProtectionMachine>.open(at: journal).close() }
    case .change:
      try Histories.writePolicies(
        options.events, to: journal + "-changed", from: options.policies,
        checkpointBefore: min(Fixtures.tail, options.events / 2), changing: UInt64(options.events / 3 * 2))
    case .diverge:
      for _ in 0..<options.repetitions {
        _ = try Operations.compare(journal, journal + "-changed")
      }
    case .check: _ = try History<AppProtectionMachine>(at: journal).check()
    case .decide:
      let state = try History<AppProtectionMachine>(at: journal).state(at: .sequence(1000)).state
      Operations.askToSave(options.events) { $0(state) }
    case .readings:
      let store = try EventStore<ReadingMachine>.create(
        at: journal, journalID: Fixtures.journalID(3), createdNanoseconds: Histories.start, options: Fixtures.unsynced)
      for index in 0..<options.events {
        try store.append(.init(count: 1), at: Moment(wallNanoseconds: Histories.start + Int64(index)))
      }
      try store.close()
    case .growth:
      // Of one size if one is given.
      let sizes = options.events < 1_000_000 ? [options.events] : Growth.sizes
      try Growth.measure(sizes, in: journal, policies: options.policies)
    }
  }
}
