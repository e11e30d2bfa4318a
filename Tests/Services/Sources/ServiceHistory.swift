import AppProtection
import AppProtectionKit
import EventSourcing
import Forensics
import Journal
import PolicyServices
import Synchronization

/// A whole history of one account with a service that answers from a folder: enrollment, a changed policy, a
/// configuration, a disabled account, and a wipe.
public struct ServiceHistory: Sendable {
  /// What the app was told, in order.
  public var callbacks: [String] = []
  /// The journal's events as a log lists them, by type.
  public var events: [String] = []
  /// The configured start page, as the journal holds it and as the app reads it.
  public var start: [String?] = []

  /// Drives the history.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - folder: The folder that it answers from.
  ///   - path: Where the journal is created.
  public init(with service: any PolicyService, folder: TestFolder, journal path: String) async throws {
    let app = HistoryApp()
    guard let id = JournalID(bytes: [UInt8](repeating: 7, count: 16)) else { return }
    let store = try EventStore<AppProtectionMachine>.create(at: path, journalID: id, createdNanoseconds: 0)
    let engine = PolicyEngine(
      store: store, clock: app, service: service, files: app, delegates: .init(enrollment: app, policy: app))
    let alice = AccountReference(objectID: GUID(TestFolder.alice), userPrincipalName: "alice@contoso.com")
    var settings = AppSettings()
    settings.firstPolicyNeedsNoRestart = true
    try await engine.launch(ProcessStart(), settings: settings)

    try await engine.send(.registerAndEnroll(alice))
    try await engine.run()
    // Nothing changed.
    try await engine.send(.requestCheckIn(alice))
    try await engine.run()
    // The administrator edits a document, and another assigns a configuration.
    try folder.write(
      "policies/basic.json", TestFolder.policy("Basic", #""pinRequired": true, "minimumPinLength": 6"#))
    try folder.write(
      "configurations/start.json",
      """
      {"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "id": "C_1",
       "customSettings": [{"name": "start", "value": "{{UserPrincipalName}}"}]}
      """)
    try folder.write(
      "assignments.json",
      """
      {"assignments": [{"document": "policies/basic.json", "groups": ["finance"]},
                       {"document": "configurations/start.json", "everyone": true}]}
      """)
    try await engine.send(.requestCheckIn(alice))
    try await engine.run()
    let state = engine.state
    start = [
      state.configuration.accounts[.first]?.entries.first?["start"]?.text,
      engine.appConfig.configuration(for: alice).string("start"),
    ]
    // An editor has half saved: nothing changes, and the failure names the file or the server's trouble.
    try folder.write("policies/basic.json", "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProt")
    try await engine.send(.requestCheckIn(alice))
    try await engine.run()
    try folder.write(
      "policies/basic.json", TestFolder.policy("Basic", #""pinRequired": true, "minimumPinLength": 6"#))
    // The account is disabled, then wiped.
    try folder.write(
      "users.json",
      """
      {"groups": ["finance"], "users": [{"id": "\(TestFolder.alice)", "userPrincipalName": "alice@contoso.com",
        "groups": ["finance"], "accountEnabled": false}]}
      """)
    try await engine.send(.requestCheckIn(alice))
    try await engine.run()
    try folder.write("wipes.json", #"{"wipes": [{"user": "alice@contoso.com"}]}"#)
    try await engine.send(.requestCheckIn(alice))
    try await engine.run()
    try await engine.end()

    callbacks = app.notes.all
    let history = try History<AppProtectionMachine>(at: path)
    var reader = try LogReader(history)
    while let item = try reader.next() {
      if case .event(let step) = item { events.append(step.record.typeName) }
    }
  }

  /// The placeholder stays in the journal, and only the app reads the name.
  public static let expectedStart: [String?] = ["{{UserPrincipalName}}", "alice@contoso.com"]

  /// The events that every service must lead to.
  public static let expectedEvents = [
    "settings.changed", "process.started", "account.introduced", "account.registered", "enrollment.requested",
    "enrollment.succeeded", "policy.received", "identity.switched", "launch.evaluated", "checkIn.requested",
    "checkIn.unchanged", "checkIn.requested", "policy.received", "configuration.received", "checkIn.requested",
    "checkIn.failed", "checkIn.requested", "checkIn.unchanged", "userStatus.received", "checkIn.requested",
    "wipe.requested", "wipe.delegateAnswered", "wipe.filesRemoved", "wipe.completed", "process.ended",
  ]

  /// What the app is told, where the half-saved document ends in this code.
  public static func expectedCallbacks(halfSaved code: UInt32) -> [String] {
    [
      "enrollment 100", "policyDidChange", "policy 101", "policy 100", "policyDidChange", "configurationDidChange",
      "policy \(code)", "policy 101", "policy 102", "configurationDidChange", "unenrollment 104", "wipeDidComplete",
    ]
  }
}

/// An app that notes what it is told, with a clock that a second passes at each reading.
private final class HistoryApp: TimeSource, FileRemover, EnrollmentDelegate, PolicyDelegate {
  let notes = Notes<String>()
  private let seconds = Mutex<Int64>(0)

  func now() -> Moment {
    let passed = seconds.withLock { seconds -> Int64 in
      seconds += 1
      return seconds * 1_000_000_000
    }
    return Moment(wallNanoseconds: 1_790_000_000_000_000_000 + passed, uptimeNanoseconds: passed)
  }

  func removeFiles(of account: AccountNumber) async -> FileRemoval { FileRemoval(count: 2) }

  func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) async {
    notes.add("enrollment \(code.rawValue)")
  }

  func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) async { notes.add("policy \(code.rawValue)") }

  func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) async {
    notes.add("unenrollment \(code.rawValue)")
  }

  func policyDidChange(account: AccountNumber) async { notes.add("policyDidChange") }
  func configurationDidChange(account: AccountNumber?) async { notes.add("configurationDidChange") }
  func wipeDidComplete(account: AccountNumber) async { notes.add("wipeDidComplete") }
}
