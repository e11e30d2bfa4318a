import Journal

extension JournaledEvent {
  /// The domain as a journal holds it: its name, and the catalogue, which is encoded once in a process.
  ///
  /// - Throws: `outOfRange` for a name that is not valid, and for a catalogue that ``EventCatalog/init(decoding:)`` would not read;
  ///   `tooLarge` for one of more than 1 MiB.
  public static func journalDomain() throws(JournalError) -> JournalDomain {
    try journalDomain(computing: nil)
  }

  /// - Parameter state: What computes the states; `nil` if no program does.
  static func journalDomain(computing state: StateDescriptor?) throws(JournalError) -> JournalDomain {
    let known = try catalog.journalCache.value(state) { () throws(JournalError) in
      let mistakes = catalog.mistakes
      guard mistakes.isEmpty else { throw JournalError(mistakes, of: domain) }
      // The first revision cannot have taken over a state.
      let own = (state?.revision ?? 1) > 1 ? [StateMigration.descriptor] : []
      let bytes = EventCatalog(catalog.entries + own, state: state).encode()
      // Every reader of the journal would refuse it.
      do throws(CatalogError) { _ = try EventCatalog(decoding: bytes) } catch {
        throw JournalError(
          .outOfRange, "the events of the domain \"\(domain)\" cannot be described: \(error)",
          remedy: "change their descriptors")
      }
      return try JournalDomain(name: domain, catalog: bytes)
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

extension Reducer {
  /// The domain as a journal of this machine holds it: with the revision of the rules and the slices of a state. Computed
  /// once in a process.
  ///
  /// - Throws: As ``JournaledEvent/journalDomain()``.
  public static func journalDomain() throws(JournalError) -> JournalDomain {
    try machineDomains.value(ObjectIdentifier(Self.self)) { () throws(JournalError) in
      let mistakes =
        (State.self as? any FieldList.Type)?.descriptor.mistakes(in: "the state")
        ?? zip(State.sliceNames, State.sliceDescriptors).flatMap { $1.mistakes(in: "the state, in \($0)") }
      guard mistakes.isEmpty else { throw JournalError(mistakes, of: Event.domain) }
      return try Event.journalDomain(computing: stateDescriptor)
    }
  }
}

/// The domains of machines: a generic type cannot keep its own.
private let machineDomains = Memos<ObjectIdentifier, JournalDomain>()

extension StoreOptions {
  /// The journal's options for a machine.
  @usableFromInline
  func journal<Machine: Reducer>(of machine: Machine.Type) throws(JournalError) -> JournalOptions {
    var options = journal
    options.domain = try machine.journalDomain()
    return options
  }
}
