import AppProtection
import EventSourcing

/// Writes what an engine records, and what it tells the app, into the log.
struct EngineLog: EngineObserver {
  let logger: Logger

  func willAppend(_ events: [AppProtectionEvent]) {}

  func didAppend(_ result: AppendResult<AppProtectionMachine>) {
    let differ = StateDiffer()
    result.forEachStep { event, before, after in
      let level = LogLevel(of: event)
      if logger.isWritten(level) {
        let headline = Headline { append($0, to: &$1) }
        headline.begin(differ.changes(from: before, to: after).changes)
        AppProtectionMachine.describe(event, in: headline)
        let account = event.account.map { " \($0)" } ?? ""
        logger.write(level, "\(event.name)\(account): \(String(decoding: headline.text, as: UTF8.self))")
      }
      guard logger.isWritten(.warning) else { return }
      for finding in AppProtectionMachine.findings(for: event, before: before, after: after) {
        logger.write(.warning, "\(finding)")
      }
    }
  }

  func willDeliver(_ callback: String) {
    if logger.isWritten(.verbose) { logger.write(.verbose, "to the app: \(callback)") }
  }

  /// Appends a value as far as the log may show it.
  private func append(_ value: StateValue?, to text: inout [UInt8]) {
    switch value {
    case nil, .unset?: text += "unset".utf8
    case .bool(let flag)?: text += "\(flag)".utf8
    case .integer(let number)?: text += "\(number)".utf8
    case .name(let name)?: text += name.utf8
    case .text(let words)?: text += words.utf8
    case .personal(let words, .account)? where logger.revealsPersonalData: text += words.utf8
    case .personal?: text += "‹withheld›".utf8
    case .sealed(_, let isErased)?: text += (isErased ? "‹erased›" : "‹sealed›").utf8
    case .time(let nanoseconds)?: text += LogLine.time(nanoseconds).utf8
    case .duration(let nanoseconds)?: text += "\(nanoseconds / 1_000_000_000) s".utf8
    case .sequence(let number)?: text += "\(number)".utf8
    case .list(let values)?:
      text += "[".utf8
      for (index, value) in values.enumerated() {
        if index > 0 { text += ", ".utf8 }
        append(value, to: &text)
      }
      text += "]".utf8
    }
  }
}

extension LogLevel {
  /// How much an event matters.
  init(of event: AppProtectionEvent) {
    switch event {
    case .enrollmentFailed(let event): self.init(of: event.code)
    case .checkInFailed(let event): self.init(of: event.code)
    case .unenrollmentFailed(let event): self.init(of: event.code)
    case .remediationFinished(let event): self = event.status == .compliant ? .info : .warning
    case .launchEvaluated(let event): self = event.outcome.isPassing ? .info : .warning
    case .commandRefused, .wipeFailed: self = .error
    case .restartRequired, .launchWarned, .accountRemovalRequired, .accountSwitchAsked, .enrollmentConflictDetected,
      .enrollmentRecordGone, .loginRequested, .identitySwitchRefused, .wipeRequested, .tokenDenied, .launchCanceled,
      .pinFailed, .pinReset:
      self = .warning
    case .clockOffsetChanged, .deviceReported, .remediationTold: self = .verbose
    case .processStarted, .processEnded, .restartAnswered, .settingsChanged, .settingsOverridden,
      .allowedAccountsChanged, .managedDeviceAccountChanged, .deviceConfigurationChanged, .accountIntroduced,
      .accountIdentified, .accountRegistered, .accountDeregistered, .tokenAcquired, .tokenRemoved,
      .accountAdditionRequested, .accountAdditionAnswered, .signInsReported, .accountExclusivityChanged,
      .enrollmentRequested, .enrollmentSucceeded, .accountSwitchAnswered, .enrollmentLapsed, .loginAnswered,
      .checkInRequested, .checkInUnchanged, .unenrollmentRequested, .unenrollmentSucceeded, .policyReceived,
      .policyWithdrawn, .configurationReceived, .configurationWithdrawn, .identitySwitched, .identitySwitchRequested,
      .identitySwitchAnswered, .identityScopeClosed, .wipeDelegateAnswered, .wipeFilesRemoved, .wipeCompleted,
      .remediationRequested, .remediationQueued, .remediationStarted, .userStatusReceived, .launchSignedIn, .pinSet,
      .pinVerified, .biometricsChanged:
      self = .info
    }
  }

  /// How much a failure with a code matters.
  private init(of code: EnrollmentStatusCode) {
    switch code.classification {
    case .success, .benign, .inProgress: self = .info
    case .transient, .user, .service, .warning, .obsolete: self = .warning
    case .failure, .terminal, .programmingError, .unknown: self = .error
    }
  }
}
