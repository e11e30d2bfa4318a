import AppProtection
import AppProtectionKit
import EventSourcing
import EventSourcingKit
import Journal
import ProcessTesting

/// What the processes of a run share: a journal, a spool, and what a command is called.
struct Container {
  let path: String

  var journal: String { path + "/journal" }
  var spool: String { path + "/spool" }

  /// The key under which a command's label stands in the device's configuration.
  static let key = "label"

  /// A command that always leads to one event, which holds its label.
  static func command(_ label: String) -> AppProtectionCommand {
    .setDeviceConfiguration([ConfigurationValue(key, label)])
  }

  /// Small segments, so that they change while others read, and syncs that return before the device is done.
  var options: StoreOptions {
    var options = StoreOptions()
    options.journal.segmentSizeLimit = 16 << 10
    options.journal.preallocation = 0
    return options
  }

  func engine(_ store: EventStore<AppProtectionMachine>) -> PolicyEngine {
    PolicyEngine(
      store: store, service: NoService(), files: NoFiles(),
      spool: SpoolDrain(at: spool, of: store.journal.id))
  }

  /// The labels of the journal's events, in order.
  func labels() throws -> [String] {
    var labels: [String] = []
    var cursor = try History<AppProtectionMachine>(at: journal).events()
    while let item = try cursor.next() {
      guard case .event(let step) = item, case .deviceConfigurationChanged(let change)? = step.record.event else {
        continue
      }
      labels += change.values.filter { $0.key == Self.key }.map(\.text)
    }
    return labels
  }
}

/// No account is enrolled, so nothing is asked.
struct NoService: PolicyService {
  func enroll(_ request: ServiceRequest) async -> ServiceAnswer { .failure(ServiceFailure(.timeout)) }
  func checkIn(_ request: ServiceRequest) async -> ServiceAnswer { .failure(ServiceFailure(.timeout)) }
  func unenroll(_ request: ServiceRequest) async -> ServiceFailure? { ServiceFailure(.timeout) }
  func remediate(_ request: ServiceRequest, isSilent: Bool) async -> RemediationOutcome {
    RemediationOutcome(.notCompliant)
  }
}

/// No account is wiped.
struct NoFiles: FileRemover {
  func removeFiles(of account: AccountNumber) async -> FileRemoval { FileRemoval(count: 0) }
}

/// One of the processes, until it is killed or its input ends.
struct Player {
  /// How many outcomes of a process are kept, as `CommandSpool.outcome(of:)` says.
  private static let keptOutcomes = 64

  let container: Container
  /// What its labels begin with, unlike those of any other process.
  let name: String
  var generator: SeededGenerator
  private var count = 0

  init(_ container: Container, name: String, seed: UInt64) {
    self.container = container
    self.name = name
    generator = SeededGenerator(seed: seed)
  }

  private mutating func nextLabel() -> String {
    count += 1
    return "\(name) \(count)"
  }

  private var isOver: Bool { Platform.receive(from: 0, withinMicroseconds: 0)?.isEmpty == true }

  // MARK: The app

  /// Lines: `open`, `done LABEL`, `suspended`, `resumed`.
  mutating func playApp() async throws {
    let engine = container.engine(try openAsApp())
    try await engine.launch(ProcessStart())
    Platform.tell("open")
    while !isOver {
      switch generator.below(20) {
      case 0:
        try await engine.suspend()
        Platform.tell("suspended")
        Platform.pause(microseconds: UInt64(generator.below(30_000)))
        try await resume(engine)
        Platform.tell("resumed")
      case 1: try engine.store.checkpoint()
      case 2...8:
        let label = nextLabel()
        try await engine.send(Container.command(label))
        Platform.tell("done \(label)")
      default: try await engine.run()
      }
    }
    try await engine.run()
    try await engine.end()
  }

  /// Waits for an extension that writes at the moment.
  private func openAsApp() throws -> EventStore<AppProtectionMachine> {
    while true {
      do throws(HistoryError) {
        return try EventStore.open(at: container.journal, create: true, options: container.options)
      } catch {
        guard case .journal(let reason) = error, reason.code == .locked else { throw error }
        Platform.pause(microseconds: 1000)
      }
    }
  }

  private func resume(_ engine: PolicyEngine) async throws {
    while true {
      do throws(EngineError) {
        try await engine.resume(ProcessStart())
        return
      } catch {
        guard case .store(.history(.journal(let reason))) = error, reason.code == .locked else { throw error }
        Platform.pause(microseconds: 1000)
      }
    }
  }

  // MARK: An extension

  /// Lines: `done LABEL`, `ended LABEL`, `wrote`.
  mutating func playExtension() async throws {
    let follower = try openAsExtension()
    var tickets: [(label: String, ticket: SpoolTicket)] = []
    while !isOver {
      switch generator.below(24) {
      case 0: try await takeOver(follower)
      case 1...12:
        let label = nextLabel()
        do throws(EngineError) {
          tickets.append((label, try follower.submit(Container.command(label))))
        } catch {
          // The app has been away for long: nothing is handed over.
          guard case .spool(.full) = error else { throw error }
          count -= 1
          Platform.pause(microseconds: 2000)
          continue
        }
        Platform.tell("done \(label)")
      case 13...16:
        while let (label, ticket) = tickets.first, let outcome = try follower.outcome(of: ticket) {
          tickets.removeFirst()
          // While the app was away, more commands piled up than outcomes are kept.
          if outcome == .unknown, tickets.count >= Self.keptOutcomes { continue }
          guard case .carriedOut = outcome else { throw ProcessFailure("\(label) ended as: \(outcome)") }
          Platform.tell("ended \(label)")
        }
      case 17...20: try follower.update()
      default: Platform.pause(microseconds: UInt64(generator.below(3000)))
      }
    }
  }

  private func openAsExtension() throws -> PolicyFollower {
    while true {
      do throws(EngineError) {
        return try PolicyFollower(
          at: container.journal, spool: container.spool,
          name: name.replacing(" ", with: "-"))
      } catch {
        // The app has not created the journal yet.
        guard case .store(.history(.journal(let reason))) = error, reason.code == .notAJournal else { throw error }
        Platform.pause(microseconds: 1000)
      }
    }
  }

  /// Writes for the app if that is gone or suspended.
  private func takeOver(_ follower: PolicyFollower) async throws {
    guard let store = try follower.takeOver(options: container.options) else { return }
    var process = ProcessStart()
    process.isExtension = true
    let engine = container.engine(store)
    try await engine.launch(process)
    try await engine.end()
    Platform.tell("wrote")
  }
}
