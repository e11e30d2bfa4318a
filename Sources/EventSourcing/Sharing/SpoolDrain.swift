import Journal
import WireFormat

/// Carries out the commands that other processes handed over, in the process that writes the journal.
///
/// ```swift
/// let drain = SpoolDrain<Book>(at: folder, of: store.journal.id)
/// let report = try store.drain(drain, at: now)
/// ```
///
/// A command's file is removed once its events and its outcome are durable. A process that dies before that leaves the file to
/// the next one, which recognises the command by its idempotency key, or by the number up to which the outcomes reach, and
/// carries nothing out twice.
///
/// With a ``Sealing``, nothing is carried out that was not sealed with the journal's keys: such a file is set aside, and its
/// outcome is ``CommandOutcome/notSealed``.
///
/// Only the process that writes the journal may drain; the calls of one drain exclude each other.
public final class SpoolDrain<Machine: HandoverDomain>: Sendable {
  /// The most commands between two removals. Many fewer than a store recognises when they are repeated.
  static var batchSize: Int { 64 }
  /// The most processes whose outcomes are kept.
  static var maximumSessionCount: Int { 64 }

  private let folder: SpoolFolder
  private let sealing: SpoolSealing?
  /// Held while draining.
  private let progress = Lock(DrainState())

  private struct DrainState {
    /// Whether unfinished files of processes that died have been removed.
    var hasBegun = false
    /// The commands that the last drain left.
    var left: Set<SpoolPlace> = []
  }

  /// - Parameters:
  ///   - path: The folder, which need not exist.
  ///   - journal: The journal that the commands are for.
  ///   - sealing: Opens sealed commands; the store's.
  ///   - fileSystem: The file system that holds the folder.
  public init(
    at path: String, of journal: JournalID, sealing: Sealing? = nil, fileSystem: any FileSystem = PosixFileSystem()
  ) {
    folder = SpoolFolder(path: path, of: journal, fileSystem: fileSystem)
    self.sealing = sealing.map { SpoolSealing($0, domain: Machine.Event.domain, journal: journal) }
  }

  /// Whether commands wait that the last drain did not leave.
  public var hasCommands: Bool {
    let left = progress.withLock { $0.left }
    return ((try? folder.commands()) ?? []).contains { !left.contains($0) }
  }

  /// Creates the folder, durably, so that ``changes()`` notices commands from the first one on.
  public func prepare() throws(SpoolError) {
    try SpoolError.catching { () throws(JournalError) in try folder.create() }
  }

  /// Notices new commands from this moment on: call it before draining.
  public func changes() -> JournalChanges { folder.changes() }

  /// The files that were set aside because they are damaged, and why. They stay until a person removes them.
  public func setAside() throws(SpoolError) -> [SpoolNote] {
    let asides = try SpoolError.catching { () throws(JournalError) in try folder.asides() }
    return asides.compactMap { name, content in
      switch content {
      case .damaged(let reason), .unsupported(let reason): SpoolNote(file: name, reason: reason)
      case .payload(_, _, let isSealed):
        SpoolNote(
          file: name,
          reason: sealing != nil && !isSealed ? CommandOutcome.notSealedReason : "its payload is not a command")
      case .missing: nil
      }
    }
  }

  /// Carries out every command that waits: of each process in the order of submission, and of several by their clocks.
  ///
  /// A command that cannot be read or opened now stays, and the later ones of its process wait after it. The error is thrown
  /// once those of all other processes are carried out.
  ///
  /// - Parameters:
  ///   - journal: The journal that the commands' events go to. It is synced before a command's file is removed.
  ///   - send: Carries a command out under its idempotency key and returns its outcome; `nil` if that is not possible now.
  ///     The command then stays, and the drain ends.
  /// - Throws: ``SpoolError``. Commands that were carried out are recognised the next time.
  public func drain(
    into journal: JournalWriter, _ send: (SpooledCommand<Machine>) -> CommandOutcome?
  ) throws(SpoolError) -> DrainReport {
    try progress.withLock { (progress) throws(SpoolError) -> DrainReport in
      if !progress.hasBegun {
        try SpoolError.catching { () throws(JournalError) in try folder.removeUnfinished() }
        progress.hasBegun = true
      }
      var report = DrainReport()
      var trouble: SpoolError?
      while try drainBatch(into: journal, &report, &progress, &trouble, send), !report.wasStopped {}
      if report.commandCount > 0 { try removeOldOutcomes() }
      if let trouble { throw trouble }
      return report
    }
  }

