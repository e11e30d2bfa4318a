import AppProtection
import AppProtectionKit
import EventSourcing
import Journal
import Synchronization
import SystemCalls

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An app, its user, its service and its files, with answers that a test sets and a list of what happened.
final class TestApp: PolicyService, FileRemover, TimeSource, EnrollmentDelegate, PolicyDelegate, ComplianceDelegate,
  PresentationDelegate
{
  struct Answers: Sendable {
    var moment = Moment(wallNanoseconds: 1_000_000_000_000, uptimeNanoseconds: 5)
    var utcOffset: Int64?
    var enrollment: [ServiceAnswer] = []
    var checkIn: [ServiceAnswer] = []
    /// What the service answers when the lists above are at their end.
    var lastingEnrollment = ServiceAnswer.noPolicy
    var lastingCheckIn = ServiceAnswer.unchanged
    /// The policy that check-ins deliver, compared with what the account has; `nil` for the answers above.
    var delivered: PolicyDocument?
    /// Every request to enroll, to check in and to unenroll.
    var requests: [ServiceRequest] = []
    var restartWish = RestartChoice.acknowledged
    var unenrollment: ServiceFailure?
    var deliveries = ServiceDeliveries()
    var deliveryCount = 0
    var wipeData = false
    var restarts = false
    var removal = FileRemoval(count: 3)
    var choice: AccountChoice?
    var login: LoginReply?
    var addition = AddIdentityResult.success
    var switchReply: SwitchReply?
    var remediation = RemediationOutcome(.compliant, message: "fine", title: "ok")
    /// The wipes that the service was told are recorded, and whether it hears it.
    var acknowledged: [ServiceRequest] = []
    var hearsAcknowledgement = true
    /// Whether the app goes by new names of its users.
    var agreesToNames = false
    /// The result of the last request to enroll or unenroll.
    var result: EnrollmentResult?
    /// The accounts whose keys were brought in line, and whether they enrolled.
    var aligned: [String] = []
    /// The process is dead: what it still does, no one sees.
    var isDead = false
  }

  let answers = Mutex(Answers())
  private let notes = Mutex<[String]>([])
  /// Called with every note before it is taken: where a test looks around, or calls the engine from inside a delegate.
  let hook = Mutex<(@Sendable (String) async -> Void)?>(nil)

  /// Removes files of the system; `nil` where the answers say what was removed.
  let remover = Mutex<(any FileRemover)?>(nil)

  /// Called after every note.
  let afterwards = Mutex<(@Sendable (String) async -> Void)?>(nil)

  var log: [String] { notes.withLock { $0 } }

  private func note(_ text: String) async {
    await hook.withLock { $0 }?(text)
    guard !answers.withLock({ $0.isDead }) else { return }
    notes.withLock { $0.append(text) }
    await afterwards.withLock { $0 }?(text)
  }

  func now() -> Moment { answers.withLock { $0.moment } }

  func utcOffset(at moment: Moment) -> Int64? { answers.withLock { $0.utcOffset } }

  func advance(_ nanoseconds: Int64) {
    answers.withLock {
      $0.moment.wallNanoseconds += nanoseconds
      $0.moment.uptimeNanoseconds += nanoseconds
    }
  }

  /// Sets the wall clock ahead, or back with a negative length.
  func setClock(by nanoseconds: Int64) {
    answers.withLock { $0.moment.wallNanoseconds += nanoseconds }
  }

  func enroll(_ request: ServiceRequest) async -> ServiceAnswer {
    await note("enroll \(request.account) \(request.userPrincipalName ?? "") \(request.intent)")
    answers.withLock { $0.requests.append(request) }
    return answers.withLock { $0.enrollment.isEmpty ? $0.lastingEnrollment : $0.enrollment.removeFirst() }
  }

  func checkIn(_ request: ServiceRequest) async -> ServiceAnswer {
    await note("checkIn \(request.account) \(request.intent)")
    answers.withLock { $0.requests.append(request) }
    if let delivered = answers.withLock({ $0.delivered }) { return request.answer(delivering: delivered) }
    return answers.withLock { $0.checkIn.isEmpty ? $0.lastingCheckIn : $0.checkIn.removeFirst() }
  }

  func unenroll(_ request: ServiceRequest) async -> ServiceFailure? {
    await note("unenroll \(request.account)")
    answers.withLock { $0.requests.append(request) }
    return answers.withLock { $0.unenrollment }
  }

  func remediate(_ request: ServiceRequest, isSilent: Bool) async -> RemediationOutcome {
    await note("remediate \(request.account) \(isSilent)")
    return answers.withLock { $0.remediation }
  }

  func deliveries(_ request: ServiceRequest) async -> ServiceDeliveries {
    answers.withLock {
      $0.deliveryCount += 1
      return $0.deliveries
    }
  }

  func alignKeys(of account: AccountNumber, enrolls: Bool) async {
    answers.withLock { $0.aligned.append("\(account) \(enrolls)") }
  }

  func shouldRename(account: AccountNumber, to userPrincipalName: String) async -> Bool {
    answers.withLock { $0.agreesToNames }
  }

  func acknowledgeWipe(_ request: ServiceRequest) async -> Bool {
    answers.withLock { answers in
      if answers.hearsAcknowledgement, !answers.isDead { answers.acknowledged.append(request) }
      return answers.hearsAcknowledgement
    }
  }

  func removeFiles(of account: AccountNumber) async -> FileRemoval {
    await note("removeFiles \(account)")
    if let remover = remover.withLock({ $0 }) { return await remover.removeFiles(of: account) }
    return answers.withLock { $0.removal }
  }

  func enrollmentRequest(account: AccountNumber?, code: EnrollmentStatusCode) async {
    await note("enrollmentRequest \(account?.description ?? "none") \(code.rawValue)")
  }

  func enrollmentRequest(_ result: EnrollmentResult) async {
    answers.withLock { $0.result = result }
    await enrollmentRequest(account: result.account, code: result.statusCode)
  }

  func unenrollRequest(_ result: EnrollmentResult) async {
    answers.withLock { $0.result = result }
    await unenrollRequest(account: result.account, code: result.statusCode)
  }

  func policyRequest(account: AccountNumber, code: EnrollmentStatusCode) async {
    await note("policyRequest \(account) \(code.rawValue)")
  }

  func unenrollRequest(account: AccountNumber?, code: EnrollmentStatusCode) async {
    await note("unenrollRequest \(account?.description ?? "none") \(code.rawValue)")
  }

  func wipeData(account: AccountNumber) async -> Bool {
    await note("wipeData \(account)")
    return answers.withLock { $0.wipeData }
  }

  func restartApplication() async -> Bool {
    await note("restartApplication")
    return answers.withLock { $0.restarts }
  }

  func restartNeeded(reason: RestartReason) -> RestartChoice { answers.withLock { $0.restartWish } }

  func policyDidChange(account: AccountNumber) async { await note("policyDidChange \(account)") }
  func dataProtectionDidChange(account: AccountNumber) async { await note("dataProtectionDidChange \(account)") }
  func wipeDidComplete(account: AccountNumber) async { await note("wipeDidComplete \(account)") }
  func allowedAccountsDidChange() async { await note("allowedAccountsDidChange") }
  func configurationDidChange(account: AccountNumber?) async {
    await note("configurationDidChange \(account?.description ?? "")")
  }
  func accountConflict(_ account: AccountNumber, existing: AccountNumber) async {
    await note("accountConflict \(account) \(existing)")
  }

  func addAccount(account: AccountNumber) async -> AddIdentityResult {
    await note("addAccount \(account)")
    return answers.withLock { $0.addition }
  }

  func identitySwitchReply(
    scope: IdentityScope, identity: Identity, reason: IdentitySwitchReason
  ) async -> SwitchReply {
    await note("identitySwitchReply \(identity)")
    return answers.withLock { $0.switchReply }
      ?? .result(identitySwitchRequired(scope: scope, identity: identity, reason: reason))
  }

  func complianceStatus(account: AccountNumber, status: ComplianceStatus, message: String, title: String) async {
    await note("compliance \(account) \(status) \(title): \(message)")
  }

  func chooseAccount(_ account: AccountNumber, existing: AccountNumber) async -> AccountChoice? {
    await note("chooseAccount \(account) \(existing)")
    return answers.withLock { $0.choice }
  }

  func askLogin() async -> LoginReply? {
    await note("askLogin")
    return answers.withLock { $0.login }
  }
}

