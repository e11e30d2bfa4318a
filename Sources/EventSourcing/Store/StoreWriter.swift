import Journal
import WireFormat

/// The working state of the command in progress.
@usableFromInline
struct StoreWriter<Machine: Decider>: ~Copyable, Sendable {
  /// Writes the events; closed while the store is suspended.
  @usableFromInline var journal: JournalWriter
  /// Whether commands are accepted.
  @usableFromInline var phase = StorePhase.open
  /// The state after the last batch.
  @usableFromInline var version: StateVersion<Machine.State>
  /// The commands recognised when repeated.
  @usableFromInline var window: IdempotencyWindow
  @usableFromInline var digester = StateDigester<Machine.State>()
  @usableFromInline var envelopes: EnvelopeBatch
  @usableFromInline var keyframes: KeyframeSchedule
  /// The versions of the entities, once one was asked for or a checkpoint written.
  @usableFromInline var entities: EntityVersions?
  /// What the state lacks.
  var leftOut: OmittedContent
  /// Whether the journal is sealed, and the store has no keys for it.
  @usableFromInline var lacksKeys: Bool
  /// Whether the journal may record the store's keys as its own.
  @usableFromInline var mayRecordKeys: Bool

  init(
    _ journal: JournalWriter, _ version: StateVersion<Machine.State>, window: IdempotencyWindow,
    lacking leftOut: OmittedContent, lacksKeys: Bool, mayRecordKeys: Bool, digestScheme: StateDigest.Scheme,
    keyframesEvery interval: UInt64
  ) {
    self.journal = journal
    self.leftOut = leftOut
    self.lacksKeys = lacksKeys
    self.mayRecordKeys = mayRecordKeys
    self.version = version
    self.window = window
    keyframes = KeyframeSchedule(every: interval, after: version.sequence)
    envelopes = EnvelopeBatch(
      Machine.Event.catalog.entries + [StateMigration.descriptor], processStart: Machine.processStart,
      digestScheme: digestScheme)
  }

  /// Encodes events as a batch after those already in ``envelopes``; on failure leaves these unchanged.
  ///
  /// - Parameter digest: The digest of the state after the last event, if it is recorded.
  @inlinable
  mutating func encode(
    _ events: [Machine.Event], from origin: borrowing EnvelopeBatch.Origin, digest: Digest?
  ) throws(JournalError) {
    for index in events.indices {
      do throws(JournalError) {
        try envelopes.add(
          type: events[index].type, from: origin, because: Machine.cause(of: index, among: events),
          digest: index == events.count - 1 ? digest : nil
        ) { events[index].encodeBody(into: &$0) }
        if let version = envelopes.versionToReadBack {
          try events[index].checkReadBack(version: version)
          envelopes.recordReadBack()
        }
      } catch {
        envelopes.removeUnended()
        throw error
      }
    }
    envelopes.endCommand()
  }
}

/// Whether a store accepts commands.
@usableFromInline
enum StorePhase: Sendable {
  /// It owns the journal.
  case open
  /// It has released the journal, and may take it again.
  case suspended
  /// It has released the journal for good.
  case closed
}

extension EventStore {
  /// Stores the state after the last batch as a keyframe, if one is due. On closing, stores only one that is small relative to the
  /// events since the last keyframe, so that short sessions with a large state do not fill the disk.
  @usableFromInline
  func writeKeyframe(_ writer: inout StoreWriter<Machine>, isClosing: Bool = false) {
    let version = writer.version
    guard isClosing || beginKeyframes(&writer) else { return }
    let body = StateCheckpoint(
      keyframeOf: version.state, digest: writer.digester.digest(of: version.state), window: writer.window,
      lacking: writer.leftOut, by: Machine.self
    ).encode()
    if isClosing {
      guard writer.keyframes.spacing.hasRoom(for: body.count, at: version.sequence) else { return }
      _ = beginKeyframes(&writer)
    }
    writer.keyframes.write(body, sequence: version.sequence, chain: version.chain)
  }

  private func beginKeyframes(_ writer: inout StoreWriter<Machine>) -> Bool {
    writer.keyframes.begin(at: writer.version.sequence, of: writer.journal) { sequence in
      guard var history = try? History<Machine>(at: path, of: options.journal, fileSystem: fileSystem) else {
        return nil
      }
      history.goesBeyondDamage = true
      return try? history.chain(at: sequence)
    }
  }
}
