import Expectations
import Testing

@testable import Journal

/// Whose events a journal holds, where `JOURNAL` and the segments' headers are damaged.
@Suite("A domain that only damaged files name")
struct UnknownDomainTests {
  /// A journal whose `JOURNAL` and headers do not verify; a checkpoint says which journal it is.
  private func damaged(_ domain: JournalDomain?, at offsets: (identity: Int, header: Int)) throws -> MemoryFileSystem {
    let files = try DomainTests.sample(domain)
    let journal = try JournalWriter.open(at: "j", options: DomainTests.options(domain), fileSystem: files)
    try journal.writeCheckpoint(sequence: 20, body: [1])
    try journal.close()
    files.edit("j/JOURNAL") { $0[offsets.identity] ^= 1 }
    for path in files.files.keys where path.hasSuffix(".seg") { files.edit(path) { $0[offsets.header] ^= 1 } }
    return files
  }

  private func open(_ files: MemoryFileSystem, _ domain: JournalDomain?) throws {
    try JournalWriter.open(at: "j", options: DomainTests.options(domain), fileSystem: files).close()
  }

  @Test("The domain is what the bytes of the damaged headers say, if they agree", arguments: [true, false])
  func recovered(isNamed: Bool) throws {
    let domain = isNamed ? try DomainTests.domain() : nil
    let files = try damaged(domain, at: (40, 80))
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(reader.domain == domain?.name && !reader.identity.isDomainUnknown)
    try reader.requireOneDomain()
    if isNamed {
      let before = DomainTests.contents(files)
      for other in [try DomainTests.domain("shop.example"), nil] {
        #expect(throws: JournalError.self) { try open(files, other) }
      }
      expectEqual(DomainTests.contents(files), before)
    }
    try open(files, domain)
    let again = try JournalReader(path: "j", fileSystem: files)
    #expect(again.catalog.segments.allSatisfy { $0.headerFault != nil || $0.header.domain == domain?.name })
    try expectEqual(events(again).count, 40)
  }

  @Test(
    "Where they contradict each other or say nothing, the events are read, and nothing is written", arguments: [0, 1])
  func unknown(kind: Int) throws {
    let domain = try DomainTests.domain()
    let files = try damaged(domain, at: kind == 0 ? (92, 80) : (0, 0))
    let reader = try JournalReader(path: "j", fileSystem: files)
    #expect(reader.domain == nil && reader.identity.isDomainUnknown)
    try expectEqual(events(reader).count, 40)
    let before = DomainTests.contents(files)
    for asked in [domain, nil] {
      #expect {
        try open(files, asked)
      } throws: {
        ($0 as? JournalError)?.code == .damaged && "\($0)".contains("of which domain the events are")
      }
    }
    #expect(throws: JournalError.self) { try reader.requireOneDomain() }
    expectEqual(DomainTests.contents(files), before)
  }

  @Test(
    "Events that are written again keep their catalogue, and get none where it is lost", arguments: [true, false])
  func rewritten(hasCopy: Bool) throws {
    let (earlier, later) = (try DomainTests.domain(), try DomainTests.domain("bank.example", "transfer: 4"))
    var options = DomainTests.options(earlier, segmentSize: hasCopy ? 1 << 10 : 1 << 20)
    options.syncPolicy = .none
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(
      at: "j", id: sampleID, createdNanoseconds: 9, options: options, fileSystem: files)
    try DomainTests.append(1...12, to: journal)
    // The process ends here, with events that nothing proves to be durable.
    let left = MemoryFileSystem(files.files)
    let segments = try JournalReader(path: "j", fileSystem: left).segments
    #expect((segments.count > 1) == hasCopy)
    let last = try #require(segments.last)
    left.edit("j/" + last.file) { $0[240] ^= 1 }
    let again = try JournalWriter.open(at: "j", options: DomainTests.options(later), fileSystem: left)
    try DomainTests.append(13...13, to: again)
    try again.close()
    let reader = try JournalReader(path: "j", fileSystem: left)
    try expectEqual(events(reader).count, 13)
    #expect(reader.segments.contains { $0.firstSequence == last.firstSequence && $0.predecessorEnd == .syncFailed })
    try expectEqual(reader.catalog(at: 12), hasCopy ? earlier.catalog : nil)
    try expectEqual(reader.catalog(at: 13), later.catalog)
  }
}
