import AppProtection
import EventSourcing
import PlainText

/// An app configuration that is missing, contradicts itself, or names no user.
struct AppConfigurationRule: ProblemRule {
  private struct Record: Sendable {
    var received: EventContext?
    /// The configuration that began the conflict, and its key.
    var conflict: (event: EventContext, key: String)?
    var placeholder: (event: EventContext, key: String)?
    /// The conflicts and placeholders that lasted and are over.
    var past = PastTimes<Flaw>()
    /// The answer without a policy after which the configuration came late.
    var untargeted: EventContext?
    var delay: (event: EventContext, since: EventContext, length: Int64)?

    /// What is wrong with the configuration that the account has, and since when.
    var flaw: (event: EventContext, kind: Flaw)? {
      conflict.map { ($0.event, Flaw(key: $0.key, isConflict: true)) }
        ?? placeholder.map { ($0.event, Flaw(key: $0.key, isConflict: false)) }
    }

    /// Another configuration comes, with what is wrong with it, or none.
    mutating func end(_ end: End, conflict: String? = nil, placeholder: String? = nil) {
      for (found, key, isConflict) in [(self.conflict, conflict, true), (self.placeholder, placeholder, false)] {
        guard let found, found.key != key else { continue }
        let length = end.ending.event.elapsed(since: found.event)
        guard length > Episodes.pause else { continue }
        past.add(
          Flaw(key: found.key, isConflict: isConflict),
          PastTimes.Time(began: found.event, length: length, ending: end.ending, words: end.words))
      }
    }
  }

  /// A conflict about a key, or a placeholder in its value.
  private struct Flaw: Equatable, Sendable {
    let key: String
    let isConflict: Bool

    /// What its first event shows.
    var words: String { isConflict ? "the values differ from here on" : "the configuration with the placeholder" }
  }

  /// What became of a configuration, and what the event shows.
  private struct End: Sendable {
    let account: AccountNumber
    let ending: DiagnosisEnding
    let words: String
  }

  private var records = PerAccount<Record>()
  private var losses = ConfigurationLosses()
  /// The delivery since which the device's configuration has the shortcoming that it has.
  private var device: (event: EventContext, shortcoming: Shortcoming)?
  /// The shortcomings of the device's configuration that are reported although they are over.
  private var pastDevice = PastTimes<Shortcoming>()
  private var user: EventContext?
  /// Since when device management configures the app and no longer names its user.
  private var withoutUser: EventContext?
  /// The requests before an enrollment, each with the account that it named.
  private var early = Observations<AccountNumber?>()
  private var earlyEpisodes = Episodes()
  private var wasDelivered = false

