import AppProtection
import EventSourcing

extension RecordedDecision {
  /// The command that an event about enrollments, check-ins and wipes stands for.
  func serviceCommand(of event: AppProtectionEvent) -> AppProtectionCommand? {
    switch event {
    case .enrollmentRequested(let event):
      switch event.trigger {
      case .retry: .startDueWork
      case .login: .loginAndEnroll(reference(event.account))
      case _: .registerAndEnroll(reference(event.account))
      }
    case .enrollmentSucceeded(let event):
      switch event.code {
      case .policiesHaveNotChanged: answer(.unchanged, for: event.account)
      case .noPolicyReceived: answer(.noPolicy, for: event.account)
      case _: policy.flatMap { answer($0, for: event.account) }
      }
    case .enrollmentFailed(let event):
      event.code == .reEnrollForUnenrolledUser && accounts[event.account]?.enrollment.recordLost == true
        ? answer(failure(.policyRecordGone, event.error), for: event.account)
        : answer(failure(event.code, event.error), for: event.account)
    // The journal does not keep a policy that waits for the user's choice.
    case .accountSwitchAsked(let event): answer(.policy(PolicyDocument()), for: event.account)
    case .accountSwitchAnswered(let event): .answerAccountSwitch(reference(event.account), event.choice)
    case .enrollmentRecordGone(let event):
      answer(event.code == .policyRecordGone ? .gone : failure(event.code), for: event.account)
    case .loginRequested: .loginAndEnroll(nil)
    case .loginAnswered(let event): .answerLogin(event.account.map(reference))
    case .checkInRequested(let event): checkIn(event)
    case .checkInUnchanged(let event):
      answer(event.code == .noPolicyReceived ? .noPolicy : .unchanged, for: event.account)
    case .checkInFailed(let event): answer(failure(event.code, event.error), for: event.account)
    case .unenrollmentRequested(let event):
      accounts[event.account]?.enrollment.status == .unenrolling
        ? .startDueWork : .deregisterAndUnenroll(reference(event.account), wipe: event.wipe)
    case .unenrollmentSucceeded(let event): .answerUnenrollment(reference(event.account))
    case .unenrollmentFailed(let event):
      .answerUnenrollment(reference(event.account), failure: ServiceFailure(event.code, error: event.error))
    case .policyReceived(let event): policy.flatMap { answer($0, for: event.account) }
    case .policyWithdrawn(let event):
      event.reason == .untargeted
        ? answer(.noPolicy, for: event.account) : .answerUnenrollment(reference(event.account))
    case .wipeRequested(let event):
      (event.origin == .service ? answer(.wipe(event.reason), for: event.account) : nil)
        ?? .requestWipe(reference(event.account), event.reason, event.origin)
    case .wipeDelegateAnswered(let event):
      .answerWipe(reference(event.account), removedEverything: event.removedEverything)
    case .wipeFilesRemoved(let event): .reportFilesRemoved(reference(event.account), count: event.count)
    case .wipeFailed(let event): .reportFilesLeft(reference(event.account), count: event.count, error: event.error)
    case .wipeCompleted(let event): .answerUnenrollment(reference(event.account))
    case _: nil
    }
  }

  /// A check-in that was due, or one that the app asked for although it was not.
  private func checkIn(_ event: CheckInRequested) -> AppProtectionCommand {
    switch event.trigger {
    case .schedule, .retry:
      let due = accounts[event.account]?.enrollment.due
      if let due, clock.remaining(until: due, at: moment) <= 0 { return .startDueWork }
    case .request, .launch: break
    }
    return .requestCheckIn(reference(event.account), event.trigger)
  }
}
