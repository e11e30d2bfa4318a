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
    return named(result)
  }

  /// The originals of salvaged journals. One that was salvaged from events of an unknown journal is a copy of the journal
  /// whose chain leads to them, or on from them: chain value and number are evidence of 62 bits.
  private func named(_ originals: [JournalID: JournalID]) -> [JournalID: JournalID] {
    let parents = Dictionary(
      identities.lazy.filter(\.isSalvaged).compactMap { identity in identity.parent.map { (identity.id, $0) } },
      uniquingKeysWith: { first, _ in first })
    var nameless: [JournalID: [SalvageFragment]] = [:]
    for fragment in fragments {
      guard let id = traces[fragment.trace].id, let parent = parents[id], originals[id] == parent.id else { continue }
      nameless[id, default: []].append(fragment)
    }
    nameless = nameless.filter { id, fragments in
      guard let parent = parents[id] else { return false }
      let start = SalvageRoute.Place(sequence: parent.sequence, chain: parent.chain)
      return fragments.contains { Self.unknownJournal(from: start, to: $0.to) == parent.id }
    }
    guard !nameless.isEmpty else { return originals }
    var owners: [SalvageRoute.Place: JournalID] = [:]
    for fragment in fragments {
      guard let id = traces[fragment.trace].id, nameless[id] == nil, !isEmbedded(fragment.trace) else { continue }
      for place in fragment.first > 1 ? [fragment.from, fragment.to] : [fragment.to] {
        owners[place] = originals[id] ?? id
      }
    }
    for (place, id) in statedPlaces where nameless[id] == nil { owners[place] = originals[id] ?? id }
    var result = originals
    for (id, fragments) in nameless.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
      let places = fragments.flatMap { $0.first > 1 ? [$0.from, $0.to] : [$0.to] }
      if let owner = places.lazy.compactMap({ owners[$0] }).first { result[id] = owner }
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
