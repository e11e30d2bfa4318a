import Journal

/// What came out of a salvage, as far as the law looks at it.
struct SalvagedCopy {
  /// The events in the order in which the new journal serves them.
  var events: [(number: UInt64, payload: [UInt8])] = []
  var losses: [SalvageLoss] = []
  var aside: [ExcludedEvents] = []
  var knowsEnd = true
  /// The journal that the events are said to be of.
  var source = JournalID.none
  /// What is wrong with the new journal itself.
  var findings: [Finding] = []
  /// The events that it calls lost before its first one.
  var lostBeforeFirst: [ClosedRange<UInt64>] = []

  /// Salvages the journal of a fixture out of what is on a device; `nil` when nothing of it was found.
  init?(of fixture: SalvageFixture, from fileSystem: RecordingFileSystem) throws(JournalError) {
    let salvage = try Salvage(of: [Workload.path], fileSystem: fileSystem)
    let journals = salvage.journals.map(\.id)
    let found = fixture.ids.filter { journals.contains($0) }
    guard let first = found.first else { return nil }
    // Of a copy and its original, a reader takes the directory for one.
    let isOneOfTwo = found.contains { $0 != first && $0 != .none }
    let reader = isOneOfTwo ? try? JournalReader(path: Workload.path, fileSystem: fileSystem) : nil
    let journal = reader.flatMap { reader in found.first { $0 == reader.identity.id } } ?? first
    try self.init(salvage.write(journal: journal, to: Self.path, options: Self.options), Self.path, fileSystem)
  }

  /// Reads what a salvage wrote.
  private init(
    _ report: SalvageReport, _ path: String, _ fileSystem: RecordingFileSystem
  ) throws(JournalError) {
    (losses, aside, knowsEnd, source) = (report.losses, report.aside, report.knowsEnd, report.source)
    let reader = try JournalReader(path: path, fileSystem: fileSystem)
    findings = try reader.verify().findings
    lostBeforeFirst = reader.lostBeforeFirst
    events = try Self.events(of: reader)
  }

  /// What the salvage of this copy gives other than the copy, in words: it has the same events, and still says which were
  /// lost.
  func breachesOfCopy(on fileSystem: RecordingFileSystem) -> [String] {
    do throws(JournalError) {
      let report = try Salvage(of: [Self.path], fileSystem: fileSystem).write(to: "again", options: Self.options)
      let other = try SalvagedCopy(report, "again", fileSystem)
      var breaches = other.findings.map { "the copy of the copy is not sound: \($0.verdict.name)" }
      if !other.events.elementsEqual(events, by: { $0.number == $1.number && $0.payload == $1.payload }) {
        breaches.append("the copy of the copy has other events")
      }
      if other.lostBeforeFirst != lostBeforeFirst { breaches.append("the copy of the copy has lost another beginning") }
      let unnamed = events.first { $0.payload.isEmpty && !other.names($0.number) }
      if let unnamed { breaches.append("the copy of the copy does not name event \(unnamed.number) as lost") }
      if other.knowsEnd, !knowsEnd { breaches.append("the copy of the copy knows its end, and the copy does not") }
      return breaches
    } catch {
      return ["the copy cannot be salvaged, \(error.code): \(error)"]
    }
  }

  static let path = "out"

  /// Small segments, and little space reserved ahead: copies are in several files, and quickly written.
  static let options = {
    var options = JournalOptions()
    options.segmentSizeLimit = 1 << 10
    options.preallocation = 256
    return options
  }()

  static func events(of reader: JournalReader) throws(JournalError) -> [(number: UInt64, payload: [UInt8])] {
    var events: [(number: UInt64, payload: [UInt8])] = []
    var cursor = try reader.cursor(beyondDamage: true)
    while let item = try cursor.next() {
      if case .event(let event) = item { events.append((event.sequence, Array(event.payload))) }
    }
    return events
  }

  /// Whether the report names an event as lost.
  func names(_ number: UInt64) -> Bool { losses.contains { $0.events?.contains(number) ?? false } }

  /// Whether the report says of an event that it was left out.
  func leavesOut(_ number: UInt64) -> Bool { aside.contains { $0.events.contains(number) } }
}