  static let events: [any EventPayload.Type] =
    [
      CommandRefused.self, ManagedDeviceAccountChanged.self, DeviceConfigurationChanged.self, PolicyReceived.self,
    ] + ConfigurationLosses.events

  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState,
    _ notes: HistoryNotes
  ) {
    losses.observe(event, context, before: before, after: after)
    if let end = Self.end(event, context, before, after) { lose(end) }
    switch event {
    case .configurationReceived(let event): receive(event, context, notes)
    case .enrollmentSucceeded(let event):
      records[event.account, default: Record()].untargeted = event.code == .noPolicyReceived ? context : nil
      earlyEpisodes.end(.recovered, at: context)
    case .policyReceived(let event): records[event.account]?.untargeted = nil
    case .deviceConfigurationChanged:
      wasDelivered = wasDelivered || before.configuration.device != nil
      recordDelivery(after, context)
    case .managedDeviceAccountChanged(let event):
      if event.account == nil || user == nil || before.settings.deviceAccount != event.account {
        user = event.account == nil ? nil : context
      }
      withoutUser = event.account == nil && after.configuration.device != nil ? context : nil
    case .commandRefused(let event):
      // The engine records a request for the configuration of an account that is not enrolled.
      guard event.command == "appConfiguration" else { break }
      early.add(context, event.account)
      earlyEpisodes.see(context)
    default: break
    }
  }

  /// How an account loses its configuration with an event, if it does.
  private static func end(
    _ event: AppProtectionEvent, _ context: EventContext, _ before: AppProtectionState, _ after: AppProtectionState
  ) -> End? {
    func end(_ account: AccountNumber, _ kind: DiagnosisEnding.Kind, _ words: String) -> End? {
      guard before.configuration.accounts[account] != nil, after.configuration.accounts[account] == nil else {
        return nil
      }
      return End(account: account, ending: DiagnosisEnding(kind, at: context), words: words)
    }
    return switch event {
    case .configurationWithdrawn(let event): end(event.account, .replaced, "the configuration is withdrawn")
    case .enrollmentRecordGone(let event):
      end(event.account, .replaced, "the configuration goes with the service's record: \(event.code.words)")
    case .wipeCompleted(let event): end(event.account, .wiped, "the data of \(event.account) is wiped")
    case .unenrollmentSucceeded(let event): end(event.account, .abandoned, "\(event.account) leaves")
    case .accountDeregistered(let event): end(event.account, .abandoned, "\(event.account) leaves")
    default: nil
    }
  }

  /// What was wrong with a configuration goes with it.
  private mutating func lose(_ end: End) {
    guard var record = records[end.account] else { return }
    record.end(end)
    (record.conflict, record.placeholder) = (nil, nil)
    records[end.account] = record
  }

  private mutating func receive(_ event: ConfigurationReceived, _ context: EventContext, _ notes: HistoryNotes) {
    var record = records[event.account] ?? Record()
    let configuration = AppConfiguration(event.entries)
    let keys = Set(event.entries.flatMap(\.values).filter { !$0.isKeySecret }.map(\.key)).sorted()
    let conflict = keys.first { configuration.hasConflict($0) }
    let placeholder = event.entries.flatMap(\.values).first { $0.isUnfilled && !$0.isKeySecret }?.key
    let end = End(
      account: event.account, ending: DiagnosisEnding(.recovered, at: context),
      words: "another configuration takes its place")
    record.end(end, conflict: conflict, placeholder: placeholder)
    record.conflict = conflict.map { key in
      record.conflict?.key == key ? (record.conflict?.event ?? context, key) : (context, key)
    }
    record.placeholder = placeholder.map { key in
      record.placeholder?.key == key ? (record.placeholder?.event ?? context, key) : (context, key)
    }
    if let since = record.untargeted, record.received == nil {
      let length = notes.facts.clock.elapsed(from: since, to: context)
      if length >= RetrySchedule.hour { record.delay = (context, since, length) }
    }
    record.received = context
    records[event.account] = record
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    var problems = records.inOrder.flatMap { account, record in
      let past = record.past.troubles.filter { $0.kind != record.flaw?.kind }.map { Self.past(account, $0) }
      return [standing(account, record), Self.delayed(account, record)].compactMap { $0 } + past
    }
    problems += losses.problems(at: state, last, notes)
    let ofDevice = deviceProblem(state)?.following(pastDevice.episodes(of: device?.shortcoming))
    problems += ofDevice.map { [$0] } ?? []
    problems += pastDevice.troubles.filter { ofDevice == nil || $0.kind != device?.shortcoming }
      .compactMap { Self.past($0) }
    if let problem = otherAccount(state) { problems.append(problem) }
    if let problem = tooEarly(last) { problems.append(problem) }
    return problems
  }

  /// The app asked for a configuration that had not come.
  private func tooEarly(_ last: EventContext) -> Problem? {
    guard let first = early.first, let account = early.firstValue else { return nil }
    let times =
      early.count == 1
      ? "" : ", \(early.times)" + (earlyEpisodes.count > 1 ? "; it came \(earlyEpisodes.words)" : "")
    let enrolled = earlyEpisodes.kept.last?.ending?.event
    var problem = Problem(
      .appConfiguration, of: account?.description,
      "the app asked for the configuration \(account.map { "of \($0) " } ?? "")before the account was enrolled, and "
        + "got an empty one\(times)",
      evidence: DiagnosisEvidence(first, "the configuration is asked for too early"),
      early.evidence { _ in "the configuration is asked for too early" }
        + (enrolled.map { [DiagnosisEvidence($0, "the account is enrolled")] } ?? []),
      next: "ask after the enrollment, and again when the notification of a change comes",
      command: "show JOURNAL \(first.sequence)")
    problem.show(earlyEpisodes, at: last)
    return problem
  }

  private static func command(of account: AccountNumber) -> String { "state JOURNAL --path /configuration/\(account)" }

  /// What is wrong with the configuration that an account has.
  private func standing(_ account: AccountNumber, _ record: Record) -> Problem? {
    guard let (event, flaw) = record.flaw else { return nil }
    var problem = Problem(
      .appConfiguration, flaw.isConflict ? .certain : .likely, of: account.description,
      flaw.isConflict
        ? "policies that target \(account) have different values of \(flaw.key)"
        : "the value of \(flaw.key) for \(account) is a placeholder that was not replaced",
      evidence: DiagnosisEvidence(event, flaw.words),
      next: flaw.isConflict
        ? "let the policies agree, or let the app settle the conflict with a query such as and, or, min and max"
        : "spell the placeholder as device management does, or deliver it through device management",
      command: Self.command(of: account))
    // A policy would not change what was delivered.
    problem.isOwnCause = true
    return problem.following(record.past.episodes(of: flaw))
  }

  /// What was wrong with a configuration that the account has no longer.
  private static func past(_ account: AccountNumber, _ trouble: PastTimes<Flaw>.Trouble) -> Problem {
    let (flaw, time) = (trouble.kind, trouble.longest)
    let what =
      flaw.isConflict
      ? "policies that target \(account) had different values of \(flaw.key)"
      : "the value of \(flaw.key) for \(account) was a placeholder"
    var problem = Problem(
      .appConfiguration, flaw.isConflict ? .certain : .likely, of: account.description, "\(what) \(time.span)",
      evidence: DiagnosisEvidence(time.began, flaw.words), [DiagnosisEvidence(time.ending.event, time.words)],
      next: "look at which policies target the user", command: command(of: account))
    problem.isOwnCause = true
    problem.conclude(trouble)
    return problem
  }

  /// A configuration that came long after the enrollment.
  private static func delayed(_ account: AccountNumber, _ record: Record) -> Problem? {
    guard let (event, since, length) = record.delay else { return nil }
    var problem = Problem(
      .appConfiguration, .likely, of: account.description,
      "the configuration of \(account) came \(SpanWords.words(length)) after its enrollment: without a "
        + "policy, the service was asked every 12 hours",
      evidence: DiagnosisEvidence(since, "\(account) is enrolled without a policy"),
      [DiagnosisEvidence(event, "the configuration arrives")],
      next: "assign an app protection policy too, with which the service is asked every half hour",
      command: command(of: account))
    (problem.severity, problem.harm) = (.note, .irregular)
    problem.end(.recovered, at: event)
    return problem
  }

  /// What the device's configuration lacks.
  private enum Shortcoming: Equatable {
    case none, missing, unusable(String)
    case noUser(hasDevice: Bool)

    /// What it was, in the past tense; `nil` for what is ordinary once it is over.
    func sentence(_ span: String) -> String? {
      switch self {
      case .unusable(let key): "the value of \(key) from device management could not be used \(span)"
      case .noUser(hasDevice: true):
        "the app's configuration named a device and no user \(span), so that the app counted as unmanaged"
      case .none, .missing, .noUser(hasDevice: false): nil
      }
    }
  }

  /// Records a delivery: the first one with the same shortcoming decides.
  private mutating func recordDelivery(_ state: AppProtectionState, _ context: EventContext) {
    let shortcoming: Shortcoming
    if let configuration = state.configuration.device {
      if let value = unusable(configuration) {
        shortcoming = .unusable(value.key)
      } else if state.settings.deviceAccount == nil {
        shortcoming = .noUser(hasDevice: configuration.deviceID != nil)
      } else {
        shortcoming = .none
      }
    } else {
      shortcoming = .missing
    }
    guard device?.shortcoming != shortcoming else { return }
    if let device, shortcoming == .none, context.elapsed(since: device.event) > Episodes.pause {
      pastDevice.add(
        device.shortcoming,
        PastTimes.Time(
          began: device.event, length: context.elapsed(since: device.event),
          ending: DiagnosisEnding(.recovered, at: context),
          words: "another configuration from device management takes its place"))
    }
    device = (context, shortcoming)
  }

  /// What device management delivered, until it delivered something else.
  private static func past(_ trouble: PastTimes<Shortcoming>.Trouble) -> Problem? {
    let time = trouble.longest
    guard let sentence = trouble.kind.sentence(time.span) else { return nil }
    var problem = Problem(
      .appConfiguration, .likely, sentence,
      evidence: DiagnosisEvidence(time.began, "the configuration from device management changes"),
      [DiagnosisEvidence(time.ending.event, time.words)],
      next: "look at what device management fills in",
      command: "log JOURNAL --type 'deviceConfiguration.*'")
    problem.conclude(trouble)
    return problem
  }

  /// What device management delivered.
  private func deviceProblem(_ state: AppProtectionState) -> Problem? {
    guard let device else { return nil }
    let command = "state JOURNAL --path /configuration/device"
    let deciding = DiagnosisEvidence(device.event, "the configuration from device management changes")
    guard let configuration = state.configuration.device else {
      guard wasDelivered else { return nil }
      return Problem(
        .appConfiguration, .likely, "device management no longer configures the app, and names no user",
        evidence: deciding, next: "look whether the device is still enrolled, and the configuration assigned to it",
        command: command)
    }
    if let found = unusableValue(configuration, deciding, state, command) { return found }
    let names = "add IntuneMAMUPN and IntuneMAMOID with the placeholders of device management"
    guard let account = state.settings.deviceAccount else {
      if let withoutUser {
        return Problem(
          .appConfiguration, .likely,
          "device management configures the app and no longer names its user, so that the app counts as unmanaged",
          evidence: DiagnosisEvidence(withoutUser, "the device's user is no longer named"),
          next: names, command: command)
      }
      if configuration.deviceID != nil {
        return Problem(
          .appConfiguration, .certain,
          "the app's configuration names a device and no user, so that the app counts as unmanaged",
          evidence: deciding, next: names, command: command)
      }
      guard configuration.values.isEmpty else { return managedWithoutUser(state, deciding, names, command) }
      return Problem(
        .appConfiguration, .likely,
        "the app's configuration is delivered and has no usable value: placeholders were not replaced, or it is empty",
        evidence: deciding, next: names, command: command)
    }
    guard let record = state.accounts[account], record.$objectID.isAbsent else { return nil }
    return Problem(
      .appConfiguration, .likely, of: account.description,
      "the app's configuration names its user \(account) without an object id, so that the SDK cannot tell who that is",
      evidence: user.map { DiagnosisEvidence($0, "the device's user is named") } ?? deciding,
      user == nil ? [] : [deciding], next: "add IntuneMAMOID with the placeholder of the user's object id",
      command: command)
  }

  /// A value of device management that cannot be used: one that should name the user, or else a placeholder that was not
  /// replaced.
  private func unusable(_ configuration: DeviceConfiguration) -> ConfigurationValue? {
    let values = configuration.values.lazy.filter { !$0.isKeySecret }
    return values.first { Self.namesUser($0.steeringKey) && !$0.isUsable(as: $0.steeringKey) }
      ?? values.first(where: \.isPlaceholder)
  }

  private static func namesUser(_ key: DeviceConfigurationKey?) -> Bool {
    switch key {
    case .userPrincipalName, .objectID: true
    case .deviceID, .allowedAccountsOnly, nil: false
    }
  }

  private func unusableValue(
    _ configuration: DeviceConfiguration, _ deciding: DiagnosisEvidence, _ state: AppProtectionState, _ command: String
  ) -> Problem? {
    guard let value = unusable(configuration) else { return nil }
    let account = state.settings.deviceAccount.flatMap { state.accounts[$0] }
    // What else is known of the user does without the value.
    if !value.isPlaceholder, let account, !account.$objectID.isAbsent { return nil }
    let isCause = account == nil && Self.namesUser(value.steeringKey)
    let what =
      value.isPlaceholder
      ? "a placeholder that was not replaced"
      : value.text.isEmpty ? "empty" : value.steeringKey == .objectID ? "no object id" : "no user principal name"
    return Problem(
      .appConfiguration, isCause ? .certain : .likely,
      "the value of \(value.key) from device management is \(what)"
        + (isCause ? ", so that the app knows no user of the device" : ""),
      evidence: deciding,
      next: value.isPlaceholder
        ? "spell the placeholder as device management does" : "let device management fill in \(value.key)",
      command: command)
  }

  /// A device that says it is managed, whose configuration names no user. Many configurations are not meant to: it is a hint.
  private func managedWithoutUser(
    _ state: AppProtectionState, _ deciding: DiagnosisEvidence, _ next: String, _ command: String
  ) -> Problem? {
    guard state.launch.device.isManaged == true else { return nil }
    var problem = Problem(
      .appConfiguration, .possible,
      "device management configures the app and names no user, so that the app counts as unmanaged on a managed device",
      evidence: deciding, [DiagnosisEvidence(nil, "the device is reported as managed")], next: next, command: command)
    (problem.severity, problem.harm) = (.note, .irregular)
    return problem
  }

  /// The app acts for an account without a configuration, and another account has one.
  private func otherAccount(_ state: AppProtectionState) -> Problem? {
    let shown = state.identities.ui.account ?? state.identities.process.account
    guard let shown, state.configuration.accounts[shown] == nil, !losses.isLost(shown),
      state.accounts[shown]?.enrollment.status.isRegistered == true,
      let other = state.configuration.accounts.records.first
    else { return nil }
    var problem = Problem(
      .appConfiguration, .possible, of: shown.description,
      "the app acts for \(shown), which has no configuration; \(other.account) has one",
      evidence: DiagnosisEvidence(other.receivedBy, "the configuration of \(other.account) arrives"),
      [DiagnosisEvidence(nil, "no configuration of \(shown) has come")],
      next: "ask for the configuration of the account that is used, or assign one to it",
      command: "state JOURNAL --path /configuration")
    problem.restsOnAbsence = true
    // A configuration need not target every enrolled account.
    if state.accounts[shown]?.enrollment.status.isEnrolled == true {
      (problem.severity, problem.harm) = (.note, .irregular)
    }
    return problem
  }
}
