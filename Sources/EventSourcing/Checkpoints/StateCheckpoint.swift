import WireFormat

/// The contents of a store's checkpoint: a state, and what must agree before it is trusted.
///
/// Its bytes, in Protocol Buffers wire format, are the body of a journal's checkpoint file:
///
/// | field | type | |
/// |---|---|---|
/// | 1 | `uint64` | the reducer's revision |
/// | 2 | `bytes` | the catalogue's fingerprint |
/// | 3 | `bytes` | the combined canonical state digest; replaced by field 7 |
/// | 4 | repeated message | a slice: 1 name, 2 canonical encoding |
/// | 5 | repeated message | a command still recognised: 1 key, 2 fingerprint, 3 first event, 4 last event |
/// | 6 | `bool` | in a keyframe: whether field 5 lists every such command, as it does in a checkpoint |
/// | 7 | `bytes` | the combined Merkle digest of the state |
struct StateCheckpoint: Equatable, Sendable {
  struct Slice: Equatable, Sendable {
    var name: String
    var bytes: [UInt8]
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

  /// A checkpoint of `state`.
  init<Machine: Reducer>(of state: Machine.State, digest: StateDigest, window: IdempotencyWindow, by: Machine.Type) {
    reducerRevision = Machine.revision
    catalogFingerprint = Machine.Event.catalog.fingerprint().bytes
    stateDigest = digest.combined.bytes
    slices = Machine.State.sliceNames.enumerated().map { Slice(name: $1, bytes: state.encodedSlice($0)) }
    self.window = window
  }

  /// A keyframe of `state`. If many commands had keys, listing them would take more room than the events between two
  /// keyframes; the keyframe then lists none, and a store continues from a checkpoint.
  init<Machine: Reducer>(
    keyframeOf state: Machine.State, digest: StateDigest, window: IdempotencyWindow, by machine: Machine.Type
  ) {
    let isListed = window.count <= IdempotencyWindow.keyframeCapacity
    self.init(of: state, digest: digest, window: isListed ? window : IdempotencyWindow(), by: machine)
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
    if scheme == .canonical { writer.write(3, bytes: stateDigest) }
    for slice in slices {
      writer.write(
        4,
        message: {
          $0.write(1, string: slice.name)
          $0.write(2, bytes: slice.bytes)
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
        })
    }
    writer.write(6, bool: listsEveryCommand)
    if scheme == .merkle { writer.write(7, bytes: stateDigest) }
    return writer.bytes
  }

  /// Decodes a body without checking it against this program.
  init(from reader: inout WireReader) throws(WireError) {
    var canonical: [UInt8] = []
    while let field = try reader.nextField() {
      switch field.number {
      case 1: reducerRevision = try reader.unsigned(field, as: UInt32.self)
      case 2: catalogFingerprint = try reader.bytes(field)
      case 3: canonical = try reader.bytes(field)
      case 4:
        slices.append(try reader.message(field) { (inner) throws(WireError) in try Slice(from: &inner) })
      case 5:
        window.insert(
          try reader.message(field) { (inner) throws(WireError) in try IdempotencyWindow.Entry(from: &inner) })
      case 6: listsEveryCommand = try reader.bool(field)
      case 7: stateDigest = try reader.bytes(field)
      default: try reader.skip(field)
      }
    }
    if stateDigest.isEmpty, !canonical.isEmpty { (stateDigest, scheme) = (canonical, .canonical) }
  }

  /// The state, if the reducer's revision, the catalogue, the slices and the digest of the decoded state all match this
  /// program.
  func restore<Machine: Reducer>(as machine: Machine.Type) throws(CheckpointRefusal) -> Machine.State {
    var digester = StateDigester<Machine.State>()
    return try restore(as: machine, digester: &digester)
  }

  /// Does the same with a digester that then digests later states.
  func restore<Machine: Reducer>(
    as machine: Machine.Type, digester: inout StateDigester<Machine.State>
  ) throws(CheckpointRefusal) -> Machine.State {
    guard reducerRevision == Machine.revision else {
      throw .otherReducer(recorded: reducerRevision, current: Machine.revision)
    }
    guard catalogFingerprint == Machine.Event.catalog.fingerprint().bytes else { throw .otherCatalog }
    guard slices.map(\.name) == Machine.State.sliceNames else { throw .otherSlices(recorded: slices.map(\.name)) }
    var state = Machine.initialState
    for (index, slice) in slices.enumerated() {
      do throws(WireError) {
        try WireReader.decode(slice.bytes) { (reader) throws(WireError) in
          try state.decodeSlice(index, from: &reader)
        }
      } catch {
        throw .unreadableSlice(name: slice.name, error)
      }
    }
    let digest = digester.combined(of: state, as: scheme)
    guard digest.bytes == stateDigest else {
      throw .otherDigest(recorded: Digest(bytes: stateDigest), decoded: digest)
    }
    return state
  }
}

extension StateCheckpoint.Slice {
  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(name: "", bytes: [])
    while let field = try reader.nextField() {
      switch field.number {
      case 1: name = try reader.string(field)
      case 2: bytes = try reader.bytes(field)
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
      default: try reader.skip(field)
      }
    }
  }
}
