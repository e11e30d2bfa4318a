import Journal

extension SalvageFixture {
  /// Copies that earlier salvages wrote, and journals among whose files others of the same journal may come: older ones, and
  /// those of the journal from which a copy was salvaged.
  package static var copies: [SalvageFixture] {
    let foreign = another
    return [
      try? generations(foreign), try? salvaged(foreign), try? salvagedTwice(foreign), try? continuedCopy(foreign),
      try? withoutBeginning(foreign), try? retiredAndSalvaged(foreign), try? forkedAndSalvaged(foreign),
    ].compactMap(\.self)
  }

  /// The batches of a journal in several segments.
  private static let batches = [[40], [30, 31], [25], [90, 60], [200, 33], [180], [41, 42], [300], [22, 21], [37]]

  /// A closed journal in several segments, with its files as they were before.
  private static func original() throws(JournalError) -> (draft: Draft, earlier: [Files]) {
    var draft = Draft(segmentSize: 700)
    draft.options.syncPolicy = .everyCommit
    var earlier: [Files] = []
    let journal = try draft.create()
    for (index, batch) in batches.enumerated() {
      try draft.append([batch], generation: 1, to: journal)
      if index % 3 == 2 { earlier.append(files(draft.files.image, "generation \(earlier.count + 1)")) }
    }
    _ = try journal.writeCheckpoint(sequence: 6, body: [6])
    try journal.close()
    return (draft, earlier)
  }

  private typealias Files = [(path: String, bytes: [UInt8])]

  /// The files of a journal, as those of another place.
  private static func files(_ image: DiskImage, _ place: String) -> Files {
    image.files.filter { $0.key.hasPrefix(Workload.path + "/") && !$0.key.hasSuffix("/LOCK") }
      .sorted { $0.key < $1.key }.map { (path: place + $0.key.dropFirst(Workload.path.count), bytes: $0.value) }
  }

  /// The copy that a salvage makes of damaged files, in their place.
  private static func salvage(
    _ draft: Draft, damaging damages: [Damage], segmentSize: UInt64 = 700
  ) throws(JournalError) -> Draft {
    var image = draft.files.image
    for damage in damages { damage.apply(to: &image) }
    let fileSystem = RecordingFileSystem(image)
    var options = draft.options
    options.segmentSizeLimit = segmentSize
    _ = try Salvage(of: [Workload.path], fileSystem: fileSystem).write(
      journal: Workload.id, to: SalvagedCopy.path, options: options)
    var copy = fileSystem.image
    copy.files = copy.files.filter { $0.key.hasPrefix(SalvagedCopy.path + "/") }
      .reduce(into: [:]) { $0[Workload.path + $1.key.dropFirst(SalvagedCopy.path.count)] = $1.value }
    var result = Draft(copy, events: draft.events, segmentSize: segmentSize)
    result.options.syncPolicy = .everyCommit
    return result
  }

  /// A flipped bit in the payloads of some events.
  private static func flips(_ numbers: [Int], in draft: Draft) throws(JournalError) -> [Damage] {
    let journal = try draft.fixture("before")
    return numbers.map { number in
      let place = journal.places[number - 1 - journal.retired]
      return Damage(place.file, .flipped(bit: (place.range.lowerBound + 18) * 8))
    }
  }

  /// The events of a copy, of which the lost ones are empty; those of others may still turn up.
  private static func losing(_ numbers: [Int], _ draft: inout Draft) -> [Int: [UInt8]] {
    let lost = Dictionary(uniqueKeysWithValues: numbers.map { ($0, draft.events[$0 - 1]) })
    for number in numbers { draft.events[number - 1] = [] }
    return lost
  }

  private static func generations(_ foreign: Files) throws(JournalError) -> SalvageFixture {
    let (draft, earlier) = try original()
    return SalvageFixture(
      try draft.fixture("beside its other generations"), foreign: foreign, generations: earlier.flatMap(\.self))
  }

  private static func salvaged(_ foreign: Files) throws(JournalError) -> SalvageFixture {
    let (draft, _) = try original()
    var copy = try salvage(draft, damaging: flips([5, 9], in: draft))
    let lost = losing([5, 9], &copy)
    return SalvageFixture(
      try copy.fixture("salvaged"), foreign: foreign, generations: files(draft.files.image, "original"),
      lostEarlier: lost)
  }

  private static func salvagedTwice(_ foreign: Files) throws(JournalError) -> SalvageFixture {
    let (draft, _) = try original()
    var first = try salvage(draft, damaging: flips([5], in: draft))
    var lost = losing([5], &first)
    var second = try salvage(first, damaging: flips([8, 11], in: first))
    lost.merge(losing([8, 11], &second)) { one, _ in one }
    return SalvageFixture(
      try second.fixture("salvaged twice"), foreign: foreign, generations: files(draft.files.image, "original"),
      lostEarlier: lost)
  }

  /// A copy to which its owner wrote on.
  private static func continuedCopy(_ foreign: Files) throws(JournalError) -> SalvageFixture {
    let (draft, _) = try original()
    var copy = try salvage(draft, damaging: flips([6], in: draft))
    let earlier = files(copy.files.image, "before")
    let lost = losing([6], &copy)
    let journal = try copy.open()
    try copy.append([[45], [35, 36], [260], [28]], generation: 2, to: journal)
    try journal.close()
    return SalvageFixture(
      try copy.fixture("salvaged and continued"), foreign: foreign, generations: earlier, lostEarlier: lost)
  }

  /// A copy of a journal whose first segment was lost.
  private static func withoutBeginning(_ foreign: Files) throws(JournalError) -> SalvageFixture {
    let (draft, _) = try original()
    let copy = try salvage(draft, damaging: [Damage(segment, .removed)])
    return SalvageFixture(try copy.fixture("salvaged without its beginning"), foreign: foreign)
  }

  /// A copy of a journal of which retention dropped the first segments.
  private static func retiredAndSalvaged(_ foreign: Files) throws(JournalError) -> SalvageFixture {
    let (draft, _) = try original()
    let journal = try draft.open()
    let checkpoint = try journal.writeCheckpoint(sequence: 8, body: [8])
    _ = try journal.retire(before: 8, after: checkpoint)
    try journal.close()
    var copy = try salvage(draft, damaging: flips([11], in: draft))
    let lost = losing([11], &copy)
    return SalvageFixture(
      try copy.fixture("retired and salvaged"), foreign: foreign, generations: files(draft.files.image, "original"),
      lostEarlier: lost)
  }

  private static func forkedAndSalvaged(_ foreign: Files) throws(JournalError) -> SalvageFixture {
    let fork = try forked()
    var copy = try salvage(fork, damaging: flips([7], in: fork))
    let lost = losing([7], &copy)
    return SalvageFixture(
      try copy.fixture("forked and salvaged"), foreign: foreign, generations: files(fork.files.image, "original"),
      lostEarlier: lost)
  }
}
