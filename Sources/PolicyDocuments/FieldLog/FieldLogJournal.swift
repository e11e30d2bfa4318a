import AppProtection
import EventSourcing
import WireFormat

/// The events that the facts of a field log prove, in the order of their times.
///
/// Nothing is decided: each fact becomes the event that records it. What must have happened before it, such as the request
/// that an answer answers, becomes an event too. Every event carries metadata: `source` is the place of the fact, and the key
/// of each ``FieldLog/Inference`` says what the file does not; an event without any is in the file as it is.
public struct FieldLogJournal {
  /// The events, as envelopes for a journal.
  public private(set) var envelopes: [Envelope] = []
  /// Facts of which no event was made, with the reasons.
  public private(set) var unused: [FieldLog.Skipped] = []
  /// What stands in the files for each account, in the order of the accounts' numbers.
  public private(set) var accounts: [String] = []

  private var numbers: [String: AccountNumber] = [:]
  private var registered: Set<AccountNumber> = []
  private var enrolled: Set<AccountNumber> = []
  private var managed: Set<AccountNumber> = []
  /// The accounts to which the service has given a policy, whether the files hold it or not.
  private var targeted: Set<AccountNumber> = []
  private var wiped: Set<AccountNumber> = []
  private var time: Int64 = 0
  private var place = FieldLog.Place("")
  private var isTimeKnown = true
  private var process = ""
  /// Whether the lines are those of several processes, so that each event says which.
  private let hasSeveralProcesses: Bool

  /// The most accounts.
  private static let mostAccounts = 10_000

  /// Makes events of the facts.
  public init(_ log: FieldLog) {
    let order = FieldLogOrder(log)
    unused = order.unused
    hasSeveralProcesses = Set(order.entries.map(\.fact.process)).subtracting([""]).count > 1
    guard let first = order.entries.first else { return }
    (time, isTimeKnown, place) = (first.time, first.fact.time != nil, first.fact.place)
    var start = ProcessStarted.blank
    start.launch = 1
    start.reducerRevision = AppProtectionMachine.revision
    start.appVersion = log.versions[.app] ?? ""
    start.sdkVersion = log.versions[.sdk] ?? ""
    start.osVersion = log.versions[.os] ?? ""
    start.deviceModel = log.versions[.model] ?? ""
    add(.processStarted(start), inferred: [.processStart])
    for entry in order.entries {
      (time, isTimeKnown, place) = (entry.time, entry.fact.time != nil, entry.fact.place)
      process = entry.fact.process
      use(entry.fact)
      checkInvariants()
    }
  }

  /// An account that the service knows is registered, and has a number and a name.
  private func checkInvariants() {
    assert(enrolled.isSubset(of: registered), "an account is enrolled without being registered")
    assert(managed.isSubset(of: registered), "an account has a policy without being registered")
    assert(numbers.count == accounts.count, "accounts and their numbers differ")
  }

  private mutating func use(_ fact: FieldLog.Fact) {
    let inferred = fact.inferred
    guard let account = number(of: fact.account ?? FieldLogOrder.unnamed) else {
      return skip("there are too many accounts")
    }
    switch fact.content {
    case .registration: register(account, inferred: inferred)
    case .deviceAccount:
      var event = ManagedDeviceAccountChanged.blank
      event.account = account
      add(.managedDeviceAccountChanged(event), inferred: inferred)
    case .answer(let request, let code, let error): answer(request, account, code, error, inferred)
    case .request: break
    case .contact: checkIn(account, .policiesHaveNotChanged, "", inferred)
    case .policy(let document):
      // Only an enrolled account has a policy.
      if !enrolled.contains(account) { enroll(account, .newPoliciesReceived, "", [.enrollment]) }
      var event = PolicyReceived.blank
      (event.account, event.document) = (account, document)
      add(.policyReceived(event), inferred: inferred)
      managed.insert(account)
      targeted.insert(account)
    case .configuration(let values):
      var event = ConfigurationReceived.blank
      (event.account, event.entries) = (account, [ConfigurationEntry(values)])
      add(.configurationReceived(event), inferred: inferred)
    case .wipe(let reason):
      let origin: WipeOrigin = reason == .appRequest ? .app : reason == .offlineInterval ? .engine : .service
      wipe(account, reason, origin, inferred)
    case .wipeCompleted:
      if !wiped.contains(account) { wipe(account, .unspecified, .service, [.request]) }
      var event = WipeCompleted.blank
      event.account = account
      add(.wipeCompleted(event), inferred: inferred)
      forget(account)
    case .condition(let rule, let outcome):
      var event = LaunchEvaluated.blank
      (event.account, event.outcome, event.rule) = (account, outcome, rule)
      event.findings = [LaunchFinding(rule, outcome)]
      add(.launchEvaluated(event), inferred: inferred)
    case .tokenDenied(let error):
      var event = TokenDenied.blank
      (event.account, event.error) = (account, error)
      add(.tokenDenied(event), inferred: inferred)
    case .remediationQueued:
      var request = RemediationRequested.blank
      request.account = account
      add(.remediationRequested(request), inferred: [.request])
      var event = RemediationQueued.blank
      event.account = account
      add(.remediationQueued(event), inferred: inferred)
    }
  }

