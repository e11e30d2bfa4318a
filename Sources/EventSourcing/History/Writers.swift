import Journal

/// The programs that wrote a history, as far as the catalogues in its segments name them.
@usableFromInline
struct Writers: Sendable {
  /// The events that one program wrote, up to the next span.
  struct Span: Sendable {
    /// The first of them.
    var first: UInt64
    /// The revision of the rules that computed its states; `nil` if that is not stated.
    var revision: UInt32?
    /// The slices that its digests cover, by their places in this program; `nil` for all.
    var slices: [Int]?
    /// Whether its digests can be compared. Those of a program that may have left out events, or had slices that this
    /// program does not know, cannot.
    var isComparable = true
    /// Whether another program than this one wrote them, whose states may hold what this one leaves out.
    var isOfOther = false
  }

  private(set) var spans: [Span] = []
  /// The first event whose writer had a slice that must be understood and is unknown here, and its name; without a name
  /// where no copy of that writer's catalogue can be read, which may have one.
  private(set) var unknownSlice: (first: UInt64, name: String?)?

  /// The first event whose writer had an event type that must be understood, or a version of one, that is unknown here.
  private(set) var unknownEvents = UInt64.max

  /// No program is named.
  init() {}

  /// - Parameter reader: The journal.
  init<Machine: Reducer>(of reader: JournalReader, for machine: Machine.Type) {
    let own = try? Machine.journalDomain().digest
    let claims = reader.claimedCatalogs(besides: own)
    guard claims.contains(where: { $0.digest != nil && $0.digest != own }) else { return }
    // This program went on after the events before its own last span, when it could still read all catalogues.
    let lastOwn = claims.lastIndex { $0.digest != nil && $0.digest == own } ?? -1
    var seen: [UInt32: UInt32] = [:]
    for (index, claim) in claims.enumerated() {
      let isOwn = claim.digest != nil && claim.digest == own
      let catalog = claim.bytes.flatMap { try? EventCatalog(decoding: $0) }
      if claim.digest != nil, catalog == nil, index > lastOwn {
        unknownSlice = unknownSlice ?? (claim.first, nil)
        unknownEvents = min(unknownEvents, claim.first)
      }
      append(catalog, from: claim.first, isOwn: isOwn, isNamed: claim.digest != nil, &seen, machine)
    }
  }

  /// - Parameter seen: The types known here that the programs so far had, with the latest known version.
  private mutating func append<Machine: Reducer>(
    _ catalog: EventCatalog?, from first: UInt64, isOwn: Bool, isNamed: Bool, _ seen: inout [UInt32: UInt32],
    _ machine: Machine.Type
  ) {
    var span = Span(first: first)
    let known = Machine.Event.catalog
    for entry in (isOwn ? known : catalog)?.entries ?? [] {
      guard let own = known[entry.number] else { continue }
      seen[entry.number] = max(seen[entry.number] ?? 0, min(own.version, entry.version))
    }
    let hasUnknown = catalog?.entries.contains {
      $0.unknownReaders == .mustUnderstand && $0.number != StateMigration.type
        && $0.version > known[$0.number]?.version ?? 0
    }
    if !isOwn, hasUnknown == true { unknownEvents = min(unknownEvents, first) }
    if isOwn { span.revision = Machine.revision }
    if isNamed, !isOwn {
      span.isOfOther = true
      span.isComparable = seen.allSatisfy { type, version in (catalog?[type]?.version ?? 0) >= version }
    }
    if let state = catalog?.state {
      span.revision = state.revision
      let names = Machine.State.sliceNames
      let places = state.slices.compactMap { names.firstIndex(of: $0.name) }
      span.slices = places == Array(names.indices) ? nil : places
      if places.count < state.slices.count { span.isComparable = false }
      let strange = state.slices.first { $0.unknownReaders == .mustUnderstand && !names.contains($0.name) }
      if let strange, unknownSlice == nil { unknownSlice = (first, strange.name) }
    }
    spans.append(span)
  }

  /// The place of the span that holds an event, at or after another place; `nil` if the programs are not named.
  func place(of sequence: UInt64, from start: Int = 0) -> Int? {
    guard start < spans.count, spans[start].first <= sequence || start == 0 else { return nil }
    var place = start
    while place + 1 < spans.count, spans[place + 1].first <= sequence { place += 1 }
    return place
  }
}

extension History {
  /// The programs that wrote the history.
  @usableFromInline var writers: Writers { writing.value { Writers(of: reader, for: Machine.self) } }

  /// A replay that goes on from a stored state.
  func replay(
    from state: Machine.State, _ body: StateCheckpoint, after sequence: UInt64, chain: UInt32
  ) -> Replay<Machine> {
    var replay = bounded(Replay<Machine>(from: state, after: sequence, chain: chain))
    replay.leftOut = body.lacking(at: sequence, in: Machine.State.sliceNames)
    return replay
  }

  /// Refuses a state that another program stored after events that this program may have to understand: only the events
  /// tell whether it does.
  func requireKnownEvents(before body: StateCheckpoint, at sequence: UInt64) throws(CheckpointRefusal) {
    guard sequence >= writers.unknownEvents, body.catalogFingerprint != Machine.Event.catalog.fingerprint().bytes
    else { return }
    throw .unknownEvents
  }

  /// Whether this program may do without a field that another one stored in a slice: the field depends only on event types and
  /// versions that this program does not know, so it may if it may leave out all of these.
  func mayLeaveOutFields(of body: StateCheckpoint, at sequence: UInt64) -> Bool {
    let place = max(sequence, firstSequence)
    let others = writers.spans.filter { $0.isOfOther && $0.first <= place }
    return place < writers.unknownEvents && !others.isEmpty && others.allSatisfy { $0.revision != nil }
  }

  /// A replay that ends where the history has parts of a state that must be understood.
  func bounded(_ replay: Replay<Machine>) -> Replay<Machine> {
    guard let (first, name) = writers.unknownSlice else { return replay }
    var replay = replay
    (replay.barrier, replay.unknownSlice) = (first, name)
    return replay
  }
}
