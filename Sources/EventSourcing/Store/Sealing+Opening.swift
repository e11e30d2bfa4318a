extension Sealing {
  /// The event with its personal data opened, as far as the keys open it.
  ///
  /// - Throws: ``SealingError`` if the keys cannot be read now. What no key opens is erased instead.
  public func opened<Event: JournaledEvent>(_ event: Event) throws(SealingError) -> Event {
    var (event, pass) = (event, PersonalPass(opening: self, domain: Event.domain, account: event.sealingAccount))
    try event.passPersonal(to: &pass)
    return event
  }

  /// Opens the personal data in a state, as far as the keys open it. The state stays equal to what it was, and its digest too.
  @usableFromInline
  func open<State: MachineState>(_ state: inout State, domain: String) throws(HistoryError) {
    _ = try opening(&state, domain: domain)
  }

  /// Opens the personal data in a state, and counts what the keys opened.
  @usableFromInline
  func opening<State: MachineState>(_ state: inout State, domain: String) throws(HistoryError) -> PersonalPass {
    var pass = PersonalPass(opening: self, domain: domain, account: nil)
    do throws(SealingError) {
      try state.passPersonal(to: &pass)
    } catch {
      throw .sealing(error)
    }
    return pass
  }
}

extension MachineState {
  /// Whether the state holds sealed values. The state stays as it is.
  @usableFromInline var holdsSealedValues: Bool {
    var (state, pass) = (self, PersonalPass())
    // Counting does not fail.
    try? state.passPersonal(to: &pass)
    return pass.sealedCount > 0
  }
}

extension StartingPoint {
  /// Whether only a store with the journal's keys may go on from here.
  var needsKeys: Bool { window.needsKeys || replay.state.holdsSealedValues }

  /// Opens the sealed data in the state, and refuses a state for which the options bring no keys.
  @usableFromInline
  mutating func openSealed(_ options: StoreOptions) throws(HistoryError) {
    if let sealing = options.sealing {
      // Nothing is opened with keys that the journal refuses.
      do throws(SealingError) {
        if !window.keyCheck.isEmpty {
          try sealing.requireKeys(of: window.keyCheck)
        } else if window.needsKeys, try sealing.keys.key(of: 0) == nil {
          throw .lostKeys
        }
      } catch {
        throw .sealing(error)
      }
      let pass = try sealing.opening(&replay.state, domain: Machine.Event.domain)
      if window.keyCheck.isEmpty {
        if pass.openedCount == 0, pass.refusedCount > 0 { throw .sealing(.otherKeys) }
        mayRecordKeys = pass.openedCount > 0 || pass.sealedCount == 0 && !window.needsKeys
      }
      return
    }
    switch options.onMissingKeys {
    case .refuse: if needsKeys { throw .sealing(.withoutKeys) }
    case .refuseCommands: break
    }
  }
}

extension RecordedEvent {
  /// The same record with the event's personal data opened, as far as the keys open it.
  ///
  /// - Throws: ``HistoryError/sealing(_:)`` if the keys cannot be read now.
  public func opened(by sealing: Sealing) throws(HistoryError) -> RecordedEvent {
    guard case .known(let event) = content else { return self }
    do throws(SealingError) {
      return RecordedEvent(
        sequence: sequence, chain: chain, envelope: envelope, content: .known(try sealing.opened(event)))
    } catch {
      throw .sealing(error)
    }
  }
}
