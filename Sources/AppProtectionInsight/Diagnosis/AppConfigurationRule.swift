import AppProtection
import EventSourcing

/// An app configuration that is missing, contradicts itself, or names no user.
struct AppConfigurationRule: ProblemRule {
  private struct Record: Sendable {
    var received: EventContext?
    /// The configuration that began the conflict, and its key.
    var conflict: (event: EventContext, key: String)?
    var placeholder: (event: EventContext, key: String)?
    /// The first conflict or placeholder that lasted and is over.
    var past: (event: EventContext, key: String, isConflict: Bool, end: EventContext)?
    /// The answer without a policy after which the configuration came late.
    var untargeted: EventContext?
    var delay: (since: EventContext, event: EventContext)?
  }

  private var records = PerAccount<Record>()
  private var losses = ConfigurationLosses()
  /// The delivery since which the device's configuration has the shortcoming that it has.
  private var device: (event: EventContext, shortcoming: Shortcoming)?
  /// The first shortcoming of the device's configuration that lasted and is over.
  private var pastDevice: (event: EventContext, shortcoming: Shortcoming, end: EventContext)?
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
    switch event {
    case .configurationReceived(let event): receive(event, context)
    case .configurationWithdrawn(let event):
      var record = Record(received: records[event.account]?.received)
      record.past = Self.past(of: records[event.account], until: context, conflict: nil, placeholder: nil)
      records[event.account] = record
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

  private mutating func receive(_ event: ConfigurationReceived, _ context: EventContext) {
    var record = records[event.account] ?? Record()
    let configuration = AppConfiguration(event.entries)
    let keys = Set(event.entries.flatMap(\.values).filter { !$0.isKeySecret }.map(\.key)).sorted()
    let conflict = keys.first { configuration.hasConflict($0) }
    let earlier = record
    record.conflict = conflict.map { key in
      record.conflict?.key == key ? (record.conflict?.event ?? context, key) : (context, key)
    }
    let placeholder = event.entries.flatMap(\.values).first { $0.isUnfilled && !$0.isKeySecret }?.key
    record.placeholder = placeholder.map { key in
      record.placeholder?.key == key ? (record.placeholder?.event ?? context, key) : (context, key)
    }
    record.past = Self.past(of: earlier, until: context, conflict: conflict, placeholder: placeholder)
    if let since = record.untargeted, record.received == nil, context.elapsed(since: since) >= RetrySchedule.hour {
      record.delay = (since, context)
    }
    record.received = context
    records[event.account] = record
  }

  /// What was wrong with a configuration before another one comes.
  private static func past(
    of record: Record?, until end: EventContext, conflict: String?, placeholder: String?
  ) -> (event: EventContext, key: String, isConflict: Bool, end: EventContext)? {
    if let past = record?.past { return past }
    for (found, key, isConflict) in [(record?.conflict, conflict, true), (record?.placeholder, placeholder, false)] {
      if let found, found.key != key, end.elapsed(since: found.event) > Episodes.pause {
        return (found.event, found.key, isConflict, end)
      }
    }
    return nil
  }

  func problems(at state: AppProtectionState, _ last: EventContext, _ notes: HistoryNotes) -> [Problem] {
    var problems = records.inOrder.compactMap { account, record in problem(account, record) }
    problems += losses.problems(at: state, last, notes)
    if let problem = deviceProblem(state) ?? pastDeviceProblem { problems.append(problem) }
    if let problem = otherAccount(state) { problems.append(problem) }
    if let problem = tooEarly { problems.append(problem) }
    return problems
  }

  /// The app asked for a configuration that had not come.
  private var tooEarly: Problem? {
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
    problem.show(earlyEpisodes)
    return problem
  }

  private func problem(_ account: AccountNumber, _ record: Record) -> Problem? {
    let command = "state JOURNAL --path /configuration/\(account)"
    if let (event, key) = record.conflict {
      var problem = Problem(
        .appConfiguration, of: account.description,
        "policies that target \(account) have different values of \(key)",
        evidence: DiagnosisEvidence(event, "the values differ from here on"),
        next: "let the policies agree, or let the app settle the conflict with a query such as and, or, min and max",
        command: command)
      // A policy would not change what was delivered.
      problem.isOwnCause = true
      return problem
    }
    if let (event, key) = record.placeholder {
      var problem = Problem(
        .appConfiguration, .likely, of: account.description,
        "the value of \(key) for \(account) is a placeholder that was not replaced",
        evidence: DiagnosisEvidence(event, "the configuration with the placeholder"),
        next: "spell the placeholder as device management does, or deliver it through device management",
        command: command)
      // A policy would not change what was delivered.
      problem.isOwnCause = true
      return problem
    }
    if let past = record.past {
      var problem = Problem(
        .appConfiguration, past.isConflict ? .certain : .likely, of: account.description,
        past.isConflict
          ? "policies that target \(account) had different values of \(past.key) from event \(past.event.sequence) to event "
            + "\(past.end.sequence)"
          : "the value of \(past.key) for \(account) was a placeholder from event \(past.event.sequence) to event "
            + "\(past.end.sequence)",
        evidence: DiagnosisEvidence(
          past.event, past.isConflict ? "the values differ from here on" : "the configuration with the placeholder"),
        [DiagnosisEvidence(past.end, "another configuration takes its place")],
        next: "nothing, if it does not come again: look at which policies target the user", command: command)
      problem.isOwnCause = true
      problem.end(.recovered, at: past.end)
      problem.severity = .note
      return problem
    }
    if let (since, event) = record.delay {
      var problem = Problem(
        .appConfiguration, .likely, of: account.description,
        "the configuration of \(account) came \(SpanWords.words(event.elapsed(since: since))) after its enrollment: without a "
          + "policy, the service is asked every 12 hours",
        evidence: DiagnosisEvidence(since, "\(account) is enrolled without a policy"),
        [DiagnosisEvidence(event, "the configuration arrives")],
        next: "assign an app protection policy too, with which the service is asked every half hour", command: command)
      (problem.severity, problem.harm) = (.note, .irregular)
      problem.end(.recovered, at: event)
      return problem
    }
    return nil
  }

  /// What the device's configuration lacks.
  private enum Shortcoming: Equatable {
    case none, missing, unusable(String)
    case noUser(hasDevice: Bool)
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
    if let device, pastDevice == nil, device.shortcoming != .none, shortcoming == .none,
      context.elapsed(since: device.event) > Episodes.pause
    {
      pastDevice = (device.event, device.shortcoming, context)
    }
    device = (context, shortcoming)
  }

  /// What device management delivered, until it delivered something else.
  private var pastDeviceProblem: Problem? {
    guard let pastDevice else { return nil }
    let span = "from event \(pastDevice.event.sequence) to event \(pastDevice.end.sequence)"
    let sentence: String
    switch pastDevice.shortcoming {
    case .unusable(let key): sentence = "the value of \(key) from device management could not be used \(span)"
    case .noUser(hasDevice: true):
      sentence = "the app's configuration named a device and no user \(span), so that the app counted as unmanaged"
    case .none, .missing, .noUser(hasDevice: false): return nil
    }
    var problem = Problem(
      .appConfiguration, .likely, sentence,
      evidence: DiagnosisEvidence(pastDevice.event, "the configuration from device management changes"),
      [DiagnosisEvidence(pastDevice.end, "another configuration from device management takes its place")],
      next: "nothing, if it does not come again: look at what device management fills in",
      command: "log JOURNAL --type 'deviceConfiguration.*'")
    problem.end(.recovered, at: pastDevice.end)
    problem.severity = .note
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
