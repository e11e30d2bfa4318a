import Journal

extension JournaledEvent {
  /// The domain as a journal holds it: its name, and the catalogue, which is encoded once in a process.
  ///
  /// - Throws: `outOfRange` for a name that is not valid, `tooLarge` for a catalogue of more than 1 MiB.
  public static func journalDomain() throws(JournalError) -> JournalDomain {
    let known = try catalog.journalCache.value { () throws(JournalError) in
      try JournalDomain(name: domain, catalog: catalog.encode())
    }
    // Several domains may share a catalogue.
    return known.name == domain ? known : try JournalDomain(name: domain, catalog: known.catalog)
  }
}

extension JournalOptions {
  /// The defaults, for a journal of these events.
  ///
  /// - Throws: As ``JournaledEvent/journalDomain()``.
  public init(of events: any JournaledEvent.Type) throws(JournalError) {
    self.init()
    domain = try events.journalDomain()
  }
}

extension StoreOptions {
  /// The journal's options for events of this kind.
  @usableFromInline
  func journal<Event: JournaledEvent>(of events: Event.Type) throws(JournalError) -> JournalOptions {
    var options = journal
    options.domain = try events.journalDomain()
    return options
  }
}
