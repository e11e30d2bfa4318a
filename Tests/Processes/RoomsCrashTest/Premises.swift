import EventSourcing
import EventSourcingKit
import FileProtection
import Journal
import RoomsDomain

/// Where a house's files are.
struct Premises {
  let folder: String
  var journal: String { "\(folder)/journal" }

  /// Makes the folder and an empty key file.
  func begin() throws {
    try PosixFileSystem().createDirectory(folder)
    _ = try keys(create: true)
  }

  private func keys(create: Bool) throws -> JournalKeys {
    let wrapping = SecretKey(bytes: [UInt8](repeating: 7, count: SecretKey.byteCount))
    let file = try FileKeyStore(
      at: "\(folder)/keys", create: create,
      wrappingKey: { () throws(KeyStoreError) in
        guard let wrapping else { throw KeyStoreError(.unavailable, "no wrapping key", remedy: "Look at its length") }
        return wrapping
      }, randomBytes: { SystemRandom.bytes($0) })
    return JournalKeys(store: file, scope: "rooms-crash-test")
  }

  /// Opens the journal, or creates it, and all that follows it.
  func open(_ journal: JournalOptions) throws -> Desk {
    var options = StoreOptions()
    options.journal = journal
    options.keptCheckpointCount = 2
    options.keyframeInterval = 16
    options.sealing = try keys(create: false).sealing
    return try Desk(EventStore<House>.open(at: self.journal, create: true, options: options))
  }
}

/// A store, its read model and its confirmations.
struct Desk {
  let store: EventStore<House>
  let models: Projections<House>
  let demand: ReadModel<DemandProjection>
  let mails: EventSubscription<House>

  init(_ store: EventStore<House>) throws {
    self.store = store
    models = Projections(store)
    demand = try models.add(DemandProjection.self, storage: .checkpoints(every: 8))
    mails = try EventSubscription(to: store, named: "mails", startingAt: .firstKept)
  }

  /// Brings the read model up to the last event.
  func catchUp() throws {
    for health in models.catchUp() {
      if let error = health.lastError ?? health.savingError { throw error }
    }
  }
}
