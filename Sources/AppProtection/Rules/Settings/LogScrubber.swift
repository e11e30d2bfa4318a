/// Removes the texts that an app lists as unreadable from everything that is written or shown
/// (`ValuesToScrubFromLogging`, S-93).
///
/// It works on commands, before anything is decided: what it takes out of a text never reaches a journal, and so no output. A
/// configured key or value that holds one is kept, because the app reads it, and marked as a secret, which no output shows.
/// Account names are not log texts and stay.
public struct LogScrubber: Equatable, Sendable {
  /// The replacement for a value.
  public static let replacement = "[scrubbed]"

  /// The values, longest first, so that no part of one is left when another is taken out of it.
  private let values: [String]

  /// Creates a scrubber; an empty value is none.
  public init(_ values: [String]) {
    let unique = Set(values).subtracting([""])
    self.values = unique.sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
  }

  /// A text without the values.
  public func scrub(_ text: String) -> String {
    values.reduce(text) { $0.replacing($1, with: Self.replacement) }
  }

  /// A command whose texts are without the values.
  public func scrub(_ command: AppProtectionCommand) -> AppProtectionCommand {
    guard !values.isEmpty else { return command }
    return switch command {
    case .answerEnrollment(let account, let answer, let intent):
      .answerEnrollment(account, scrub(answer), intent: intent)
    case .answerCheckIn(let account, let answer, let intent): .answerCheckIn(account, scrub(answer), intent: intent)
    case .answerUnenrollment(let account, let failure, let intent):
      .answerUnenrollment(account, failure: failure.map(scrub), intent: intent)
    case .reportFilesLeft(let account, let count, let error, let intent):
      .reportFilesLeft(account, count: count, error: scrub(error), intent: intent)
    case .answerRemediation(let account, let status, let message, let title, let intent):
      .answerRemediation(account, status, message: scrub(message), title: scrub(title), intent: intent)
    case .deliverConfiguration(let account, let entries):
      .deliverConfiguration(
        account, entries.map { ConfigurationEntry(mark($0.values), isDefault: $0.isDefault) })
    case .setDeviceConfiguration(let delivered, let source):
      .setDeviceConfiguration(delivered.map(mark), source: source)
    // These carry no text of the service or of device management: accounts by id or name, choices and numbers.
    // The overrides go to the token library as the app sets them.
    case .startProcess, .endProcess, .changeSettings, .overrideSettings, .answerRestart, .acknowledgeMissingPolicy,
      .setAllowedAccounts,
      .setDeviceAccount, .startDueWork, .noteRefusal, .registerAndEnroll, .loginAndEnroll, .answerLogin,
      .deregisterAndUnenroll, .identifyAccount, .answerAccountSwitch, .requestCheckIn, .reportSignIns, .setExclusivity,
      .answerAddition, .acquireToken, .removeToken, .denyToken, .setIdentity, .requestIdentitySwitch,
      .answerIdentitySwitch, .closeScope, .requestWipe, .answerWipe, .reportFilesRemoved, .remediateCompliance,
      .confirmRemediation, .reportDevice, .noteUTCOffset, .reportUserStatus, .evaluateLaunch, .signInForLaunch,
      .cancelLaunch, .setPIN, .reportPINAttempt, .reportBiometricsChange:
      command
    }
  }

  /// Configured values; a key or value that contains a listed text is marked as secret.
  private func mark(_ delivered: [ConfigurationValue]) -> [ConfigurationValue] {
    delivered.map { value in
      var value = value
      value.isSecret = value.isSecret || values.contains { value.text.contains($0) }
      value.isKeySecret = value.isKeySecret || values.contains { value.key.contains($0) }
      return value
    }
  }

  private func scrub(_ answer: ServiceAnswer) -> ServiceAnswer {
    if case .failure(let failure) = answer { .failure(scrub(failure)) } else { answer }
  }

  private func scrub(_ failure: ServiceFailure) -> ServiceFailure {
    ServiceFailure(failure.code, error: scrub(failure.error))
  }
}