extension SalvagedCopy {
  /// What the law forbids, in words.
  ///
  /// - Parameters:
  ///   - image: the damaged source.
  ///   - shown: the events of the history that reading the source shows.
  ///   - isInPlace: whether all bytes that are left stand where they stood.
  func breaches(
    of fixture: SalvageFixture, in image: DiskImage, shown: Set<UInt64>, isInPlace: Bool
  ) -> [String] {
    // What is left of another journal is salvaged as what it is, when nothing says whose events they are.
    if source == .none, !events.isEmpty, events.allSatisfy({ fixture.isForeign($0.payload) }) { return [] }
    var breaches: [String] = findings.map { "the copy is not sound: \($0.verdict.name)" }
    var kept: Set<UInt64> = []
    // Numbers under which events stand of which nothing that is left says that they are not of the history.
    var doubtful: Set<UInt64> = []
    let mayEmbed = !fixture.tellsEmbedded(in: image)
    var last: UInt64?
    for (number, payload) in events {
      if let last, number != last + 1 { breaches.append("event \(number) comes after event \(last)") }
      last = number
      if payload.isEmpty {
        let isMarked = (fixture.event(number) == nil && number <= fixture.journal.events.count) || names(number)
        if !isMarked { breaches.append("the place of event \(number) is kept, and no loss names it") }
      } else if fixture.event(number) == payload {
        if !kept.insert(number).inserted { breaches.append("event \(number) is there twice") }
        if names(number) { breaches.append("event \(number) is there, and named as lost") }
      } else if fixture.lostEarlier[Int(number)] == payload {
        if names(number) { breaches.append("event \(number) is there, and named as lost") }
      } else if fixture.givenUp[Int(number)] == payload, !fixture.knowsSuccessor(in: image) {
        doubtful.insert(number)
        if knowsEnd { breaches.append("event \(number) may have been given up, and the end is called known") }
      } else if mayEmbed, fixture.isEmbedded(payload) {
        doubtful.insert(number)
      } else {
        let what = fixture.givenUp[Int(number)] == payload ? "was given up" : "is none of the history"
        breaches.append("event \(number) of the copy \(what)")
      }
    }
    // An embedded history ends where it ends, and may have lost other events than the one around it.
    let isEmbedded = mayEmbed && events.contains { doubtful.contains($0.number) && fixture.isEmbedded($0.payload) }
    for number in fixture.numbers where !kept.contains(number) && !doubtful.contains(number) {
      if shown.contains(number), !mayLeaveOut(number, fixture, image) {
        breaches.append("event \(number) can be read, and the copy lacks it")
      }
      if names(number), number < events.first?.number ?? 0, !lostBeforeFirst.contains(where: { $0.contains(number) }) {
        breaches.append("event \(number) is named as lost, and the copy does not say so")
      }
      if names(number) || leavesOut(number) {
        if isInPlace, !isEmbedded, let breach = misplacedLoss(of: number, fixture, image) { breaches.append(breach) }
      } else if number <= fixture.journal.promised, !isEmbedded {
        // What says how far a journal reached does not say it of events of which nothing says that they are its own.
        if number < events.last?.number ?? 0
          || (fixture.speaks(of: source, in: image) && fixture.hasWitness(of: number, in: image))
        {
          breaches.append("event \(number) is neither there nor named")
        } else if knowsEnd, !fixture.hasReceipt(in: image), !fixture.hasOldReceipt(in: image) {
          breaches.append("event \(number) is neither there nor named, and the end is called known")
        }
      }
    }
    for loss in losses {
      guard let events = loss.events, loss.certainty != .unknown, !isEmbedded else { continue }
      if events.upperBound > max(UInt64(fixture.journal.events.count), fixture.lastNamed(in: image)) {
        breaches.append("events \(events) are named as lost, which never were")
      }
    }
    return breaches
  }

  /// Whether salvage may leave out an event that a reader shows, as one of another history than the original's: nothing says
  /// that the journal is a copy, or the event is among the last that are left of it, which its owner may have written.
  private func mayLeaveOut(_ number: UInt64, _ fixture: SalvageFixture, _ image: DiskImage) -> Bool {
    guard leavesOut(number), fixture.isCopy else { return false }
    return !fixture.isNamed(in: image)
      || fixture.numbers.allSatisfy { $0 <= number || leavesOut($0) || !fixture.isWhole($0, in: image) }
  }

  /// A lost event whose bytes are there, others than they were, is named with the file and place where they stand.
  private func misplacedLoss(of number: UInt64, _ fixture: SalvageFixture, _ image: DiskImage) -> String? {
    let place = fixture.journal.places[Int(number) - 1 - fixture.journal.retired]
    // What was left out although it verifies is named there.
    if aside.contains(where: { $0.file == place.file && $0.events.contains(number) }) { return nil }
    guard let loss = losses.first(where: { $0.events?.contains(number) ?? false }) else { return nil }
    // Of a file without its header and without any event in its place only the name is left, and a name proves no place.
    guard fixture.isRecognizable(place.file, in: image), let bytes = image.files[place.file],
      bytes.count >= place.range.upperBound, bytes[place.range].contains(where: { $0 != 0 })
    else { return nil }
    guard let file = loss.file else { return "the loss of event \(number) names no file" }
    let range = UInt64(place.range.lowerBound)..<UInt64(place.range.upperBound)
    // Two files may say that they are the segment: the one where it was, and one that its beginning came over, or that of the
    // original's segment.
    if file != place.file,
      fixture.hasHeader(of: place.file, in: file, image) || fixture.hasOtherHeader(before: number, in: file, image)
    {
      return nil
    }
    // Or both hold the same bytes.
    if file != place.file,
      image.files[file]?.dropFirst(place.range.lowerBound).starts(with: bytes[place.range]) ?? false
    {
      return nil
    }
    guard file == place.file, let named = loss.byteRange else {
      return "the loss of event \(number) names another place than where its bytes are"
    }
    if let end = fixture.endOfShifted(before: number, in: image), named.lowerBound >= end { return nil }
    return named.overlaps(range) ? nil : "the loss of event \(number) names another place than where its bytes are"
  }
}
