import AppProtection
import EventSourcing

extension EngineCore {
  /// The callback for a refused command, if the app has a delegate method for it. Its account is the one that the app
  /// named, if `state` knows it (T3, T4).
  static func callback(
    for rejection: AppProtectionRejection, of command: AppProtectionCommand, in state: AppProtectionState
  ) -> Callback? {
    guard let code = rejection.statusCode else { return nil }
    func known(_ reference: AccountReference?) -> AccountNumber? {
      reference.flatMap { state.account(for: $0)?.account }
    }
    return switch command.answeredRequest {
    case .enrollment(let account)?: .enrollmentRequest(known(account), code)
    case .unenrollment(let account)?: .unenrollRequest(known(account), code)
    case nil: nil
    }
  }

  /// The callbacks that follow from the journal's events and were not made by the processes that wrote them.
  ///
  /// Events that cannot be read, because they are damaged or retired, cause none.
  func untold(since progress: DeliveryProgress) -> [Outbox.Delivery] {
    guard progress.nextEvent <= store.lastSequence else { return [] }
    var deliveries: [Outbox.Delivery] = []
    do throws(HistoryError) {
      var history = try History<AppProtectionMachine>(at: store.path, fileSystem: store.fileSystem)
      history.goesBeyondDamage = true
      var cursor = try history.cursor(after: .sequence(max(progress.nextEvent, history.firstSequence) - 1))
      while let item = try cursor.next() {
        guard case .event(let step) = item, let event = step.record.event, let before = step.before,
          let after = step.after
        else { continue }
        deliveries += Outbox.deliveries(for: event, at: step.record.sequence, before, after)
      }
    } catch {
      // What was found so far is reported; the store itself has judged the journal when it opened it.
    }
    return deliveries.filter { delivery in
      guard let place = delivery.place, !delivery.callback.endsWithProcess else { return false }
      return place.event > progress.nextEvent || place.number > progress.madeCallbacks
    }
  }
}