  // MARK: One batch

  /// The commands of one process that wait.
  private struct Queue {
    var places: ArraySlice<UInt64>
    var outcomes: SpoolOutcomes
    var head: Head?
    /// The outcomes reach further than the file says.
    var isChanged = false
  }

  private enum Head {
    case command(SpooledCommand<Machine>)
    case decided(CommandOutcome)

    /// What decides which process comes first.
    var wallNanoseconds: Int64 {
      switch self {
      case .command(let command): command.origin.moment.wallNanoseconds
      case .decided: .min
      }
    }
  }

  /// Carries out some commands and removes them; `false` when none is left that can be carried out.
  ///
  /// - Parameter trouble: Why the first of those that stay cannot be read or opened; `nil` if none is like that.
  private func drainBatch(
    into journal: JournalWriter, _ report: inout DrainReport, _ progress: inout DrainState,
    _ trouble: inout SpoolError?, _ send: (SpooledCommand<Machine>) -> CommandOutcome?
  ) throws(SpoolError) -> Bool {
    let places = try SpoolError.catching { () throws(JournalError) in try folder.commands() }
    report.waiting = []
    trouble = nil
    // So it stays if this throws: what cannot be drained wakes no drain until more comes.
    progress.left = Set(places)
    var (queues, finished) = queues(of: places, &trouble)
    for index in queues.indices { advance(&queues[index], &report, &trouble) }
    for _ in 0..<Self.batchSize {
      let next = queues.indices.filter { queues[$0].head != nil }.min { one, other in
        order(queues[one]) < order(queues[other])
      }
      guard let next, let head = queues[next].head, let number = queues[next].places.first else { break }
      let entry: SpoolOutcomes.Entry
      switch head {
      case .decided(let outcome): entry = SpoolOutcomes.Entry(number: number, outcome: outcome)
      case .command(let command):
        let outcome = send(command)
        report.wasStopped = outcome == nil
        entry = SpoolOutcomes.Entry(
          number: number, outcome: outcome ?? .unknown, accounts: command.accounts)
      }
      if report.wasStopped { break }
      queues[next].outcomes.add(entry, sealing: sealing)
      queues[next].isChanged = true
      queues[next].places.removeFirst()
      finished.append((SpoolPlace(session: queues[next].outcomes.session, number: number), entry.outcome))
      report.commandCount += 1
      advance(&queues[next], &report, &trouble)
    }
    try finish(queues, finished, journal)
    for (place, outcome) in finished {
      if case .damaged(let reason) = outcome {
        report.setAside.append(SpoolNote(file: place.text, reason: reason))
      }
    }
    progress.left.subtract(finished.map(\.0))
    for queue in queues where queue.head != nil {
      for number in queue.places { progress.left.remove(SpoolPlace(session: queue.outcomes.session, number: number)) }
    }
    return !finished.isEmpty
  }

  private func order(_ queue: borrowing Queue) -> (Int64, UInt64) {
    (queue.head?.wallNanoseconds ?? .max, queue.outcomes.session)
  }

  /// The commands by process, and those that an earlier process was done with.
  private func queues(
    of places: [SpoolPlace], _ trouble: inout SpoolError?
  ) -> ([Queue], finished: [(SpoolPlace, CommandOutcome)]) {
    var queues: [Queue] = []
    var finished: [(SpoolPlace, CommandOutcome)] = []
    var rest = places[...]
    while let first = rest.first {
      let own = rest.prefix { $0.session == first.session }
      rest = rest.dropFirst(own.count)
      let outcomes: SpoolOutcomes
      do throws(SpoolError) {
        outcomes = try folder.readOutcomes(of: first.session) ?? SpoolOutcomes(session: first.session)
      } catch {
        // Nothing says which of its commands are done.
        trouble = trouble ?? error
        continue
      }
      for place in own where place.number <= outcomes.last {
        // Explanations do not matter here, so no key does.
        let outcome = try? outcomes.outcome(of: place.number, sealing: nil)
        finished.append((place, (outcome ?? nil) ?? .unknown))
      }
      let numbers = own.map(\.number).filter { $0 > outcomes.last }
      queues.append(Queue(places: numbers[...], outcomes: outcomes))
    }
    return (queues, finished)
  }