  private mutating func answer(
    _ request: FieldLogSentence.Request, _ account: AccountNumber, _ code: EnrollmentStatusCode, _ error: String,
    _ inferred: [FieldLog.Inference]
  ) {
    switch request {
    case .enrollment: enroll(account, code, error, inferred)
    case .checkIn: checkIn(account, code, error, inferred)
    case .unenrollment: unenroll(account, code, error, inferred)
    case .either:
      if enrolled.contains(account) {
        checkIn(account, code, error, inferred)
      } else {
        enroll(account, code, error, inferred)
      }
    }
  }

  private mutating func wipe(
    _ account: AccountNumber, _ reason: WipeReason, _ origin: WipeOrigin, _ inferred: [FieldLog.Inference]
  ) {
    register(account, inferred: [.registration])
    var event = WipeRequested.blank
    (event.account, event.reason, event.origin) = (account, reason, origin)
    add(.wipeRequested(event), inferred: inferred)
    wiped.insert(account)
  }

  /// The account has left.
  private mutating func forget(_ account: AccountNumber) {
    registered.remove(account)
    enrolled.remove(account)
    managed.remove(account)
    targeted.remove(account)
    wiped.remove(account)
  }

  /// Whether a code can answer a request: a success is one of those that end such a request, and not a failure of it.
  private mutating func fits(_ code: EnrollmentStatusCode, _ successes: EnrollmentStatusCode...) -> Bool {
    guard code.classification == .success, !successes.contains(code) else { return true }
    skip("the answer \(code.rawValue) does not fit the request")
    return false
  }

  private mutating func enroll(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ error: String, _ inferred: [FieldLog.Inference]
  ) {
    guard fits(code, .newPoliciesReceived, .noPolicyReceived) else { return }
    var request = EnrollmentRequested.blank
    request.account = account
    ask(.enrollmentRequested(request), of: account)
    switch code {
    case .newPoliciesReceived, .noPolicyReceived:
      var event = EnrollmentSucceeded.blank
      (event.account, event.code) = (account, code)
      add(.enrollmentSucceeded(event), inferred: inferred)
      enrolled.insert(account)
      if code == .newPoliciesReceived { targeted.insert(account) }
    default:
      var event = EnrollmentFailed.blank
      (event.account, event.code, event.error) = (account, code, error)
      add(.enrollmentFailed(event), inferred: inferred)
    }
  }

  private mutating func checkIn(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ error: String, _ inferred: [FieldLog.Inference]
  ) {
    guard fits(code, .policiesHaveNotChanged, .noPolicyReceived, .newPoliciesReceived, .wipeReceived) else { return }
    // The first policy of an account ends its enrollment without one.
    guard code != .newPoliciesReceived || targeted.contains(account) else {
      return enroll(account, code, error, inferred + [.content])
    }
    // Only an account that is enrolled checks in, unless the answer says that it is not.
    if !enrolled.contains(account), Self.presupposesEnrollment(code) {
      enroll(account, code == .noPolicyReceived ? code : .newPoliciesReceived, "", [.enrollment])
    }
    var request = CheckInRequested.blank
    request.account = account
    ask(.checkInRequested(request), of: account)
    switch code {
    case .wipeReceived: wipe(account, .unspecified, .service, inferred)
    case .newPoliciesReceived:
      var event = CheckInUnchanged.blank
      (event.account, event.code) = (account, code)
      add(.checkInUnchanged(event), inferred: inferred + [.content])
    case .noPolicyReceived where managed.contains(account): withdraw(account, .untargeted, inferred)
    case .policyRecordGone:
      var event = EnrollmentRecordGone.blank
      (event.account, event.code) = (account, code)
      add(.enrollmentRecordGone(event), inferred: inferred)
      enrolled.remove(account)
      if managed.contains(account) { withdraw(account, .recordGone, inferred + [.withdrawal]) }
    case .policiesHaveNotChanged, .noPolicyReceived:
      var event = CheckInUnchanged.blank
      (event.account, event.code) = (account, code)
      add(.checkInUnchanged(event), inferred: inferred)
    default:
      var event = CheckInFailed.blank
      (event.account, event.code, event.error) = (account, code, error)
      add(.checkInFailed(event), inferred: inferred)
    }
  }

