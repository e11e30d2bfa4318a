import Journal
import WireFormat

/// Where a ``ReadModel`` has its state besides memory.
public enum ProjectionStorage: Equatable, Sendable {
  /// Nowhere: it is computed when the program starts, from the first event or from what
  /// ``EventStore/retire(before:keepingStates:)`` kept.
  case memory
  /// In a file beside the journal, written after at least so many events and by ``Projections/save()``; the program starts with
  /// it.
  case checkpoints(every: UInt64 = 1024)
}

/// The states of a projection in files of the journal's folder, which no reader of the journal takes for its own:
///
/// | field | type | |
/// |---|---|---|
/// | 1 | `bytes` | the journal's identity |
/// | 2 | `uint64` | the last event in the state |
/// | 3 | `uint64` | the journal's chain after it |
/// | 4 | `bytes` | the state, as in the body of a checkpoint |
/// | 5 | `bytes` | the SHA-256 of the fields before |
struct ProjectionFiles<Model: Projection>: Sendable {
  enum Kind: String {
    /// The state that the program starts with.
    case checkpoint = "projection"
    /// The state after the retired events, with which a rebuilding begins.
    case base = "base"
  }

  /// What a file holds.
  struct Stored {
    var version: StateVersion<Model.State>
    /// The revision of the projection that computed it. The state of another is as today's fields read it.
    var revision: UInt32
  }

  /// The longest file that is written and read.
  private static var maximumLength: UInt64 { 1 << 30 }

  let folder: String
  let fileSystem: any FileSystem
  let journal: JournalID
  let sealing: Sealing?

  private func path(_ kind: Kind) -> String { "\(folder)/\(Model.name).\(kind.rawValue)" }

  /// The state that a projection begins with: the initial one, or where the first events are retired what was kept of them, or
  /// what it makes of the domain's oldest state.
  func origin(in history: History<Model.Domain>) throws(ProjectionError) -> StateVersion<Model.State> {
    guard history.firstSequence > 1 else {
      return StateVersion(state: Model.initialState, sequence: 0, chain: (try? history.chain(at: 0)) ?? 0)
    }
    if let kept = try read(.base), kept.revision == Model.revision, try fits(kept, history) { return kept.version }
    let start = try ProjectionError.reading(for: Model.name) { () throws(HistoryError) in
      try history.oldestState(openedBy: sealing)
    }
    guard let state = Model.initialState(from: start.state, at: start.sequence) else {
      throw .gone(Model.name, upTo: history.firstSequence - 1)
    }
    return StateVersion(state: state, sequence: start.sequence, chain: start.chain)
  }

  /// Whether a stored state is one of this history.
  ///
  /// - Throws: ``ProjectionError`` if that cannot be read now.
  func fits(_ stored: Stored, _ history: History<Model.Domain>) throws(ProjectionError) -> Bool {
    try ProjectionError.reading(for: Model.name) { () throws(HistoryError) in
      try history.contains(stored.version.sequence, chain: stored.version.chain, of: journal)
    }
  }

  /// Reads a file; `nil` if there is none, or none of this journal that can be trusted.
  ///
  /// - Throws: ``ProjectionError`` if it cannot be read now, or if its personal data cannot be opened: it would seem to be erased.
  func read(_ kind: Kind) throws(ProjectionError) -> Stored? {
    let bytes: [UInt8]?
    do {
      bytes = try fileSystem.wholeFile(at: path(kind), in: folder, upTo: Self.maximumLength)
    } catch {
      throw .unread(Model.name, path(kind), error)
    }
    guard let bytes,
      let stored = try? WireReader.decode(bytes, { (reader) throws(WireError) in try decode(&reader) })
    else { return nil }
    guard let sealing else { return stored }
    let version = stored.version
    var state = version.state
    do throws(HistoryError) {
      try sealing.open(&state, domain: Model.Domain.Event.domain)
    } catch {
      throw .history(Model.name, error)
    }
    return Stored(
      version: StateVersion(state: state, sequence: version.sequence, chain: version.chain), revision: stored.revision)
  }

  private func decode(_ reader: inout WireReader) throws(WireError) -> Stored? {
    var (id, body, digest): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
    var (sequence, chain): (UInt64, UInt32) = (0, 0)
    while let field = try reader.nextField() {
      switch field.number {
      case 1: id = try reader.bytes(field)
      case 2: sequence = try reader.unsigned(field)
      case 3: chain = try reader.unsigned(field, as: UInt32.self)
      case 4: body = try reader.bytes(field)
      case 5: digest = try reader.bytes(field)
      default: try reader.skip(field)
      }
    }
    guard id == journal.bytes, Self.fields(id, sequence, chain, body).digest == digest,
      let stored = try? StateCheckpoint(bytes: body), let state = try? Self.state(in: stored)
    else { return nil }
    return Stored(
      version: StateVersion(state: state, sequence: sequence, chain: chain), revision: stored.reducerRevision)
  }

  private static func state(in stored: StateCheckpoint) throws -> Model.State {
    if stored.reducerRevision == Model.revision { return try stored.restore(as: StoredProjection<Model>.self) }
    return try stored.stored(for: StoredProjection<Model>.self).decoded()
  }

  /// Writes a file, so that a power cut leaves the old one or the new one.
  func write(_ version: StateVersion<Model.State>, to kind: Kind) throws(ProjectionError) {
    let body = StateCheckpoint(
      of: version.state, digest: StateDigest(of: version.state), window: IdempotencyWindow(),
      by: StoredProjection<Model>.self
    ).encode()
    var (writer, digest) = Self.fields(journal.bytes, version.sequence, version.chain, body)
    writer.write(5, bytes: digest)
    guard writer.bytes.count <= Self.maximumLength else { throw .unreadable(Model.name, to: path(kind)) }
    do throws(FileSystemError) {
      try fileSystem.replaceFile(at: path(kind), in: folder, with: writer.bytes)
    } catch {
      throw .file(Model.name, error)
    }
  }

  /// Writes the state that takes the place of events, and makes sure that it can be read: they go next.
  func keep(_ version: StateVersion<Model.State>) throws(ProjectionError) {
    try write(version, to: .base)
    let kept: Stored?
    do throws(ProjectionError) {
      kept = try read(.base)
    } catch  where error.code == .file {
      kept = nil
    }
    guard kept?.version.sequence == version.sequence else { throw .unreadable(Model.name, to: path(.base)) }
  }

  private static func fields(
    _ id: [UInt8], _ sequence: UInt64, _ chain: UInt32, _ body: [UInt8]
  ) -> (writer: WireWriter, digest: [UInt8]) {
    var writer = WireWriter()
    writer.write(1, bytes: id)
    writer.write(2, unsigned: sequence)
    writer.write(3, unsigned: UInt64(chain))
    writer.write(4, bytes: body)
    return (writer, Digest.sha256(writer.bytes).bytes)
  }
}
