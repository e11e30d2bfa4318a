extension Salvage {
  /// Salvaged journals whose events differ from the rest; each costs another try.
  private static let maximumTries = 16

  /// The journal that another one was salvaged from, or that one itself.
  func source(of id: JournalID?) -> JournalID {
    let id = id ?? .none
    return originals[id] ?? id
  }

  /// Treats the events of salvaged journals as those of their originals, which have the same numbers.
  ///
  /// A salvaged journal with other events than the rest under the same numbers stays a journal of its own: it is a copy
  /// of another history.
  mutating func joinCopies() {
    var strangers: Set<JournalID> = []
    while true {
      originals = originals(except: strangers)
      var copies = SalvagedCopies(self)
      let sources = Set(originals.values).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      for source in sources { copies.place(copiesOf: source) }
      guard let stranger = copies.strangers.first else {
        fragments = copies.fragments
        return
      }
      strangers.formUnion(strangers.count < Self.maximumTries ? [stranger] : copies.strangers)
    }
  }

  private func originals(except strangers: Set<JournalID>) -> [JournalID: JournalID] {
    var parents: [JournalID: JournalID] = [:]
    for identity in identities where identity.isSalvaged && !strangers.contains(identity.id) {
      parents[identity.id] = parents[identity.id] ?? identity.parent?.id
    }
    var result: [JournalID: JournalID] = [:]
    for id in identities.lazy.map(\.id) where parents[id] != nil {
      var source = id
      // A journal cannot be its own original, unless its files were forged.
      for _ in 0..<64 { source = parents[source] ?? source }
      if source != id, parents[source] == nil { result[id] = source }
    }
    return result
  }

  /// The places in the history after some events of a fragment.
  ///
  /// - Parameter cuts: in order, from the event before the first one to the last.
  func places(of fragment: SalvageFragment, at cuts: [UInt64]) throws(JournalError) -> [SalvageRoute.Place] {
    let inner = cuts.filter { $0 >= fragment.first && $0 < fragment.last }
    let chains = inner.isEmpty ? [] : try chains(of: fragment, at: inner[...], inHistory: true)
    var places = zip(inner, chains).map { SalvageRoute.Place(sequence: $0, chain: $1) }
    if let first = cuts.first, first < fragment.first { places.insert(fragment.from, at: 0) }
    if let last = cuts.last, last >= fragment.last { places.append(fragment.to) }
    return places
  }
}
