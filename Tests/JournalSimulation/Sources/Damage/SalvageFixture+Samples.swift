import Journal

extension SalvageFixture {
  /// Journals in every condition, those of ``DamageFixture/samples`` among them: with unfinished writes that hold whole
  /// batches and were given up, with events that were given up after damage, written twice because a sync failed, and
  /// forked.
  package static var samples: [SalvageFixture] {
    let foreign = another
    return DamageFixture.samples(smallestEvent: 1).map { SalvageFixture($0, foreign: foreign) }
      + [
        try? givenUpBehindGap(foreign), try? givenUpWhole(foreign), try? givenUpBehindDamage(foreign),
        try? fork(foreign), try? writtenTwice(foreign), try? large(foreign),
      ].compactMap(\.self)
  }

  /// A journal while it is written: what is on the device, and the events of the history so far.
  struct Draft {
    let files: RecordingFileSystem
    var events: [[UInt8]]
    var options: JournalOptions

    init(_ image: DiskImage = DiskImage(), events: [[UInt8]] = [], segmentSize: UInt64 = 1 << 20) {
      files = RecordingFileSystem(image)
      self.events = events
      options = JournalOptions()
      options.syncPolicy = .none
      options.segmentSizeLimit = segmentSize
      options.preallocation = 0
    }

    func create(at path: String = Workload.path, id: JournalID = Workload.id) throws(JournalError) -> JournalWriter {
      try JournalWriter.create(at: path, id: id, createdNanoseconds: 7, options: options, fileSystem: files)
    }

    func open(onDamage policy: DamagePolicy = .refuse) throws(JournalError) -> JournalWriter {
      try JournalWriter.open(at: Workload.path, options: options, onDamage: policy, fileSystem: files)
    }

    /// Appends batches with payloads of these lengths.
    mutating func append(_ batches: [[Int]], generation: Int, to journal: JournalWriter) throws(JournalError) {
      for lengths in batches {
        var batch = JournalBatch()
        for length in lengths {
          events.append(Workload.payload(events.count + 1, length, generation: generation))
          try batch.append(payload: events[events.count - 1], label: Int64(generation))
        }
        try journal.append(&batch)
      }
    }

    func fixture(_ name: String) throws(JournalError) -> DamageFixture {
      guard let fixture = DamageFixture(name, leaving: files.image, events: events, promised: events.count) else {
        throw JournalError(.damaged, "the fixture \(name) does not hold what was written", remedy: "write another")
      }
      return fixture
    }
  }

  static let segment = "\(Workload.path)/\(String(repeating: "0", count: 19))1.seg"

  /// Another journal in several segments, closed.
  static var another: [(path: String, bytes: [UInt8])] {
    guard let id = JournalID(bytes: Array(101...116)) else { return [] }
    var draft = Draft(segmentSize: 1 << 10)
    do throws(JournalError) {
      let journal = try draft.create(at: "k", id: id)
      try draft.append([[30], [200, 31], [500], [90, 600], [70]], generation: 77, to: journal)
      _ = try journal.writeCheckpoint(sequence: journal.lastSequence, body: [1, 2, 3])
      try journal.close()
    } catch {
      return []
    }
    return draft.files.image.files.filter { !$0.key.hasSuffix("/LOCK") }.sorted { $0.key < $1.key }
      .map { (path: $0.key, bytes: $0.value) }
  }

  /// A power cut left the last batch of those that were not synced and took the one before it; the writer went on before
  /// both.
  private static func givenUpBehindGap(
    _ foreign: [(path: String, bytes: [UInt8])]
  ) throws(JournalError) -> SalvageFixture {
    var draft = Draft()
    var journal = try draft.create()
    try draft.append([[40], [30, 31], [25]], generation: 1, to: journal)
    try journal.sync()
    let end = draft.files.image.files[segment]?.count ?? 0
    let promised = draft.events
    try draft.append([[44]], generation: 2, to: journal)
    let behind = draft.files.image.files[segment]?.count ?? 0
    try draft.append([[50, 33]], generation: 2, to: journal)
    let givenUp = Dictionary(uniqueKeysWithValues: draft.events.indices[5...].map { ($0 + 1, draft.events[$0]) })
    var image = draft.files.image
    Damage(segment, .zeroed(end..<behind)).apply(to: &image)
    draft = Draft(image, events: promised, segmentSize: 700)
    journal = try draft.open()
    try draft.append([[45], [35, 36], [60], [200, 20], [180], [22]], generation: 3, to: journal)
    try journal.close()
    return SalvageFixture(
      try draft.fixture("given up after a gap"), foreign: foreign, givenUp: givenUp)
  }