/// An engine on a journal in a folder of its own.
final class TestEngine {
  let app = TestApp()
  private(set) var engine: PolicyEngine
  let path: String
  private let folder: String
  private let hasDelegates: Bool

  private let tokens: TokenKeeper?
  private let scrubber: LogScrubber
  private let recordsRefusals: Bool
  private let options: StoreOptions

  init(
    delegates hasDelegates: Bool = true, scrubbing values: [String] = [], recordsRefusals: Bool = false,
    sealing: Sealing? = nil, tokens: TokenKeeper? = nil, observer: (any EngineObserver)? = nil
  ) throws {
    var options = StoreOptions()
    options.journal.syncPolicy = .none
    options.sealing = sealing
    self.options = options
    scrubber = LogScrubber(values)
    self.recordsRefusals = recordsRefusals
    self.tokens = tokens
    var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/kit-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    path = folder + "/journal"
    self.hasDelegates = hasDelegates
    guard let id = JournalID(bytes: [UInt8](repeating: 7, count: 16)) else { throw Failure() }
    engine = Self.engine(
      on: try EventStore.create(at: path, journalID: id, createdNanoseconds: 0, options: options), app,
      hasDelegates, tokens, scrubber, recordsRefusals, observer)
  }

  deinit {
    try? engine.store.close()
    Self.remove(path)
    unlink(path + ".told")
    rmdir(folder)
  }

