import AppProtection
import AppProtectionKit
import EventSourcing
import EventSourcingKit
import FileProtection
import Journal
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder with a journal in which Alice is managed, her keys, and an app's container.
final class ManagedFolder {
  static let alice = AccountReference(
    objectID: GUID("0f1e2d3c-4b5a-4678-8796-a5b4c3d2e1f0"), userPrincipalName: "Alice@Contoso.com")
  static let eve = AccountReference(userPrincipalName: "eve@example.com")

  let path: String
  let keys: AccountKeys
  private(set) var store: EventStore<AppProtectionMachine>
  private let options: StoreOptions
  private var moment: Int64 = 1_000_000_000_000

  struct Failure: Error {}

  private let account: AccountReference
  private let policy: PolicyDocument

  init(
    scope: String = "notes", in shared: ManagedFolder? = nil, account: AccountReference = alice,
    _ configure: (inout PolicyDocument) -> Void = { _ in }
  ) throws {
    var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/managed-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    mkdir(path + "/container", 0o700)
    let keyFile = try FileKeyStore(
      at: (shared?.path ?? path) + "/keys", create: true,
      wrappingKey: { () throws(KeyStoreError) in
        guard let key = SecretKey(bytes: [UInt8](repeating: 9, count: 32)) else {
          throw KeyStoreError(.unavailable, "no wrapping key", remedy: "None")
        }
        return key
      }, randomBytes: { SystemRandom.bytes($0) })
    keys = AccountKeys(store: keyFile, scope: scope)
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    options.sealing = keys.sealing
    self.options = options
    store = try EventStore.open(at: path + "/journal", create: true, options: options)
    var policy = PolicyDocument()
    policy.dataTransfer.allowedOutboundDataTransferDestinations = .managedApps
    configure(&policy)
    self.account = account
    self.policy = policy
    try send(.startProcess(ProcessStart()))
    try enroll()
  }

  func enroll() throws {
    try send(.registerAndEnroll(account))
    try send(.answerEnrollment(account, .policy(policy)))
    try relaunch()
  }

  /// The wipe that was ordered is carried out.
  func finishWipe() throws {
    try send(.answerWipe(account, removedEverything: false))
    try send(.reportFilesRemoved(account, count: 1))
  }

  /// The state after the order of another wipe, without a journal. Its event is number 200.
  static func wiping(_ state: AppProtectionState) throws -> AppProtectionState {
    var explanation = Explanation()
    return try AppProtectionMachine.decide(
      .requestWipe(alice, .appRequest, .app), in: state,
      at: EventContext(sequence: 200, moment: Moment(wallNanoseconds: 9_000_000_000_000, uptimeNanoseconds: 1)),
      explanation: &explanation
    ).state
  }

  /// The state after some commands, without a journal.
  static func state(after commands: [AppProtectionCommand]) throws -> AppProtectionState {
    var state = AppProtectionState()
    for (index, command) in commands.enumerated() {
      var explanation = Explanation()
      state = try AppProtectionMachine.decide(
        command, in: state,
        at: EventContext(
          sequence: UInt64(1 + 10 * index),
          moment: Moment(wallNanoseconds: 1_000_000_000_000, uptimeNanoseconds: 1_000_000_000)),
        explanation: &explanation
      ).state
    }
    return state
  }

  deinit {
    try? store.close()
    _ = system("rm -rf '\(path)'")
  }

  func send(_ command: AppProtectionCommand) throws {
    moment += 1_000_000_000
    try store.append(command, at: Moment(wallNanoseconds: moment, uptimeNanoseconds: moment))
  }

  /// Another process begins on the same journal.
  func relaunch() throws {
    try store.close()
    store = try EventStore.open(at: path + "/journal", options: options)
    try send(.startProcess(ProcessStart()))
  }

  var state: @Sendable () -> AppProtectionState { { [store] in store.state } }
  var files: FileProtectionManager { FileProtectionManager(protector: keys.protector, state: state) }
  var data: DataProtectionManager { DataProtectionManager(protector: keys.protector, state: state) }

  /// A path in the container.
  func path(_ name: String) -> String { "\(path)/container/\(name)" }

  @discardableResult
  func write(_ text: String, to name: String) -> String {
    let files = PosixFileSystem()
    if let file = try? files.open(path(name), .replace) {
      _ = Array(text.utf8).withUnsafeBytes { try? files.write(file, $0, at: 0) }
      files.close(file)
    }
    return path(name)
  }

  func read(_ name: String) -> String? {
    let files = PosixFileSystem()
    guard let file = try? files.open(path(name), .read) else { return nil }
    defer { files.close(file) }
    var bytes = [UInt8](repeating: 0, count: Int((try? files.size(of: file)) ?? 0))
    _ = bytes.withUnsafeMutableBytes { try? files.read(file, into: $0, at: 0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
