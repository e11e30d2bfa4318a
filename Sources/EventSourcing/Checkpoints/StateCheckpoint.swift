import WireFormat

/// The contents of a store's checkpoint: a state, and what must agree before it is trusted.
///
/// Its bytes, in Protocol Buffers wire format, are the body of a journal's checkpoint file:
///
/// | field | type | |
/// |---|---|---|
/// | 1 | `uint32` | the reducer's revision |
/// | 2 | `bytes` | the fingerprint of the catalogue |
/// | 3 | `bytes` | the combined canonical digest of the slices as they are stored |
/// | 4 | repeated message | a slice: 1 name, 2 canonical encoding, 3 whether programs without it may leave it out |
/// | 5 | repeated message | a command still recognised: 1 key, 2 fingerprint, 3 first event, 4 last event, 5 whether both are HMACs |
/// | 6 | `bool` | in a keyframe: whether field 5 lists every such command, as it does in a checkpoint |
/// | 7 | `bytes` | the combined Merkle digest of the state; without it and field 9, field 3 is the state's digest |
/// | 8 | repeated message | what the state lacks: 1 event type, 2 version, 3 slice, 4 the last event at which it was left out, 5 the field of the slice |
/// | 9 | `bytes` | in place of field 7: the combined digest of the state that its field list says |
/// | 10 | `bytes` | field 19 of the envelope that had it last: what tells the keys of a sealed journal from others |
/// | 11 | message | the last event of each entity, as ``EntityVersions`` writes it |
struct StateCheckpoint: Equatable, Sendable {
  struct Slice: Equatable, Sendable {
    var name: String
    var bytes: [UInt8]
    /// Whether a program that does not know the slice may leave it out.
    var isIgnorable = false
  }

  var reducerRevision: UInt32 = 0
  var catalogFingerprint: [UInt8] = []
  var stateDigest: [UInt8] = []
  /// How ``stateDigest`` was computed.
  var scheme = StateDigest.Scheme.merkle
  var slices: [Slice] = []
  var window = IdempotencyWindow()
  /// Whether a keyframe's window is complete for its position, so that a store can continue from it.
  var listsEveryCommand = false
  /// What the state lacks because the programs that computed it did not know it.
  var leftOut = OmittedContent()
  /// The canonical digest of the slices as they were stored: whatever a later program makes of them, it covers them.
  var storedDigest: [UInt8] = []
  /// ``EntityVersions``, if the domain has entities. No digest covers them: they follow from the events.
  var entities: [UInt8] = []

  /// A checkpoint of `state`.
  init<Machine: Reducer>(
    of state: Machine.State, digest: StateDigest, window: IdempotencyWindow,
    lacking leftOut: OmittedContent = OmittedContent(),
    by: Machine.Type
  ) {
    reducerRevision = Machine.revision
    catalogFingerprint = Machine.Event.catalog.fingerprint().bytes
    stateDigest = digest.combined.bytes
    scheme = digest.scheme
    slices = Machine.State.sliceNames.enumerated().map {
      Slice(
        name: $1, bytes: state.encodedSlice($0), isIgnorable: Machine.State.ignorableSlices.contains($1))
    }
    storedDigest = Self.digest(of: slices)
    self.window = window
    self.leftOut = leftOut
  }

  /// The canonical digest of slices as they are stored.
  static func digest(of slices: [Slice]) -> [UInt8] {
    StateDigest(slices: slices.map { StateDigest.Slice(name: $0.name, digest: .sha256($0.bytes)) }, as: .canonical)
      .combined.bytes
  }

  /// A keyframe of `state`. If many commands had keys, listing them would take more room than the events between two
  /// keyframes; the keyframe then lists none, and a store continues from a checkpoint.
  init<Machine: Reducer>(
    keyframeOf state: Machine.State, digest: StateDigest, window: IdempotencyWindow, lacking leftOut: OmittedContent,
    by machine: Machine.Type
  ) {
    let isListed = window.count <= IdempotencyWindow.keyframeCapacity
    self.init(of: state, digest: digest, window: isListed ? window : IdempotencyWindow(), lacking: leftOut, by: machine)
    listsEveryCommand = isListed
  }

  /// Decodes a body.
  init(bytes: [UInt8]) throws(CheckpointRefusal) {
    do throws(WireError) {
      self = try WireReader.decode(bytes) { (reader) throws(WireError) in try StateCheckpoint(from: &reader) }
    } catch {
      throw .unreadableBody(error)
    }
  }

  func encode() -> [UInt8] {
    var writer = WireWriter()
    writer.write(1, unsigned: UInt64(reducerRevision))
    writer.write(2, bytes: catalogFingerprint)
    writer.write(3, bytes: scheme == .canonical ? stateDigest : storedDigest)
    for slice in slices {
      writer.write(
        4,
        message: {
          $0.write(1, string: slice.name)
          $0.write(2, bytes: slice.bytes)
          $0.write(3, bool: slice.isIgnorable)
        })
    }
    for entry in window.inOrder {
      writer.write(
        5,
        message: {
          $0.write(1, bytes: entry.key)
          $0.write(2, bytes: entry.fingerprint)
          $0.write(3, unsigned: entry.first)
          $0.write(4, unsigned: entry.last)
          $0.write(5, bool: entry.isSealed)
        })
    }
    writer.write(6, bool: listsEveryCommand)
    if scheme == .merkle { writer.write(7, bytes: stateDigest) }
    for part in leftOut.parts { writer.write(8, message: { part.encode(into: &$0) }) }
    if scheme == .listed { writer.write(9, bytes: stateDigest) }
    writer.write(10, bytes: window.keyCheck)
    writer.write(11, bytes: entities)
    return writer.bytes
  }

  /// Decodes a body without checking it against this program.
  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: reducerRevision = try reader.unsigned(field, as: UInt32.self)
      case 2: catalogFingerprint = try reader.bytes(field)
      case 3: storedDigest = try reader.bytes(field)
      case 4:
        slices.append(try reader.message(field) { (inner) throws(WireError) in try Slice(from: &inner) })
      case 5:
        window.insert(
          try reader.message(field) { (inner) throws(WireError) in try IdempotencyWindow.Entry(from: &inner) })
      case 6: listsEveryCommand = try reader.bool(field)
      case 7: stateDigest = try reader.bytes(field)
      case 8:
        leftOut.add(try reader.message(field) { (inner) throws(WireError) in try OmittedContent.Part(from: &inner) })
      case 9: (stateDigest, scheme) = (try reader.bytes(field), .listed)
      case 10: window.keyCheck = try reader.bytes(field)
      case 11: entities = try reader.bytes(field)
      default: try reader.skip(field)
      }
    }
    if stateDigest.isEmpty, !storedDigest.isEmpty { (stateDigest, scheme) = (storedDigest, .canonical) }
  }
}

extension StateCheckpoint.Slice {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(name: "", bytes: [])
    while let field = try reader.nextField() {
      switch field.number {
      case 1: name = try reader.string(field)
      case 2: bytes = try reader.bytes(field)
      case 3: isIgnorable = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
  }
}

extension IdempotencyWindow.Entry {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(key: [], fingerprint: [], first: 0, last: 0)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: key = try reader.bytes(field)
      case 2: fingerprint = try reader.bytes(field)
      case 3: first = try reader.unsigned(field)
      case 4: last = try reader.unsigned(field)
      case 5: isSealed = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
  }
}
