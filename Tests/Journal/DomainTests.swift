import Expectations
import CZlib
import Synchronization
import Testing

@testable import Journal

/// Journals that name the domain of their events, and hold its catalogue in every segment.
@Suite("Domains and catalogues")
struct DomainTests {
  static func domain(_ name: String = "bank.example", _ catalog: String = "deposit: 2") throws -> JournalDomain {
    try JournalDomain(name: name, catalog: Array(catalog.utf8))
  }

  static func options(_ domain: JournalDomain?, segmentSize: UInt64 = 1 << 10) -> JournalOptions {
    var options = JournalOptions()
    options.segmentSizeLimit = segmentSize
    options.preallocation = 0
    options.domain = domain
    return options
  }

  /// A closed journal of a domain in several segments.
  static func sample(_ domain: JournalDomain?, events: Int = 40) throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9, options: options(domain), fileSystem: files)
    try append(1...events, to: journal)
    try journal.close()
    return files
  }

  static func append(_ numbers: ClosedRange<Int>, to journal: JournalWriter) throws {
    var batch = JournalBatch()
    for number in numbers {
      try batch.append(payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 80), label: Int64(number))
      try journal.append(&batch)
    }
  }

  static func contents(_ files: MemoryFileSystem) -> [String: [UInt8]] {
    files.files.filter { !$0.key.hasSuffix("LOCK") }
  }

  /// The events that a reader serves.
  static func count(_ files: MemoryFileSystem, _ path: String = "j") throws -> Int {
    try events(JournalReader(path: path, fileSystem: files)).count
  }

  @Test("Every segment states the domain and begins with the catalogue, and a reader finds both")
  func everySegment() throws {
    let domain = try Self.domain()
    let files = try Self.sample(domain)
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(reader.domain == domain.name && reader.segments.count > 3)
    for entry in reader.catalog.segments {
      expectEqual(entry.header.domain, domain.name)
      expectEqual(entry.header.catalogDigest, domain.described.digest)
      try expectEqual(reader.catalog(at: entry.header.firstSequence), domain.catalog)
    }
    #expect(try reader.catalog(at: 0) == domain.catalog && reader.catalog(at: .max) == domain.catalog)
    for readsBlocks in [true, false] {
      var reader = reader
      reader.readsBlocks = readsBlocks
      let report = try reader.verify()
      #expect(report.findings == [] && report.eventCount == 40)
    }
    try expectEqual(Self.count(files), 40)
    let catalog = try JournalCatalog(JournalDirectory(path: "j", fileSystem: files))
    #expect(catalog.segments.allSatisfy { $0.header.size == 224 })
    // Programs of format 1.0 do not know the flag.
    expectEqual(files.files["j/JOURNAL"]?[20], 2)
  }

  @Test("The catalogue is a step of the history digest, which the header states without it")
  func digest() throws {
    let one = try JournalReader(path: "j", fileSystem: Self.sample(Self.domain())).verify()
    let other = try JournalReader(path: "j", fileSystem: Self.sample(Self.domain("bank.example", "deposit: 3")))
      .verify()
    #expect(one.lastChain == other.lastChain && one.historyDigest != other.historyDigest)
    let files = try Self.sample(Self.domain(), events: 1)
    let segment = try #require(files.files["j/00000000000000000001.seg"])
    let header = try #require(SegmentHeader.soundHeader(segment))
    expectEqual(header.digestIn, HistoryDigest.initial)
    let digest = HistoryDigest()
    try Self.domain().described.digest.withUnsafeBytes { digest.add($0) }
    _ = digest.step()
    segment.dropFirst(header.size).withUnsafeBytes { digest.add(frames: $0) }
    try expectEqual(JournalReader(path: "j", fileSystem: files).verify().historyDigest, digest.value())
  }

  @Test("A journal of another domain is refused by name, and nothing is written")
  func otherDomain() throws {
    let files = try Self.sample(Self.domain())
    let before = Self.contents(files)
    for (domain, name) in [(try Self.domain("app-protection"), "\"app-protection\""), (nil, "names none")] {
      #expect {
        _ = try JournalWriter.open(at: "j", options: Self.options(domain), fileSystem: files)
      } throws: {
        let error = $0 as? JournalError
        return error?.code == .otherDomain && "\($0)".contains("\"bank.example\"") && "\($0)".contains(name)
      }
    }
    expectEqual(Self.contents(files), before)
  }

  /// A journal with one segment of another domain, that segment's path, and the numbers of its events.
  private func mixture(at index: Int = 1) throws -> (
    files: MemoryFileSystem, path: String, events: ClosedRange<UInt64>
  ) {
    let files = try Self.sample(Self.domain())
    let segments = try JournalReader(path: "j", fileSystem: files).segments
    let (first, path) = (segments[index].firstSequence, "j/" + segments[index].file)
    let last = index + 1 < segments.count ? segments[index + 1].firstSequence - 1 : 40
    let other = try #require(try Self.sample(Self.domain("shop.example")).files[path])
    files.edit(path) { $0 = other }
    return (files, path, first...last)
  }

  private let names = "names the domain \"shop.example\", and JOURNAL \"bank.example\""

  @Test("A journal with a segment of another domain is not continued, and the refusal names the segment")
  func mixedDomains() throws {
    let (files, path, _) = try mixture()
    let before = Self.contents(files)
    #expect {
      _ = try JournalWriter.open(at: "j", options: Self.options(try Self.domain()), fileSystem: files)
    } throws: {
      let error = $0 as? JournalError
      return error?.code == .damaged && error.map { "j/\($0.file ?? "")" } == path && "\($0)".contains(names)
    }
    #expect(throws: JournalError.self) { try JournalReader(path: "j", fileSystem: files).requireOneDomain() }
    expectEqual(Self.contents(files), before)
  }

  @Test("Reading leaves out a segment of another domain as damage, and goes on after it", arguments: [0, 1, -1])
  func mixtureIsRead(place: Int) throws {
    let last = try JournalReader(path: "j", fileSystem: Self.sample(Self.domain())).segments.count - 1
    let (files, path, lost) = try mixture(at: place < 0 ? last : place)
    let reader = try JournalReader(path: "j", fileSystem: files)
    try expectEqual(events(reader).count, Int(lost.lowerBound) - 1)
    try expectEqual(events(reader, beyondDamage: true).count, 40 - lost.count)
    #expect(reader.outline() == nil)
    for readsBlocks in [true, false] {
      var reader = reader
      reader.readsBlocks = readsBlocks
      let report = try reader.verify()
      let finding = try #require(report.findings.first)
      #expect(finding.verdict == .damaged && "j/\(finding.file)" == path && finding.cause.contains(names))
      #expect(report.findings.count == 1 && report.lostEvents == [lost], "\(report.findings)")
      #expect(report.eventCount == UInt64(40 - lost.count) && report.lastVerifiedSequence == lost.lowerBound - 1)
    }
    let middle = try reader.cursor(after: lost.lowerBound, beyondDamage: true)
    var cursor = middle
    var served: [UInt64] = []
    while let item = try cursor.next() {
      if case .event(let event) = item { served.append(event.sequence) }
    }
    expectEqual(served, Array(lost.upperBound + 1..<max(41, lost.upperBound + 1)))
  }

  @Test("Another catalogue begins a segment with the next event, and the same one begins none")
  func changedCatalog() throws {
    let files = try Self.sample(Self.domain(), events: 3)
    for (catalog, segments) in [("deposit: 2", 1), ("deposit: 2, withdrawal: 3", 2)] {
      let domain = try Self.domain("bank.example", catalog)
      let journal = try JournalWriter.open(
        at: "j", options: Self.options(domain, segmentSize: 1 << 20), fileSystem: files)
      try expectEqual(JournalReader(path: "j", fileSystem: files).segments.count, 1)
      try Self.append(4...4, to: journal)
      try expectEqual(JournalReader(path: "j", fileSystem: files).segments.count, segments)
      try journal.close()
    }
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(try reader.verify().findings == [] && reader.segments.last?.predecessorEnd == .sealed)
    try expectEqual(reader.catalog(at: 4), Self.domain().catalog)
    try expectEqual(reader.catalog(at: 5), Array("deposit: 2, withdrawal: 3".utf8))
  }

  @Test("A catalogue larger than a segment takes no room from its events")
  func largeCatalog() throws {
    let catalog = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    let files = try Self.sample(try JournalDomain(name: "a", catalog: catalog), events: 20)
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(reader.segments.count < 5)
    #expect(try reader.verify().findings == [] && reader.catalog(at: 20) == catalog)
  }

  @Test("A damaged catalogue costs no event, and is read from another segment")
  func damagedCatalog() throws {
    let domain = try Self.domain()
    let sound = try Self.sample(domain)
    let reader = try JournalReader(path: "j", fileSystem: sound)
    for entry in [try #require(reader.catalog.segments.first), try #require(reader.catalog.segments.last)] {
      let start = entry.header.size
      let scanner = try scanner(entry, sound)
      let end = Int(try #require(try scanner.readCatalog()).end)
      for offset in start..<end {
        let files = MemoryFileSystem(sound.files)
        files.edit("j/" + entry.file) { $0[offset] ^= 0x10 }
        let damaged = try JournalReader(path: "j", fileSystem: files)
        let report = try damaged.verify()
        expectEqual(report.findings.map(\.verdict), [.indexDamaged], "byte \(offset): \(report.findings)")
        expectEqual(report.findings.first?.byteRange, UInt64(start)..<UInt64(end), "byte \(offset)")
        #expect(try events(damaged).count == 40 && report.lostEvents.isEmpty)
        try expectEqual(damaged.catalog(at: entry.header.firstSequence), domain.catalog)
        let journal = try JournalWriter.open(at: "j", options: Self.options(domain), fileSystem: files)
        try Self.append(41...42, to: journal)
        try journal.close()
        try expectEqual(Self.count(files), 42)
      }
    }
  }

  private func scanner(_ entry: SegmentEntry, _ files: MemoryFileSystem) throws -> SegmentScanner {
    let file = try files.open("j/" + entry.file, .read)
    return SegmentScanner(
      FileWindow(fileSystem: files, file: file, name: entry.file), after: entry.header, limit: entry.length)
  }

  @Test("A catalogue that is cut off, zeros or exchanged is damage to the index")
  func replacedCatalog() throws {
    let files = try Self.sample(Self.domain(), events: 5)
    let name = "j/00000000000000000001.seg"
    let other = try Self.sample(Self.domain("bank.example", "deposit: 3"), events: 5)
    let exchanged = try #require(other.files[name])
    for (what, edit) in [
      (
        "zeros",
        { @Sendable (bytes: inout [UInt8]) in bytes.replaceSubrange(224..<256, with: [UInt8](repeating: 0, count: 32)) }
      ),
      (
        "exchanged",
        { @Sendable (bytes: inout [UInt8]) in bytes.replaceSubrange(224..<264, with: exchanged[224..<264]) }
      ),
    ] {
      let copy = MemoryFileSystem(files.files)
      copy.edit(name, edit)
      let report = try JournalReader(path: "j", fileSystem: copy).verify()
      #expect(report.findings.allSatisfy { $0.verdict == .indexDamaged } && !report.isSound, "\(what)")
      #expect(try Self.count(copy) == 5 && report.lostEvents.isEmpty, "\(what)")
    }
  }

  @Test("A catalogue that the header states and that was never there is damage to the index, and no event is lost")
  func missingCatalog() throws {
    func files(_ domain: JournalDomain?) throws -> MemoryFileSystem {
      let files = MemoryFileSystem()
      var options = Self.options(domain, segmentSize: 1 << 20)
      options.historyDigest = false
      let journal = try JournalWriter.create(
        at: "j", id: sampleID, createdNanoseconds: 9, options: options, fileSystem: files)
      try Self.append(1...40, to: journal)
      try journal.close()
      return files
    }
    // The first frame of a segment without a catalogue is at the same place.
    let (bare, described) = (try files(nil), try files(Self.domain()).files)
    let segment = "j/00000000000000000001.seg"
    bare.edit("j/JOURNAL") { $0 = described["j/JOURNAL"] ?? [] }
    bare.edit(segment) { $0.replaceSubrange(..<224, with: described[segment]?.prefix(224) ?? []) }
    for readsBlocks in [true, false] {
      var reader = try JournalReader(path: "j", fileSystem: bare)
      reader.readsBlocks = readsBlocks
      let report = try reader.verify()
      #expect(report.findings.map(\.verdict) == [.indexDamaged] && report.eventCount == 40, "\(report.findings)")
      #expect(report.findings.first?.byteRange == 224..<224 && report.lostEvents.isEmpty)
      try expectEqual(events(reader).count, 40)
    }
    let journal = try JournalWriter.open(at: "j", options: Self.options(try Self.domain()), fileSystem: bare)
    try Self.append(41...41, to: journal)
    try journal.close()
    try expectEqual(Self.count(bare), 41)
  }

  @Test("A fork and a salvage carry the domain and the catalogues, and the domain even where every catalogue is lost")
  func carriedOver() throws {
    let domain = try Self.domain()
    let later = try Self.domain("bank.example", "deposit: 2, withdrawal: 3")
    let files = try Self.sample(domain, events: 20)
    let journal = try JournalWriter.open(at: "j", options: Self.options(later), fileSystem: files)
    try Self.append(21...30, to: journal)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    let id = try #require(JournalID(bytes: Array(50..<66)))
    for (place, catalog) in [(UInt64(20), domain.catalog), (25, later.catalog)] {
      let copy = MemoryFileSystem(files.files)
      try JournalWriter.fork(from: reader, at: place, to: "f", id: id, createdNanoseconds: 1, fileSystem: copy).close()
      let fork = try JournalReader(path: "f", fileSystem: copy)
      #expect(try fork.domain == domain.name && fork.catalog(at: place + 1) == catalog)
    }
    #expect(throws: JournalError.self) {
      try JournalWriter.fork(
        from: reader, at: 5, to: "g", id: id, createdNanoseconds: 1, options: Self.options(try Self.domain("other")),
        fileSystem: files)
    }
    // Without JOURNAL, and with the catalogue of one segment damaged.
    try files.remove("j/JOURNAL")
    files.edit("j/" + reader.segments[0].file) { $0[230] ^= 1 }
    var report = try Salvage(of: ["j"], fileSystem: files).write(to: "s")
    let salvaged = try JournalReader(path: "s", fileSystem: files)
    #expect(report.isComplete && !report.lacksCatalog && salvaged.domain == domain.name)
    try expectEqual(salvaged.verify().findings, [])
    for number in UInt64(1)...30 {
      try expectEqual(salvaged.catalog(at: number), number <= 20 ? domain.catalog : later.catalog, "event \(number)")
    }
    for segment in reader.segments { files.edit("j/" + segment.file) { $0[240] ^= 1 } }
    report = try Salvage(of: ["j"], fileSystem: files).write(to: "t")
    let bare = try JournalReader(path: "t", fileSystem: files)
    #expect(report.lacksCatalog && report.salvagedCount == 30 && report.identity.domain == domain.name)
    #expect(try bare.domain == domain.name && bare.catalog(at: 1) == nil && bare.verify().findings == [])
    #expect(bare.catalog.segments.allSatisfy { $0.header.domain == domain.name && $0.header.catalogDigest == nil })
    // It is continued under that name only, and then with a catalogue; a fork has none either.
    try JournalWriter.fork(from: bare, at: 7, to: "u", id: id, createdNanoseconds: 1, fileSystem: files).close()
    let fork = try JournalReader(path: "u", fileSystem: files)
    #expect(try fork.domain == domain.name && fork.catalog(at: 8) == nil)
    for (path, count) in [("t", 30), ("u", 7)] {
      let before = Self.contents(files)
      for other in [try Self.domain("shop.example"), nil] {
        #expect(throws: JournalError.self) {
          _ = try JournalWriter.open(at: path, options: Self.options(other), fileSystem: files)
        }
      }
      expectEqual(Self.contents(files), before)
      let journal = try JournalWriter.open(at: path, options: Self.options(later), fileSystem: files)
      try Self.append((count + 1)...(count + 3), to: journal)
      try journal.close()
      let continued = try JournalReader(path: path, fileSystem: files)
      #expect(try continued.verify().findings == [] && continued.catalog(at: UInt64(count) + 1) == later.catalog)
    }
  }

  @Test("A salvage names the domain that segment headers state where JOURNAL and every catalogue are lost")
  func salvagedWithoutJournal() throws {
    let files = try Self.sample(Self.domain(), events: 30)
    let segments = try JournalReader(path: "j", fileSystem: files).segments
    try files.remove("j/JOURNAL")
    for segment in segments { files.edit("j/" + segment.file) { $0[240] ^= 1 } }
    // The headers of all but one are damaged too.
    for segment in segments.dropLast() { files.edit("j/" + segment.file) { $0[100] ^= 1 } }
    let report = try Salvage(of: ["j"], fileSystem: files).write(to: "s")
    #expect(report.salvagedCount == 30 && report.identity.domain == "bank.example" && report.lacksCatalog)
  }

  @Test("Events whose catalogue is lost get none when they are salvaged, and the others keep theirs")
  func partlySalvaged() throws {
    let files = try Self.sample(Self.domain(), events: 10)
    let later = try Self.domain("bank.example", "transfer: 2")
    let journal = try JournalWriter.open(at: "j", options: Self.options(later, segmentSize: 1 << 20), fileSystem: files)
    try Self.append(11...20, to: journal)
    try journal.close()
    let segments = try JournalReader(path: "j", fileSystem: files).segments
    files.edit("j/" + (try #require(segments.last).file)) { $0[240] ^= 1 }
    let report = try Salvage(of: ["j"], fileSystem: files).write(to: "s")
    let reader = try JournalReader(path: "s", fileSystem: files)
    #expect(report.lacksCatalog && report.salvagedCount == 20)
    #expect(try reader.catalog(at: 10) == Self.domain().catalog && reader.catalog(at: 11) == nil)
    try expectEqual(reader.verify().findings, [])
  }

  @Test("A salvage leaves out a segment of another domain than JOURNAL, and names it", arguments: [0, 1, -1])
  func salvagedMixture(place: Int) throws {
    let last = try JournalReader(path: "j", fileSystem: Self.sample(Self.domain())).segments.count - 1
    let (files, path, lost) = try mixture(at: place < 0 ? last : place)
    let report = try Salvage(of: ["j"], fileSystem: files).write(to: "s")
    #expect(report.salvagedCount == UInt64(40 - lost.count) && report.identity.domain == "bank.example")
    #expect(report.aside.map(\.reason) == [.otherDomain] && report.aside.map(\.events) == [lost])
    let loss = try #require(report.losses.first)
    #expect(report.losses.count == 1 && loss.events == lost && loss.file == path && loss.cause.contains(names))
    let copy = try JournalReader(path: "s", fileSystem: files)
    #expect(try copy.domain == "bank.example" && copy.verify().findings == [])
  }

  @Test("Files that name two domains are not salvaged into one journal where no JOURNAL says which is meant")
  func unclearMixture() throws {
    let (files, path, _) = try mixture()
    let identity = try #require(files.files["j/JOURNAL"])
    try files.remove("j/JOURNAL")
    #expect {
      _ = try Salvage(of: ["j"], fileSystem: files).write(to: "s")
    } throws: {
      let error = $0 as? JournalError
      return error?.code == .otherDomain && error?.file == path
        && "\($0)".contains("and no JOURNAL says which is meant")
    }
    // Nor where all events are of another domain than JOURNAL's.
    let others = try Self.sample(Self.domain("shop.example"))
    others.edit("j/JOURNAL") { $0 = identity }
    #expect {
      _ = try Salvage(of: ["j"], fileSystem: others).write(to: "s")
    } throws: {
      ($0 as? JournalError)?.code == .otherDomain && "\($0)".contains("no event of that domain was found")
    }
    for files in [files, others] { #expect(files.files.keys.allSatisfy { !$0.hasPrefix("s/") }) }
  }

  @Test("A catalogue after a damaged header is believed only if that header or another one of the domain states it")
  func vouched() throws {
    let domain = try Self.domain()
    let sound = try Self.sample(domain)
    let second = "j/" + (try #require(JournalReader(path: "j", fileSystem: sound).segments.dropFirst().first).file)
    let foreign = try #require(try Self.sample(Self.domain("shop.example", "sale: 2")).files[second])
    let unnamed = try #require(try Self.sample(Self.domain("bank.example", "sale: 2")).files[second])
    for (what, segment, offset, expected) in [
      ("a header damaged elsewhere", sound.files[second], 90, domain.catalog),
      ("a digest damaged, and another segment with the catalogue", sound.files[second], 130, domain.catalog),
      ("a segment of another domain", foreign, 90, nil),
      ("a digest damaged, and no other segment with the catalogue", unnamed, 130, nil),
      ("a name damaged, and no other segment with the catalogue", unnamed, 160, nil),
    ] as [(String, [UInt8]?, Int, [UInt8]?)] {
      let files = MemoryFileSystem(sound.files)
      files.edit(second) {
        $0 = segment ?? []
        $0[offset] ^= 1
      }
      let reader = try JournalReader(path: "j", fileSystem: files)
      let entry = try #require(reader.catalog.segments.dropFirst().first)
      #expect(entry.headerFault != nil, "\(what)")
      #expect((try? reader.catalog(at: entry.header.firstSequence)) == expected, "\(what)")
      // The salvage believes no more.
      let report = try Salvage(of: ["j"], fileSystem: files).write(to: "s")
      let copy = try JournalReader(path: "s", fileSystem: files)
      expectEqual(report.lacksCatalog, expected == nil, "\(what)")
      try expectEqual(copy.catalog(at: entry.header.firstSequence), expected, "\(what)")
    }
  }

  @Test("A catalogue that thousands of segments lost is searched for once, and one that they share is decoded once")
  func readsOfCatalogs() throws {
    let count = 3000
    let files = MemoryFileSystem()
    var options = Self.options(try Self.domain(), segmentSize: 1)
    options.syncPolicy = .none
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9, options: options, fileSystem: files)
    var batch = JournalBatch()
    for _ in 0..<count {
      try batch.append(payload: [UInt8](repeating: 1, count: 1100), label: 1)
      try journal.append(&batch)
    }
    try journal.close()
    let segments = try JournalReader(path: "j", fileSystem: files).segments
    #expect(segments.count >= count)
    for isLost in [false, true] {
      if isLost { for segment in segments { files.edit("j/" + segment.file) { $0[240] ^= 1 } } }
      let counting = CountingFileSystem(files)
      let reader = try JournalReader(path: "j", fileSystem: counting)
      let decoded = Mutex(0)
      let catalogs = EventCatalogs(reader) { bytes in
        decoded.withLock { $0 += 1 }
        return bytes
      }
      var cursor = try reader.cursor()
      var served = 0
      var forCatalogs = 0
      while let item = try cursor.next() {
        guard case .event(let event) = item else { continue }
        let before = counting.reads
        #expect((catalogs.catalog(of: event) == nil) == isLost)
        forCatalogs += counting.reads - before
        served += 1
      }
      #expect(served == count && decoded.withLock { $0 } == (isLost ? 0 : 1))
      #expect(forCatalogs <= (isLost ? 4 * count : 8), "\(forCatalogs) reads")
      guard isLost else { continue }
      let before = counting.reads
      _ = try Salvage(of: ["j"], fileSystem: counting).write(to: "s")
      #expect(counting.reads - before < 60 * count, "\(counting.reads - before) reads")
    }
  }

  @Test("A catalogue that the device refused once is read when it is asked for again")
  func passingError() throws {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9, options: Self.options(try Self.domain()), fileSystem: files)
    var batch = JournalBatch()
    try batch.append(payload: [1], label: 1)
    try journal.append(&batch)
    try journal.close()
    let reader = try JournalReader(path: "j", fileSystem: files)
    let catalogs = EventCatalogs(reader) { $0 }
    var cursor = try reader.cursor()
    guard case .event(let event)? = try cursor.next() else {
      Issue.record("the journal has no event")
      return
    }
    files.setFault { (operation, _, _) in operation == "open" ? .error(5) : nil }
    #expect(catalogs.catalog(of: event) == nil)
    files.setFault(nil)
    try expectEqual(catalogs.catalog(of: event), Self.domain().catalog)
  }

  @Test("A journal of format 1.0 goes on in segments of this version, without a domain and its flag")
  func continuedFormat10() throws {
    for expected in Format10Tests.expectations where expected.findings.isEmpty {
      let files = MemoryFileSystem(try Format10Tests.files(expected.name))
      let journal = try JournalWriter.open(at: "j", options: Self.options(try Self.domain()), fileSystem: files)
      try Self.append(1...20, to: journal)
      try journal.close()
      let reader = try JournalReader(path: "j", fileSystem: files)
      let report = try reader.verify()
      // What was left open is written again, and what it left there is no damage.
      #expect(report.findings.allSatisfy { !$0.isDamage }, "\(expected.name)")
      expectEqual(report.lastSequence, expected.events.upperBound + 20, "\(expected.name)")
      let headers = reader.catalog.segments.map(\.header)
      #expect(headers.first?.size == 128 && headers.last?.size == 224, "\(expected.name)")
      #expect(headers.allSatisfy { $0.domain == nil && $0.catalogDigest == nil } && reader.domain == nil)
      expectEqual(files.files["j/JOURNAL"]?.count, 96)
      if expected.name == "keyframes" { #expect(try reader.keyframes()?.next(after: nil) == nil) }
    }
  }

  @Test("A stream that gives more or less than it states, or leaves bytes after it, is not a catalogue")
  func bombs() throws {
    let domain = try JournalDomain(name: "a", catalog: [UInt8](repeating: 0, count: 1 << 20))
    let payload = try domain.described.payload()
    #expect(payload.count < 2000 && SegmentCatalog(payload: payload) == domain.described)
    func changed(_ size: UInt32, _ payload: [UInt8]) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + payload.dropFirst(4)
    }
    for bytes in [
      changed(100, payload), changed(1 << 20 - 1, payload), changed(1 << 20 + 1, payload), changed(.max, payload),
      payload + [0], Array(payload.dropLast()), Array(payload.prefix(8)), Array(payload.prefix(7)), [],
      Array(payload.prefix(4)) + [1] + payload.dropFirst(5),
    ] {
      #expect(SegmentCatalog(payload: bytes) == nil, "\(bytes.count) bytes")
    }
    let empty = try JournalDomain(name: "a", catalog: []).described
    expectEqual(SegmentCatalog(payload: try empty.payload()), empty)
    #expect(throws: JournalError.self) {
      try JournalDomain(name: "a", catalog: [UInt8](repeating: 0, count: 1 << 20 + 1))
    }
  }

  @Test(
    "Only short names of lower-case letters, digits, dots and hyphens are a domain's",
    arguments: ["", "Bank", "a_b", "ä", "a b", "a\0", String(repeating: "a", count: 64)])
  func names(_ name: String) throws {
    #expect {
      _ = try JournalDomain(name: name, catalog: [])
    } throws: {
      ($0 as? JournalError)?.code == .outOfRange
    }
    try expectEqual(JournalDomain(name: String(repeating: "a", count: 63), catalog: []).name.count, 63)
  }
}
