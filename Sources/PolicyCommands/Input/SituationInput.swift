import AppProtection
import AppProtectionInsight
import CommandLineInterface
import CommandSupport
import EventSourcing
import Forensics
import JSON
import PlainText
import PolicySettings
import Simulation

/// The app, the device and the accounts of a question about policies, as options and files describe them.
struct SituationInput {
  /// The options that describe them.
  static let options = [
    OptionDescription(
      "situation", value: "FILE", completion: .file,
      "The app, the device, and the accounts by name with the policies of others, as a scenario has them."),
    OptionDescription("settings", value: "FILE", completion: .file, "The app's Info.plist."),
    OptionDescription("app-version", value: "VERSION", "The app's version."),
    OptionDescription("os", value: "VERSION", "The version of the operating system."),
    OptionDescription("sdk", value: "VERSION", "The version of the SDK whose rules apply; otherwise the newest."),
  ]

  /// A version that launch conditions compare with a setting.
  enum Version: String, CaseIterable {
    case app, os, sdk

    /// The option that gives it.
    var option: String { self == .app ? "app-version" : rawValue }

    /// What it is the version of.
    var subject: String {
      switch self {
      case .app: "the app"
      case .os: "the operating system"
      case .sdk: "the SDK"
      }
    }

    fileprivate var example: String {
      switch self {
      case .app: "3.1"
      case .os: "17.4"
      case .sdk: "20.4.0"
      }
    }

    /// Where the state has it.
    var path: String { "/process/\(rawValue)Version" }

    /// The rules that compare it.
    var rules: [LaunchRule] {
      switch self {
      case .app: [.appVersion]
      case .os: [.osMinimum, .osMaximum]
      case .sdk: [.sdkVersion]
      }
    }
  }

  private var situation: Situation
  /// The versions that no option and no file gives: what depends on them is unknown.
  private(set) var missing = Set(Version.allCases)

  init(_ context: CommandContext) throws(Failure) {
    let arguments = context.arguments
    situation = Situation()
    if let path = arguments.value(of: "situation") {
      let text = try FileInput.bytes(of: path, context)
      do throws(ScenarioError) {
        situation = try Situation(text, file: path)
      } catch {
        throw Failure(.wrongUse, "\(error)", next: "pj help scenario")
      }
      for version in Version.allCases where Self.gives(version, text) {
        try record(version, situation[version], at: "\(path): \(version == .app ? "app.version" : "device.\(version)")")
      }
    }
    if let path = arguments.value(of: "settings") {
      let settings = try SettingsInput.document(path, context).settings
      situation.app.settings = AppSettings(settings)
      situation.app.protection.maximumFileProtection = FileProtectionClass(settings.maximumFileProtection)
      situation.app.protection.treatsAllWebViewsAsUnmanaged = settings.webViewsAreUnmanaged
    }
    for version in Version.allCases {
      guard let text = arguments.value(of: version.option) else { continue }
      try record(version, text, at: "--\(version.option)")
      situation[version] = text
    }
    // All accounts are managed, whatever the app allows: each is asked about by itself.
    let count = UInt32(clamping: situation.accounts.count)
    situation.app.settings.maximumManagedAccounts = max(situation.app.settings.maximumManagedAccounts, count)
  }

  /// Whether a situation that can be read says which version it is.
  private static func gives(_ version: Version, _ text: [UInt8]) -> Bool {
    let root = try? JSONDocument.parse(text).root
    let member = version == .app ? "version" : version.rawValue
    return (try? root?.optional(version == .app ? "app" : "device")?.optional(member)) != nil
  }

  private mutating func record(_ version: Version, _ text: String, at place: String) throws(Failure) {
    guard LaunchVersion(text) != nil else {
      throw Failure(
        .wrongUse, "\(place) is a version such as \(version.example), not '\(TerminalText.visible(text))'",
        next: "pj help policy ask")
    }
    missing.remove(version)
  }

  /// The accounts' names, the one with the policy first.
  var names: [String] { situation.accounts.map(\.name) }

  /// The account with a name.
  func account(named name: String) -> AccountNumber? {
    names.firstIndex(of: name).flatMap { AccountNumber(UInt32(clamping: $0 + 1)) }
  }

  /// A question in which accounts may have their names.
  func question(_ text: String) throws(Failure) -> QuestionText<AppProtectionMachine> {
    do throws(FilterError) {
      return try QuestionText(parsing: text) { name in account(named: name).map { "\($0)" } }
    } catch {
      throw Failure(.wrongUse, "\(error)", next: "pj help questions")
    }
  }

  /// Refuses a question about an account that no option describes: its answer would be that of an unmanaged one.
  func refuseMissingAccounts(of question: QuestionText<AppProtectionMachine>) throws(Failure) {
    let form = AppProtectionMachine.questions.first { $0.name == question.name }
    for (parameter, value) in zip(form?.parameters ?? [], question.values) where parameter.choices.isEmpty {
      // A key and a URL may be any text.
      let word = value.lastIndex(of: ":").map { String(value[value.index(after: $0)...]) } ?? value
      guard !parameter.accepts("any text"), let number = AccountNumber(word), number.rawValue > names.count else {
        continue
      }
      let known = names.enumerated().map { "\($1) (a\($0 + 1))" }.joined(separator: ", ")
      throw Failure(
        .wrongUse, "\(question.text): no account is \(number); the accounts are \(known)",
        next: "ask about one of them, or describe it with --situation: pj help policy ask")
    }
  }

  /// A question as the app asks it.
  func asked(_ question: ProtectionQuestion) -> ProtectionQuestion { question.asked(with: situation.app.protection) }

  /// The app, with a policy applied to the first account. Another account has the policy of its name, or one that restricts
  /// nothing.
  func app(applying policy: PolicyDocument) throws(Failure) -> ImaginedApp {
    do throws(AppProtectionRejection) {
      var app = try ImaginedApp(situation.process, settings: situation.app.settings)
      for (place, account) in situation.accounts.enumerated() {
        let own = situation.policies.first { $0.name == account.name }?.document
        try app.enroll(account.reference, with: place == 0 ? policy : own ?? PolicyDocument())
      }
      try app.restart()
      // The PIN is the app's: the first account's policy decides it.
      if !situation.app.isExtension { for account in situation.accounts.reversed() { try app.open(account.reference) } }
      return app
    } catch {
      throw Failure(.wrongUse, "the situation cannot be: \(error)", next: "pj help scenario")
    }
  }
}

extension Situation {
  /// A version that launch conditions compare.
  fileprivate subscript(version: SituationInput.Version) -> String {
    get {
      switch version {
      case .app: app.version
      case .os: device.os
      case .sdk: device.sdk
      }
    }
    set {
      switch version {
      case .app: app.version = newValue
      case .os: device.os = newValue
      case .sdk: device.sdk = newValue
      }
    }
  }
}
