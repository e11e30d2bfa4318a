import WireFormat

extension StateCheckpoint {
  /// The state, if this revision of the rules computed it, it lacks nothing that this program knows, this program may
  /// do without the slices it does not know, and the digest that was recorded is that of the decoded state.
  func restore<Machine: Reducer>(
    as machine: Machine.Type, keptFrom first: UInt64 = 1, asLastResort: Bool = false
  ) throws(CheckpointRefusal) -> Machine.State {
    var digester = StateDigester<Machine.State>()
    return try restore(as: machine, keptFrom: first, asLastResort: asLastResort, digester: &digester)
  }

  /// Does the same with a digester that then digests later states.
  ///
  /// - Parameters:
  ///   - first: If no complete state is stored, the first event that the journal still keeps: what was left out before it
  ///     cannot be folded again.
  ///   - asLastResort: Whether nothing else holds the state. Then what the state lacks does not matter, and the digest of
  ///     the slices as they are stored is enough: new fields may have changed that of the decoded ones. The caller looks for
  ///     fields that were dropped.
  func restore<Machine: Reducer>(
    as machine: Machine.Type, keptFrom first: UInt64 = 1, asLastResort: Bool = false,
    digester: inout StateDigester<Machine.State>
  ) throws(CheckpointRefusal) -> Machine.State {
    guard reducerRevision == Machine.revision else {
      throw .otherReducer(recorded: reducerRevision, current: Machine.revision)
    }
    if !asLastResort, !leftOut.parts.isEmpty {
      let isOwn = isOwn(machine)
      let part = leftOut.parts.first { $0.last >= first && $0.isKnown(to: machine, isOwn: isOwn) }
      if let part { throw .leftOut(what: part.text(in: machine)) }
    }
    var state = Machine.initialState
    let names = Machine.State.sliceNames
    // The usual case needs no look at each name.
    let isSame = slices.count == names.count && zip(slices, names).allSatisfy { $0.name == $1 }
    let places = isSame ? names.indices.map(Optional.init) : try places(in: names)
    for (slice, index) in zip(slices, places) {
      guard let index else { continue }
      do throws(WireError) {
        try WireReader.decode(slice.bytes) { (reader) throws(WireError) in
          try state.decodeSlice(index, from: &reader)
        }
      } catch {
        throw .unreadableSlice(name: slice.name, error)
      }
    }
    try verify(state, places, isSame: isSame, asLastResort: asLastResort, &digester)
    return state
  }

  /// Where this program has the slices; `nil` for those that it leaves out.
  private func places(in names: [String]) throws(CheckpointRefusal) -> [Int?] {
    var places: [Int?] = []
    var seen: Set<String> = []
    for slice in slices {
      guard seen.insert(slice.name).inserted else { throw .repeatedSlice(name: slice.name) }
      let place = names.firstIndex(of: slice.name)
      guard place != nil || slice.isIgnorable else { throw .unknownSlice(name: slice.name) }
      places.append(place)
    }
    return places
  }

  /// Compares the recorded digest with that of what was recorded: a slice that was added since is not in it.
  private func verify<State: MachineState>(
    _ state: State, _ places: [Int?], isSame: Bool, asLastResort: Bool, _ digester: inout StateDigester<State>
  ) throws(CheckpointRefusal) {
    let known = places.compactMap(\.self)
    let digest =
      isSame
      ? digester.combined(of: state, as: scheme) : digester.combined(of: state, as: scheme, slices: known)
    if known.count == slices.count, digest.bytes == stateDigest { return }
    guard !storedDigest.isEmpty, storedDigest == Self.digest(of: slices) else {
      throw .otherDigest(recorded: Digest(bytes: stateDigest), decoded: digest)
    }
    guard !asLastResort else { return }
    if let unread = unreadFields(in: state).first { throw .unknownField(field: unread.field, slice: unread.slice.name) }
    // The digest of a slice that this program does not know can only be computed from its bytes.
    guard known.count < slices.count else {
      throw .otherDigest(recorded: Digest(bytes: stateDigest), decoded: digest)
    }
  }

  /// Whether a program with the catalogue of this one stored it.
  func isOwn<Machine: Reducer>(_ machine: Machine.Type) -> Bool {
    catalogFingerprint == Machine.Event.catalog.fingerprint().bytes
  }

  /// The slices of which this program dropped a field in reading them, each with the first such field.
  ///
  /// - Parameter state: What it made of them.
  func unreadFields<State: MachineState>(in state: State) -> [(slice: Slice, field: String)] {
    let names = State.sliceNames
    return slices.compactMap { slice in
      guard let index = names.firstIndex(of: slice.name),
        let field = UnreadFields.first(in: slice.bytes, keptAs: state.encodedSlice(index))
      else { return nil }
      return (slice, field)
    }
  }

  /// What a state continued from this one lacks: what this one lacks, and the slices that this program leaves out.
  ///
  /// - Parameter sequence: The event after which this one was stored.
  func lacking(at sequence: UInt64, in names: [String]) -> OmittedContent {
    var leftOut = leftOut
    for slice in slices where !names.contains(slice.name) {
      leftOut.add(OmittedContent.Part(slice: slice.name, last: sequence))
    }
    return leftOut
  }

  /// The slices for ``Reducer/migrate(_:)``, if they are as they were stored.
  func stored<Machine: Reducer>(for machine: Machine.Type) throws(CheckpointRefusal) -> StoredState<Machine.State> {
    // Checkpoints of format 1.0 record the canonical digest as that of the state; some of 1.1 have none.
    let digest = Self.digest(of: slices)
    guard storedDigest.isEmpty || storedDigest == digest else {
      throw .otherDigest(recorded: Digest(bytes: storedDigest), decoded: Digest(bytes: digest) ?? .sha256([]))
    }
    return StoredState(
      slices.map { ($0.name, $0.bytes) }, revision: reducerRevision, initial: Machine.initialState)
  }
}
