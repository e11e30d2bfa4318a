/// Finds the place of salvaged journals' events in the original's history.
///
/// Up to its first lost event, a salvaged journal has the chain values of its original. After it, the chain continued
/// from an event without a payload, and all values differ. But over the same events, the difference of two chains
/// depends only on their starts and on the number of bytes. So one place with a known chain value of the original gives
/// all others, and a second place with the same answer proves that the events between them are the same.
struct SalvagedCopies {
  /// How often to reconsider events without a place, and with how many other stretches to compare each.
  private static let maximumSweeps = 8
  private static let maximumComparisons = 8
  private static let maximumWitnesses = 64

  /// A place in the files of one journal.
  private struct FilePlace: Hashable {
    var id: JournalID
    var sequence: UInt64
    var chain: UInt32
  }

  /// The result of comparing a stretch with others.
  private enum Answer {
    /// The difference between its first chain value and the history's.
    case difference(UInt32)
    /// Other events exist under the same numbers.
    case contradiction
    /// No comparable events could be read.
    case silence
  }

  private let salvage: Salvage
  /// All fragments, those of salvaged journals with the difference of their chain values.
  private(set) var fragments: [SalvageFragment]
  /// Salvaged journals whose events differ from the rest under the same numbers.
  private(set) var strangers: [JournalID] = []

  /// The history's chain values where fragments of salvaged journals begin and end.
  private var known: [FilePlace: UInt32] = [:]
  /// The fragments whose place was known when a sweep began.
  private var placed = PlacedFragments([], [])
  /// Where the original's chain value is known, in order.
  private var witnesses: [SalvageRoute.Place] = []
  /// The fragment that got its place in this sweep and reaches furthest.
  private var furthest: Int?

  init(_ salvage: Salvage) {
    self.salvage = salvage
    fragments = salvage.fragments
  }

  /// Assigns places to the events of all journals that were salvaged from one.
  mutating func place(copiesOf source: JournalID) {
    var settled = fragments.indices.filter { id(of: $0) == source }
    var waiting = fragments.indices.filter { salvage.originals[id(of: $0)] == source }
      .sorted { (fragments[$0].first, $0) < (fragments[$1].first, $1) }
    known = [:]
    for identity in salvage.identities where salvage.originals[identity.id] == source {
      guard let parent = identity.parent, parent.id == source else { continue }
      known[FilePlace(id: identity.id, sequence: parent.sequence, chain: parent.chain)] = parent.chain
    }
    for sweep in 0...Self.maximumSweeps where !waiting.isEmpty {
      prepare(settled, source)
      let count = waiting.count
      waiting = waiting.filter { index in
        guard let difference = difference(of: index) else { return true }
        place(index, difference)
        settled.append(index)
        return false
      }
      if waiting.count == count || sweep == Self.maximumSweeps { break }
    }
    prepare(settled, source)
    // A salvage kept the places of lost events, and wrote what precedes them.
    var latest = Dictionary(settled.map { (id(of: $0), fragments[$0].first) }, uniquingKeysWith: max)
    for lost in salvage.placeholders {
      guard let id = salvage.traces[lost.trace].id else { continue }
      latest[id] = max(latest[id] ?? 0, lost.events.upperBound)
    }
    for isLast in [false, true] {
      waiting = waiting.filter { index in
        let id = id(of: index)
        if strangers.contains(id) { return false }
        switch linked(index).map({ .difference($0) }) ?? compare(index) {
        case .difference(let difference): place(index, difference)
        case .silence:
          guard let difference = neighborly(index, before: latest[id] ?? 0) ?? (isLast ? 0 : nil) else { return true }
          place(index, difference)
        case .contradiction: strangers.append(id)
        }
        latest[id] = max(latest[id] ?? 0, fragments[index].first)
        return false
      }
    }
  }

  private func id(of index: Int) -> JournalID { salvage.traces[fragments[index].trace].id ?? .none }

  private mutating func prepare(_ settled: [Int], _ source: JournalID) {
    placed = PlacedFragments(settled, fragments)
    furthest = nil
    var places = Set(settled.flatMap { [fragments[$0].from, fragments[$0].to] })
    for case let header? in salvage.traces.lazy.map(\.header) where header.id == source {
      places.insert(SalvageRoute.Place(sequence: header.firstSequence - 1, chain: header.chainIn))
    }
    for (receipt, id, _) in salvage.receipts where id == source {
      places.insert(SalvageRoute.Place(sequence: receipt.sequence, chain: receipt.chain))
    }
    for (checkpoint, id, _) in salvage.checkpoints where id == source {
      places.insert(SalvageRoute.Place(sequence: checkpoint.sequence, chain: checkpoint.chain))
    }
    witnesses = places.sorted { ($0.sequence, $0.chain) < ($1.sequence, $1.chain) }
  }

  private mutating func place(_ index: Int, _ difference: UInt32) {
    fragments[index].differenceBefore = difference
    if difference != 0, let end = profile(of: index, at: [fragments[index].last])?.last {
      fragments[index].differenceAfter = Checksum.difference(difference, after: end.length)
    } else {
      // Events that can no longer be read keep the place that the file gives them.
      fragments[index].differenceBefore = 0
    }
    let fragment = fragments[index]
    let id = id(of: index)
    known[FilePlace(id: id, sequence: fragment.first - 1, chain: fragment.chainBefore)] = fragment.from.chain
    known[FilePlace(id: id, sequence: fragment.last, chain: fragment.chainAfter)] = fragment.to.chain
    if fragment.last >= furthest.map({ fragments[$0].last }) ?? 0 { furthest = index }
  }