  /// Reads the next command of a process. One that only a newer program knows stays, as does one that cannot be read or
  /// opened now, and those after it wait with it.
  private func advance(_ queue: inout Queue, _ report: inout DrainReport, _ trouble: inout SpoolError?) {
    queue.head = nil
    while queue.head == nil, let number = queue.places.first {
      let place = SpoolPlace(session: queue.outcomes.session, number: number)
      do throws(SpoolError) {
        switch try SpoolError.catching({ () throws(JournalError) in try folder.command(at: place) }) {
        case .missing:
          queue.places.removeFirst()
          continue
        case .damaged(let reason): queue.head = .decided(.damaged(reason: reason))
        case .unsupported(let what): report.waiting.append(SpoolNote(file: place.text, reason: what))
        // Not read: without keys, no process learns what it asks for or whether the rules would refuse it.
        case .payload(_, _, false) where sealing != nil: queue.head = .decided(.notSealed)
        case .payload(let bytes, _, let isSealed):
          queue.head = try SpoolError.catching { () throws(SealingError) in
            try head(bytes, isSealed: isSealed, at: place)
          }
          if queue.head == nil {
            report.waiting.append(SpoolNote(file: place.text, reason: "only a newer program knows the command"))
          }
        }
      } catch {
        trouble = trouble ?? error
      }
      return
    }
  }

  /// `nil` for a command that only a newer program knows.
  private func head(_ bytes: [UInt8], isSealed: Bool, at place: SpoolPlace) throws(SealingError) -> Head? {
    if isSealed, sealing == nil { throw .withoutKeys }
    let payload: SpoolPayload
    do throws(WireError) {
      payload = try SpoolPayload(decoding: bytes, isSealed: isSealed)
    } catch {
      return .decided(.damaged(reason: "its payload is not a command: \(error)"))
    }
    var (command, accounts) = (payload.command, [UInt64]?.none)
    if payload.isSealed {
      guard let sealing else { throw .withoutKeys }
      switch try sealing.open(command, .command(plain: payload.plain), at: place) {
      case .bytes(let opened, let keys): (command, accounts) = (opened, keys)
      case .erased: return .decided(.erased)
      case .changed: return .decided(.damaged(reason: "it was sealed for another place, or changed"))
      }
    }
    do throws(WireError) {
      return try WireReader.decode(command) { (reader) throws(WireError) in
        guard let decoded = try Machine.decodeCommand(from: &reader) else { return nil }
        return .command(
          SpooledCommand(
            command: decoded, idempotencyKey: payload.idempotencyKey, origin: payload.origin,
            processName: payload.processName, accounts: accounts))
      }
    } catch {
      return .decided(.damaged(reason: "its command cannot be read: \(error)"))
    }
  }

  /// Makes the events durable, then the outcomes, and then removes the commands. Each step may be the last one.
  private func finish(
    _ queues: [Queue], _ finished: [(SpoolPlace, CommandOutcome)], _ journal: JournalWriter
  ) throws(SpoolError) {
    guard !finished.isEmpty else { return }
    try SpoolError.catching { () throws(JournalError) in
      if queues.contains(where: \.isChanged) { try journal.sync() }
      for queue in queues where queue.isChanged {
        var outcomes = queue.outcomes
        outcomes.sequence = journal.lastSequence
        try folder.putOutcomes(
          outcomes.payload, upTo: SpoolPlace(session: outcomes.session, number: outcomes.last))
      }
      var done: [SpoolPlace] = []
      for (place, outcome) in finished {
        if case .damaged = outcome { try folder.setAside(place) } else { done.append(place) }
      }
      try folder.remove(done)
    }
  }