  /// Whether the answer to a check-in leaves no doubt that the account was enrolled.
  private static func presupposesEnrollment(_ code: EnrollmentStatusCode) -> Bool {
    guard ![.appNotEnrolled, .notEnrolledAccount, .accountNotLicensed, .licensedNotTargeted].contains(code) else {
      return false
    }
    return code.classification != .terminal && code.classification != .programmingError
      && code != .reEnrollForUnenrolledUser
  }

  private mutating func withdraw(
    _ account: AccountNumber, _ reason: PolicyWithdrawalReason, _ inferred: [FieldLog.Inference]
  ) {
    var event = PolicyWithdrawn.blank
    (event.account, event.reason) = (account, reason)
    add(.policyWithdrawn(event), inferred: inferred)
    managed.remove(account)
    targeted.remove(account)
  }

  private mutating func unenroll(
    _ account: AccountNumber, _ code: EnrollmentStatusCode, _ error: String, _ inferred: [FieldLog.Inference]
  ) {
    guard fits(code, .unenrollmentSuccess) else { return }
    var request = UnenrollmentRequested.blank
    request.account = account
    ask(.unenrollmentRequested(request), of: account)
    if code == .unenrollmentSuccess {
      var event = UnenrollmentSucceeded.blank
      event.account = account
      add(.unenrollmentSucceeded(event), inferred: inferred)
      forget(account)
    } else {
      var event = UnenrollmentFailed.blank
      (event.account, event.code, event.error) = (account, code, error)
      add(.unenrollmentFailed(event), inferred: inferred)
    }
  }

  /// The number of the account that a text stands for.
  private mutating func number(of name: String) -> AccountNumber? {
    if let number = numbers[name] { return number }
    guard numbers.count < Self.mostAccounts, let number = AccountNumber(UInt32(numbers.count + 1)) else { return nil }
    numbers[name] = number
    accounts.append(name)
    var event = AccountIntroduced.blank
    event.account = number
    // The SDK replaced the name by a hash: what stands here is no address, and equals no other account's.
    event.userPrincipalName = name.contains("@") ? name : "\(name)@scrubbed.invalid"
    add(.accountIntroduced(event), inferred: [.accountNumber])
    return number
  }

  /// Adds the request that an answer proves, of an account that must have been registered for it.
  private mutating func ask(_ request: AppProtectionEvent, of account: AccountNumber) {
    register(account, inferred: [.registration])
    add(request, inferred: [.request])
  }

  private mutating func register(_ account: AccountNumber, inferred: [FieldLog.Inference]) {
    guard registered.insert(account).inserted else { return }
    var event = AccountRegistered.blank
    event.account = account
    add(.accountRegistered(event), inferred: inferred)
  }

  private mutating func skip(_ reason: String) {
    unused.append(FieldLog.Skipped(place: place, reason: reason))
  }

  private mutating func add(_ event: AppProtectionEvent, inferred: [FieldLog.Inference]) {
    var envelope = Envelope(type: event.type, at: Moment(wallNanoseconds: time))
    if let entry = AppProtectionEvent.catalog[event.type] {
      envelope.version = entry.version
      envelope.unknownReaders = entry.unknownReaders
    }
    envelope.process = 1
    var attributes = CommandAttributes()
    attributes.metadata.append(MetadataEntry("source", Self.bounded("\(place)")))
    if hasSeveralProcesses, !process.isEmpty {
      attributes.metadata.append(MetadataEntry("process", Self.bounded(process)))
    }
    attributes.metadata += (isTimeKnown ? inferred : inferred + [.time]).map { MetadataEntry($0.key, "yes") }
    envelope.attributes = attributes
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    envelope.body = writer.bytes
    envelopes.append(envelope)
  }

  /// A text that is short enough for metadata.
  private static func bounded(_ text: String) -> String {
    let text = String(text.prefix(300))
    return text.utf8.count <= CommandAttributes.maximumValueLength
      ? text : String(text.prefix(200).unicodeScalars.prefix(200))
  }
}