  /// A write of two batches was refused when the first one was whole, and could not be cut off again.
  private static func givenUpWhole(
    _ foreign: [(path: String, bytes: [UInt8])]
  ) throws(JournalError) -> SalvageFixture {
    var draft = Draft()
    let journal = try draft.create()
    try draft.append([[40], [30, 31], [25]], generation: 1, to: journal)
    try journal.sync()
    var image = draft.files.image
    let end = image.files[segment]?.count ?? 0
    var refused = draft
    try refused.append([[44, 28], [50]], generation: 2, to: journal)
    let givenUp = [5: refused.events[4], 6: refused.events[5]]
    let whole = Array((refused.files.image.files[segment] ?? []).dropLast(30))
    image.files[segment]? += whole[end..<end + 8]
    draft = Draft(image, events: draft.events, segmentSize: 700)
    let next = try draft.open()
    try draft.append([[45], [60], [200, 20], [180], [22, 21]], generation: 3, to: next)
    try next.sync()
    var left = Draft(draft.files.image, events: draft.events)
    image = left.files.image
    image.files[segment] = whole
    left = Draft(image, events: draft.events)
    return SalvageFixture(
      try left.fixture("given up whole"), foreign: foreign, givenUp: givenUp)
  }

  /// Durable events were damaged, and the owner went on before them.
  private static func givenUpBehindDamage(
    _ foreign: [(path: String, bytes: [UInt8])]
  ) throws(JournalError) -> SalvageFixture {
    var draft = Draft()
    draft.options.syncPolicy = .everyCommit
    var journal = try draft.create()
    try draft.append([[40], [30, 31], [25], [33], [60], [41, 42], [37]], generation: 1, to: journal)
    try journal.close()
    var image = draft.files.image
    let place = try draft.fixture("before").places[4]
    Damage(segment, .flipped(bit: (place.range.lowerBound + 20) * 8)).apply(to: &image)
    let givenUp = Dictionary(uniqueKeysWithValues: draft.events.indices[5...].map { ($0 + 1, draft.events[$0]) })
    draft = Draft(image, events: Array(draft.events.prefix(4)), segmentSize: 700)
    journal = try draft.open(onDamage: .continueAfterVerifiedPrefix)
    try draft.append([[45], [60], [200, 20], [180], [22, 21]], generation: 3, to: journal)
    try journal.close()
    return SalvageFixture(
      try draft.fixture("given up after damage"), foreign: foreign, givenUp: givenUp, wasDurable: true)
  }

  private static func fork(_ foreign: [(path: String, bytes: [UInt8])]) throws(JournalError) -> SalvageFixture {
    SalvageFixture(try forked().fixture("forked"), foreign: foreign)
  }

  static func forked() throws(JournalError) -> Draft {
    var draft = Draft(segmentSize: 700)
    draft.options.syncPolicy = .everyCommit
    let parent = try draft.create(at: "p", id: JournalID(bytes: Array(51...66)) ?? .none)
    try draft.append([[40], [30, 31], [25]], generation: 1, to: parent)
    try parent.close()
    let fork = try JournalWriter.fork(
      from: JournalReader(path: "p", fileSystem: draft.files), at: 4, to: Workload.path, id: Workload.id,
      createdNanoseconds: 7, options: draft.options, fileSystem: draft.files)
    _ = try fork.writeCheckpoint(sequence: 4, body: [4])
    try draft.append([[45], [60], [300, 20], [180], [22, 21]], generation: 3, to: fork)
    try fork.close()
    var image = draft.files.image
    image.files = image.files.filter { $0.key.hasPrefix(Workload.path + "/") }
    return Draft(image, events: draft.events)
  }

  /// A sync failed: what was written is written once more to the next segment.
  private static func writtenTwice(
    _ foreign: [(path: String, bytes: [UInt8])]
  ) throws(JournalError) -> SalvageFixture {
    var draft = Draft()
    let journal = try draft.create()
    try draft.append([[40], [30, 31]], generation: 1, to: journal)
    try journal.sync()
    try draft.append([[25], [33, 34]], generation: 1, to: journal)
    let call = draft.files.calls.count + 1
    draft.files.setPlan(FaultPlan(at: call, count: 2, .error(Platform.deviceError), kinds: ["sync"]))
    try? journal.sync()
    draft.files.setPlan(nil)
    try journal.sync()
    try draft.append([[45], [60], [20]], generation: 1, to: journal)
    try journal.sync()
    return SalvageFixture(try draft.fixture("written twice"), foreign: foreign)
  }

  /// A journal whose files are longer than any sector, closed.
  private static func large(_ foreign: [(path: String, bytes: [UInt8])]) throws(JournalError) -> SalvageFixture {
    var draft = Draft(segmentSize: 10 << 10)
    draft.options.syncPolicy = .everyCommit
    let journal = try draft.create()
    try draft.append((0..<40).map { [400 + $0 % 7 * 40] }, generation: 1, to: journal)
    try journal.close()
    return SalvageFixture(try draft.fixture("large"), foreign: foreign)
  }
}
