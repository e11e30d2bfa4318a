import Journal
import Synchronization

extension EventStore {
  /// Makes everything durable and releases the journal, so that another process may write it, until ``resume()``.
  ///
  /// An app calls this before the system suspends it: iOS ends apps that are suspended while they hold a lock on a file in
  /// a shared container. Waits for the command in progress. Meanwhile ``state`` stays readable, feeds wait, and commands,
  /// checkpoints and retiring are refused: commands with ``StoreError/journal(_:)`` and the code `suspended`.
  ///
  /// A store that is suspended or closed stays as it is.
  ///
  /// - Throws: ``HistoryError/journal(_:)`` if the device fails. The journal is released all the same, and left as a crash
  ///   would leave it: nothing that was acknowledged is lost, and ``resume()`` finds out about the rest.
  public func suspend() throws(HistoryError) {
    do throws(JournalError) {
      try writer.withLock { (writer) throws(JournalError) in
        guard writer.phase == .open else { return }
        writer.phase = .suspended
        try release(&writer)
      }
    } catch {
      throw .journal(error)
    }
  }

  /// Whether the store has released the journal by ``suspend()``. Waits for the command in progress.
  public var isSuspended: Bool { writer.withLock { $0.phase == .suspended } }

  /// Takes the journal again after ``suspend()``, and goes on after whatever other processes appended meanwhile.
  ///
  /// Reads only what came since: other processes may have recovered, rotated or retired segments and written checkpoints.
  /// Where the position at which the store was suspended has been retired, the state is computed as when opening a store.
  /// Sealed data is opened again, so people who were erased meanwhile are gone from ``state``. A store that was not suspended
  /// stays as it is.
  ///
  /// - Throws: ``HistoryError``; the store then stays suspended, and this may be called again. ``HistoryError/journal(_:)``
  ///   with `locked` names the process that writes the journal now; with `conflict`, another journal is in its place, or the
  ///   journal no longer holds what this store acknowledged. With `closed`, the store was closed for good.
  @discardableResult
  public func resume() throws(HistoryError) -> ResumptionReport {
    let (report, start) = try writer.withLock {
      (writer) throws(HistoryError) -> (ResumptionReport, StartingPoint<Machine>?) in
      let before = writer.version.sequence
      switch writer.phase {
      case .open:
        return (ResumptionReport(before: before, after: before, readEvents: 0, recovery: journal.recovery), nil)
      case .suspended: break
      case .closed: throw .journal(.storeClosed)
      }
      let (journal, start) = try reopen(after: writer)
      writer.journal = journal
      current.withLock { $0 = journal }
      writer.version = StateVersion(
        state: start.replay.state, sequence: start.replay.sequence, chain: start.replay.chain)
      writer.window = start.window
      writer.leftOut = start.replay.leftOut
      writer.lacksKeys = Self.lacksKeys(start, options)
      writer.mayRecordKeys = start.mayRecordKeys
      writer.keyframes = KeyframeSchedule(every: options.keyframeInterval, after: start.replay.sequence)
      writer.phase = .open
      republish(writer.version)
      let report = ResumptionReport(
        before: before, after: start.replay.sequence, readEvents: start.replay.count, recovery: journal.recovery)
      return (report, start)
    }
    if let start, start.replay.migration != nil { try record(start) }
    return report
  }

  /// Whether the journal is sealed, and this store has no keys for it. Under the other policy it has been refused.
  static func lacksKeys(_ start: StartingPoint<Machine>, _ options: StoreOptions) -> Bool {
    options.sealing == nil && options.onMissingKeys == .refuseCommands && start.needsKeys
  }

  /// Opens the journal for writing, and computes the state at its end.
  private func reopen(
    after writer: borrowing StoreWriter<Machine>
  ) throws(HistoryError) -> (JournalWriter, StartingPoint<Machine>) {
    let identity = writer.journal.identity.id
    var held = StartingPoint(
      replay: Replay<Machine>(from: writer.version.state, after: writer.version.sequence, chain: writer.version.chain),
      window: writer.window)
    held.replay.leftOut = writer.leftOut
    var admission = Admission()
    let journal: JournalWriter
    do throws(JournalError) {
      journal = try JournalWriter.open(
        at: path, options: try options.journal(of: Machine.self), onDamage: options.onDamage, fileSystem: fileSystem
      ) { (reader, end) throws(JournalError) in
        guard reader.identity.id == identity else { throw .replaced(reader.identity.id, identity, at: path) }
        let history = try Self.admittedHistory(reader, options)
        do throws(HistoryError) {
          admission.start = try goOn(from: held, in: history, to: end)
          try admission.start?.openSealed(options)
        } catch {
          admission.refusal = error
          throw JournalError(.unsupportedFormat, error.message, remedy: error.remedy, file: reader.path)
        }
      }
    } catch {
      throw admission.refusal ?? .journal(error)
    }
    let end = (sequence: journal.lastSequence, chain: journal.lastChain)
    if let start = admission.start, (start.replay.sequence, start.replay.chain) == end { return (journal, start) }
    do throws(HistoryError) {
      // Recovery has given up damaged events.
      try requireAcknowledged(
        in: try History<Machine>(at: path, of: options.journal, fileSystem: fileSystem),
        upTo: end.sequence)
      return (
        journal,
        try Self.currentState(of: journal, upTo: end, at: path, options: options, fileSystem: fileSystem)
      )
    } catch {
      try? journal.close()
      throw error
    }
  }