  /// Keeps the outcomes of the processes that were served last. Those of a process with commands that wait stay.
  private func removeOldOutcomes() throws(SpoolError) {
    let sessions = try SpoolError.catching { () throws(JournalError) in try folder.sessions() }
    guard sessions.count > Self.maximumSessionCount else { return }
    let waiting = Set(
      try SpoolError.catching { () throws(JournalError) in try folder.commands() }.map(\.session))
    var ages: [(sequence: UInt64, session: UInt64)] = []
    for session in sessions where !waiting.contains(session) {
      // Outcomes that cannot be read are of no use.
      ages.append(((try? folder.readOutcomes(of: session))??.sequence ?? 0, session))
    }
    for old in ages.sorted(by: { $0 < $1 }).dropLast(Self.maximumSessionCount / 2) {
      try SpoolError.catching { () throws(JournalError) in try folder.removeOutcomes(of: old.session) }
    }
  }
}

/// What a ``SpoolDrain`` did.
public struct DrainReport: Hashable, Sendable {
  /// Number of commands that were done with, carried out or not.
  public internal(set) var commandCount = 0
  /// Files that were set aside because they are damaged.
  public internal(set) var setAside: [SpoolNote] = []
  /// Commands that stay because only a newer program knows them. Later ones of the same process wait after them.
  public internal(set) var waiting: [SpoolNote] = []
  /// Whether a command could not be carried out now, and stays with all others.
  public internal(set) var wasStopped = false

  /// Nothing was done.
  public init() {}
}

/// A file of a spool, and what is the matter with it.
public struct SpoolNote: Hashable, Sendable, CustomStringConvertible {
  /// The file's name, without a suffix.
  public let file: String
  /// A sentence without a full stop.
  public let reason: String

  /// Both, in one line.
  public var description: String { "\(file): \(reason)" }
}

extension EventStore where Machine: HandoverDomain {
  /// Carries out every command that other processes handed over.
  ///
  /// Their events carry the time of this call, and in ``Envelope/attributes`` the process and the time of the request. Call
  /// it before appending commands under idempotency keys of the app's own: a store recognises the
  /// ``recognizedCommandCount`` newest ones.
  ///
  /// - Throws: ``SpoolError``: what could not be carried out stays.
  @discardableResult
  public func drain(_ spool: SpoolDrain<Machine>, at moment: Moment) throws(SpoolError) -> DrainReport {
    var failure: SpoolError?
    let report = try spool.drain(into: journal) { handed in
      do throws(StoreError<Machine.Rejection>) {
        let result = try append(
          handed.command, at: moment, idempotencyKey: handed.idempotencyKey, attributes: handed.attributes)
        return CommandOutcome(result)
      } catch {
        failure = SpoolError(error)
        return failure == nil ? CommandOutcome(error) : nil
      }
    }
    if let failure { throw failure }
    return report
  }
}

extension CommandOutcome {
  /// The outcome of a command that a store accepted, now or before.
  public init<Machine>(_ result: AppendResult<Machine>) {
    let events = result.events
    guard let first = events.first?.sequence, let last = events.last?.sequence else {
      self = .carriedOut(events: nil)
      return
    }
    self = .carriedOut(events: first...last)
  }

  /// The outcome of a command that a store refused for good.
  init<Rejection>(_ error: StoreError<Rejection>) {
    self = .refused(rule: error.name, explanation: error.message)
  }
}

extension SpoolError {
  /// Why a command that was handed over cannot be carried out now; `nil` for an error that stays whenever it is tried.
  public init?<Rejection>(_ error: StoreError<Rejection>) {
    switch error {
    case .journal(let error): self = .journal(error)
    case .history(let error): self = .history(error)
    case .sealing(let error): self = .sealing(error)
    case .rejected, .conflict, .entityConflict, .keyReused, .keyTooLong, .attributes, .causeUnknown: return nil
    }
  }
}

extension StoreError {
  /// What stands for the rule that refused a command.
  fileprivate var name: String {
    switch self {
    case .rejected: "rules"
    case .conflict, .entityConflict: "conflict"
    case .keyReused: "key"
    case .keyTooLong: "key.length"
    case .attributes: "attributes"
    case .sealing: "sealing"
    case .causeUnknown: "cause"
    case .journal: "journal"
    case .history: "history"
    }
  }
}
