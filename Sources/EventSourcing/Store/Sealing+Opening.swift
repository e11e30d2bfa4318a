extension Sealing {
  /// The event with its personal data opened, as far as the keys open it.
  public func opened<Event: JournaledEvent>(_ event: Event) -> Event {
    var (event, pass) = (event, PersonalPass(opening: self, domain: Event.domain, account: event.sealingAccount))
    // Opening does not fail: what cannot be opened is erased.
    try? event.passPersonal(to: &pass)
    return event
  }

  /// Opens the personal data in a state, as far as the keys open it. The state stays equal to what it was, and its digest too.
  @usableFromInline
  func open<State: MachineState>(_ state: inout State, domain: String) {
    var pass = PersonalPass(opening: self, domain: domain, account: nil)
    try? state.passPersonal(to: &pass)
  }
}

extension RecordedEvent {
  /// The same record with the event's personal data opened, as far as the keys open it.
  public func opened(by sealing: Sealing) -> RecordedEvent {
    guard case .known(let event) = content else { return self }
    return RecordedEvent(sequence: sequence, chain: chain, envelope: envelope, content: .known(sealing.opened(event)))
  }
}