  struct Failure: Error {}

  /// An engine on which Alice and Bob are enrolled, with a policy each that is in force.
  static func withAliceAndBob(_ policy: PolicyDocument = PolicyDocument()) async throws -> TestEngine {
    let test = try TestEngine()
    test.app.answers.withLock { $0.lastingEnrollment = .policy(policy) }
    var settings = AppSettings()
    settings.multiIdentity = true
    settings.maximumManagedAccounts = 2
    settings.firstPolicyNeedsNoRestart = true
    try await test.engine.launch(ProcessStart(), settings: settings)
    for account in [PolicyEngineTests.alice, PolicyEngineTests.bob] {
      try await test.engine.send(.registerAndEnroll(account))
    }
    try await test.engine.run()
    return test
  }

  /// Ends the process without a word, and begins another one on the same journal.
  func relaunch() async throws {
    try replaceEngine()
    try await engine.launch(ProcessStart())
  }

  /// Ends the process without a word; the next one has yet to launch.
  func replaceEngine(
    observer: (any EngineObserver)? = nil, deliveries: (any DeliveryLog)? = nil, tokens: TokenKeeper? = nil
  ) throws {
    try engine.store.close()
    engine = Self.engine(
      on: try EventStore.open(at: path, options: options), app, hasDelegates, tokens ?? self.tokens, scrubber,
      recordsRefusals,
      observer, deliveries)
  }

  var types: [String] {
    get throws { try engine.store.recordedEvents(after: 0).map(\.typeName) }
  }

  private static func engine(
    on store: EventStore<AppProtectionMachine>, _ app: TestApp, _ hasDelegates: Bool, _ tokens: TokenKeeper?,
    _ scrubber: LogScrubber, _ recordsRefusals: Bool, _ observer: (any EngineObserver)?,
    _ deliveries: (any DeliveryLog)? = nil
  ) -> PolicyEngine {
    PolicyEngine(
      store: store, clock: app, service: app, files: app,
      delegates: hasDelegates
        ? .init(enrollment: app, policy: app, compliance: app, presentation: app) : .init(), tokens: tokens,
      observer: observer,
      scrubber: scrubber, recordsRefusals: recordsRefusals, deliveries: deliveries)
  }

  private static func remove(_ path: String) {
    for name in SystemCalls.names(in: path).names { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}