  /// Folds what follows the state that the store was suspended with.
  ///
  /// - Returns: `nil` for damage that may be given up, as when opening a store.
  private func goOn(
    from held: StartingPoint<Machine>, in history: History<Machine>, to end: (sequence: UInt64, chain: UInt32)
  ) throws(HistoryError) -> StartingPoint<Machine>? {
    let acceptsLost = options.onDamage != .refuse
    if let start = try history.goneOn(from: held, to: end, acceptsLost: acceptsLost) { return start }
    try requireAcknowledged(in: history, upTo: end.sequence)
    return try history.admittedState(upTo: end, acceptsLost: acceptsLost)
  }

  /// Refuses a history without the last event that this store acknowledged, unless that was retired.
  private func requireAcknowledged(in history: History<Machine>, upTo end: UInt64) throws(HistoryError) {
    let known = published.current
    if known.sequence + 1 < history.firstSequence { return }
    guard known.sequence <= end, (try? history.chain(at: known.sequence)) == known.chain else {
      throw .journal(.takenBack(known.sequence, at: path))
    }
  }

  /// Shows a state even if the one before it is of the same event: what its keys open may differ.
  private func republish(_ version: StateVersion<Machine.State>) {
    let continuations = waiting.withLock { waiting in
      published.publish(version)
      defer { waiting.continuations = [] }
      return waiting.continuations
    }
    for continuation in continuations { continuation.resume() }
  }
}

extension History {
  /// Folds what follows a state that was computed before; `nil` if the event that it is of is not in this history, or retired.
  func goneOn(
    from held: StartingPoint<Machine>, to end: (sequence: UInt64, chain: UInt32), acceptsLost: Bool
  ) throws(HistoryError) -> StartingPoint<Machine>? {
    try requireOwnDomain()
    let place = (sequence: held.replay.sequence, chain: held.replay.chain)
    guard place.sequence + 1 >= firstSequence, place.sequence <= end.sequence else { return nil }
    var start = held
    start.replay = bounded(start.replay)
    if place.sequence == end.sequence { return place.chain == end.chain ? start : nil }
    if place.sequence == 0 {
      // Nothing precedes the first event.
      try forEachRaw(after: 0, upTo: end.sequence) { (event) throws(HistoryError) in
        try fold(event, into: &start, acceptsLost: acceptsLost)
      }
      return start
    }
    let refusal = try forEachRaw(after: place, upTo: end.sequence) { (event) throws(HistoryError) in
      try fold(event, into: &start, acceptsLost: acceptsLost)
    }
    return refusal == nil ? start : nil
  }
}

/// What ``EventStore/resume()`` found.
public struct ResumptionReport: Sendable {
  /// The last event when the store was suspended.
  public let before: UInt64
  /// The last event now. Other processes appended those in between.
  public let after: UInt64
  /// Number of events read to get there; more or fewer than those in between where the position had been retired.
  public let readEvents: UInt64
  /// The findings of the journal's recovery.
  public let recovery: RecoveryReport
}

extension JournalError.Code {
  /// The store is suspended, and has released the journal.
  public static let suspended = JournalError.Code("suspended")
}

extension JournalError {
  @usableFromInline static let suspended = JournalError(
    .suspended, "the store is suspended and has released the journal", remedy: "resume it, then try again")

  static let storeClosed = JournalError(
    .closed, "the store was closed, and not only suspended", remedy: "open it again")

  fileprivate static func replaced(_ found: JournalID, _ own: JournalID, at path: String) -> JournalError {
    JournalError(
      .conflict, "the journal was replaced while the store was suspended: it is journal \(found) now, and was \(own)",
      remedy: "open a new store on it", file: path)
  }

  fileprivate static func takenBack(_ sequence: UInt64, at path: String) -> JournalError {
    JournalError(
      .conflict,
      "the journal no longer holds event \(sequence), which the store had acknowledged before it was suspended",
      remedy: "look at the journal, then open a new store on it", file: path, sequence: sequence)
  }
}
