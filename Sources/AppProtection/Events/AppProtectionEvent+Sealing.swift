import EventSourcing

extension AppProtectionEvent {
  /// The account whose key seals the personal fields; 0 for an event that has none.
  public var sealingAccount: UInt64 {
    var accounts = SealingAccounts()
    return accept(&accounts)
  }

  /// Seals or opens the payload's personal fields.
  public mutating func passPersonal(to pass: inout PersonalPass) throws(SealingError) {
    guard let kind = Kind(rawValue: type) else { return }
    var passing = Passing(event: self, pass: pass)
    self = try kind.accept(&passing)
    pass = passing.pass
  }

  private struct SealingAccounts: PayloadVisitor {
    func visit<Payload: EventPayload>(_ payload: Payload) -> UInt64 { payload.sealingAccount }
  }

  private struct Passing: PayloadTypeVisitor {
    let event: AppProtectionEvent
    var pass: PersonalPass

    mutating func visit<Payload: EventPayload>(
      _ made: (Payload) -> AppProtectionEvent, _ readers: EventReaders
    ) throws(SealingError) -> AppProtectionEvent {
      var payload = PayloadOfType<Payload>()
      event.accept(&payload)
      guard var found = payload.found else { return event }
      try found.passPersonal(to: &pass)
      return made(found)
    }
  }

  private struct PayloadOfType<Wanted: EventPayload>: PayloadVisitor {
    var found: Wanted?

    mutating func visit<Payload: EventPayload>(_ payload: Payload) { found = payload as? Wanted }
  }
}