  // MARK: - Evidence

  private func difference(of index: Int) -> UInt32? {
    if let difference = linked(index) { return difference }
    if case .difference(let difference) = compare(index) { return difference }
    return nil
  }

  /// From the events before or after it in the same journal, which its chain values link it to.
  private func linked(_ index: Int) -> UInt32? {
    let fragment = fragments[index]
    let id = id(of: index)
    if let chain = known[FilePlace(id: id, sequence: fragment.first - 1, chain: fragment.chainBefore)] {
      return chain ^ fragment.chainBefore
    }
    guard let chain = known[FilePlace(id: id, sequence: fragment.last, chain: fragment.chainAfter)],
      let end = profile(of: index, at: [fragment.last])?.last
    else { return nil }
    return Checksum.difference(chain ^ fragment.chainAfter, before: end.length)
  }

  /// From events of the same numbers, or from chain values at two places.
  private func compare(_ index: Int) -> Answer {
    let fragment = fragments[index]
    var answer = Answer.silence
    var others = placed.overlapping(fragment.events, limit: Self.maximumComparisons)
    if let furthest, fragments[furthest].last >= fragment.first { others.append(furthest) }
    for other in others {
      // Histories that diverge further on share the first of the overlapping events.
      let start = max(fragment.first, fragments[other].first) - 1
      guard let mine = profile(of: index, at: [start, start + 1]),
        let places = try? salvage.places(of: fragments[other], at: [start, start + 1])
      else { continue }
      let found = zip(mine, places).map { Checksum.difference($0.chain ^ $1.chain, before: $0.length) }
      if let first = found.first, found.count == 2, first == found[1] { return .difference(first) }
      answer = .contradiction
    }
    return proof(index).map { .difference($0) } ?? answer
  }

  /// The difference on which two places with a known chain value agree.
  private func proof(_ index: Int) -> UInt32? {
    let fragment = fragments[index]
    let start = witnesses.partitioningIndex { $0.sequence >= fragment.first - 1 }
    let near = witnesses[start...].prefix(Self.maximumWitnesses).filter { $0.sequence <= fragment.last }
    guard near.count > 1, let first = near.first, near.contains(where: { $0.sequence != first.sequence }),
      let mine = profile(of: index, at: near.map(\.sequence))
    else { return nil }
    var votes: [UInt32: UInt64] = [:]
    for (witness, mine) in zip(near, mine) {
      let difference = Checksum.difference(witness.chain ^ mine.chain, before: mine.length)
      if let place = votes[difference], place != witness.sequence { return difference }
      votes[difference] = witness.sequence
    }
    return nil
  }

  /// The difference at the only known chain value where a fragment begins, after an event that the copy has lost; or ends,
  /// when later events of the same copy have a place, or it keeps that of a lost one: the salvage that wrote the copy has
  /// already found that all of them are of one history.
  ///
  /// - Parameter latest: The last of these events.
  private func neighborly(_ index: Int, before latest: UInt64) -> UInt32? {
    let fragment = fragments[index]
    for cut in latest > fragment.last ? [fragment.last, fragment.first - 1] : [fragment.first - 1] {
      let known = witnesses[witnesses.partitioningIndex { $0.sequence >= cut }...].prefix(2).filter {
        $0.sequence == cut
      }
      guard known.count == 1, !isContradicted(known[0], by: id(of: index)),
        let mine = profile(of: index, at: [cut])?.last
      else { continue }
      return Checksum.difference(known[0].chain ^ mine.chain, before: mine.length)
    }
    return nil
  }

  /// Whether the events that lead to a place, or on from it, differ from those of a copy.
  private func isContradicted(_ place: SalvageRoute.Place, by copy: JournalID) -> Bool {
    placed.overlapping(place.sequence...(place.sequence + 1), limit: Self.maximumComparisons)
      .lazy.map { fragments[$0] }.filter { $0.to == place || $0.from == place }.contains { other in
        placed.overlapping(other.events, limit: Self.maximumComparisons).contains { index in
          guard id(of: index) == copy else { return false }
          let last = min(fragments[index].last, other.last)
          return (try? salvage.places(of: fragments[index], at: [last])) != (try? salvage.places(of: other, at: [last]))
        }
      }
  }

  /// The file's chain values after some events, and how many bytes the chain ran over from the first event up to there.
  ///
  /// - Parameter cuts: in order, from the event before the first one to the last.
  private func profile(of index: Int, at cuts: [UInt64]) -> [(chain: UInt32, length: UInt64)]? {
    let fragment = fragments[index]
    let path = salvage.files[fragment.file].path
    guard let file = try? salvage.fileSystem.open(path, .read) else { return nil }
    defer { salvage.fileSystem.close(file) }
    let window = FileWindow(fileSystem: salvage.fileSystem, file: file, name: path)
    var cursor = FragmentCursor(fragment, at: fragment.first, window)
    var result: [(chain: UInt32, length: UInt64)] = []
    var place = (sequence: fragment.first - 1, chain: fragment.chainBefore, length: UInt64(0))
    for cut in cuts {
      while place.sequence < cut {
        guard let event = (try? cursor.next()) ?? nil, let chain = cursor.chain else { return nil }
        place = (event.sequence, chain, place.length + 4 + UInt64(event.payload.count))
      }
      result.append((place.chain, place.length))
    }
    return result
  }
}
