import AppProtection
import EventSourcing

/// The commands of a long life of an app with three managed accounts, in the proportions of real use: the user switches
/// between accounts and windows most of the time, every launch and every few minutes the service is asked for policies,
/// and now and then one of the policies is a new one.
///
/// The policies are real: those that a journal holds. The same journal gives the same commands.
struct PolicyHistory {
  /// The real policies of each account in their order.
  private let policies: [[PolicyDocument]]
  private var index = 0
  private var random = RandomNumbers(seed: 7)
  private var time: Int64 = 1_583_398_800_000_000_000
  private var waiting: [AppProtectionCommand] = []

  /// A launch and what follows it.
  static let commandsPerLaunch = 256
  /// Every so many launches an account gets its next policy.
  static let launchesPerPolicy = 4

  private static let accounts = (1...3).map { number in
    AccountReference(
      objectID: GUID("1f5c0b1a-6f0e-4b7e-9a51-0c6f2f8f0a0\(number)"), userPrincipalName: "user\(number)@contoso.com")
  }

  private static let settings: AppSettings = {
    var settings = AppSettings()
    settings.multiIdentity = true
    settings.maximumManagedAccounts = 3
    return settings
  }()

  private static let process: ProcessStart = {
    var process = ProcessStart()
    (process.appVersion, process.sdkVersion, process.osVersion) = ("3.0", "19.2.0", "17.5")
    process.deviceModel = "iPhone15,2"
    return process
  }()

  /// Takes the policies out of the journal at `path`.
  init(policiesOf path: String) throws {
    var found: [UInt32: [PolicyDocument]] = [:]
    var cursor = try History<AppProtectionMachine>(at: path).events()
    while let item = try cursor.next() {
      guard case .event(let step) = item, case .policyReceived(let event)? = step.record.event else { continue }
      found[event.account.rawValue, default: []].append(event.document)
    }
    policies = found.keys.sorted().compactMap { found[$0] }
    guard policies.count >= Self.accounts.count else {
      throw Failure("\(path) has policies of \(policies.count) accounts, and \(Self.accounts.count) are needed")
    }
  }

  /// When the next command is given.
  var moment: Moment { Moment(wallNanoseconds: time, uptimeNanoseconds: time - 1_583_390_000_000_000_000) }

  /// Lets everything that follows happen later.
  mutating func delay(by nanoseconds: Int64) { time += nanoseconds }

  /// The next command.
  mutating func next() -> AppProtectionCommand {
    time += 5_000_000_000 + Int64(random.next() % 9_000_000_000)
    if waiting.isEmpty { plan() }
    return waiting.removeLast()
  }

  private mutating func plan() {
    let launch = index / Self.commandsPerLaunch
    let step = index % Self.commandsPerLaunch
    index += 1
    var commands: [AppProtectionCommand]
    if step == 0 {
      time += 8 * 3_600_000_000_000
      commands = [.startProcess(Self.process, settings: launch == 0 ? Self.settings : nil)]
      if launch == 0 {
        for (account, reference) in Self.accounts.enumerated() {
          commands += [.registerAndEnroll(reference), .answerEnrollment(reference, .policy(policy(account, 0)))]
        }
        commands.append(.startProcess(Self.process))
      }
    } else if step <= Self.accounts.count {
      let account = step - 1
      let revision = launch / Self.launchesPerPolicy
      let isNew = launch % Self.launchesPerPolicy == account + 1
      commands = checkIn(account, .launch, isNew ? .policy(policy(account, revision + 1)) : .unchanged)
    } else {
      commands = use()
    }
    waiting = commands.reversed()
  }

  private mutating func use() -> [AppProtectionCommand] {
    let account = Int(random.next() % 3)
    let target: TargetIdentity = random.next() % 8 == 0 ? .unmanaged : .account(Self.accounts[account])
    switch random.next() % 20 {
    case 0..<9: return [.setIdentity(.ui, target)]
    case 9..<13: return [.setIdentity(.window(UInt32(1 + random.next() % 3)), target)]
    case 13..<15: return [.setIdentity(.thread("sync"), target)]
    case 15..<16: return [.acquireToken(Self.accounts[account])]
    case 16..<17: return [.removeToken(Self.accounts[account])]
    default: return checkIn(account, .schedule, .unchanged)
    }
  }

  private func checkIn(
    _ account: Int, _ trigger: CheckInTrigger, _ answer: ServiceAnswer
  ) -> [AppProtectionCommand] {
    [.requestCheckIn(Self.accounts[account], trigger), .answerCheckIn(Self.accounts[account], answer)]
  }

  /// One of the account's policies; they come again when there are no more.
  private func policy(_ account: Int, _ revision: Int) -> PolicyDocument {
    policies[account][revision % policies[account].count]
  }
}
