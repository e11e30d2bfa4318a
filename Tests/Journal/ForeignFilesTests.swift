import Expectations
import SystemCalls
import Testing

@testable import Journal

/// Bytes and files that the journal's writer never put there.
@Suite("What somebody else left in a journal")
struct ForeignFilesTests {
  private static func report(_ files: [String: [UInt8]]) throws -> VerificationReport {
    try JournalReader(path: SampleJournal.path, fileSystem: MemoryFileSystem(files)).verify()
  }

  private static func segments(_ sample: SampleJournal) -> [String] {
    sample.files.keys.filter { $0.hasSuffix(".seg") }.sorted()
  }

  @Test("Bytes after a sealed segment, or after the end of a closed journal, are no unfinished write")
  func bytesBehindTheEnd() throws {
    let sample = try SampleJournal(count: 60)
    for path in Self.segments(sample) {
      for extra in [[1], [UInt8](repeating: 0xA5, count: 5000), [UInt8](repeating: 0, count: 64) + [9]] {
        var files = sample.files
        files[path]? += extra
        let report = try Self.report(files)
        expectEqual(report.findings.map(\.verdict), [.indexDamaged], "\(path) + \(extra.count): \(report.findings)")
        expectEqual(report.findings.first.map { $0.cause.hasSuffix("do not belong to the history") }, true)
        #expect(report.eventCount == 60 && !report.isSound)
      }
    }
  }

  @Test("Zeros after the end are space that was reserved")
  func zerosBehindTheEnd() throws {
    let sample = try SampleJournal(count: 60)
    for path in Self.segments(sample) {
      var files = sample.files
      files[path]? += [UInt8](repeating: 0, count: 4096)
      #expect(try Self.report(files).findings.filter(\.isDamage).count <= 1)
      try expectEqual(Self.report(files).eventCount, 60)
    }
  }

  @Test("A copy of a segment under a wrong name takes no part, wherever its name puts it")
  func copies() throws {
    let sample = try SampleJournal(count: 60)
    for path in Self.segments(sample) {
      for name in ["00000000000000000001-0000000009.seg", "00000000000000000030.seg", "00000000000000000400.seg"] {
        var files = sample.files
        let copy = "\(SampleJournal.path)/\(name)"
        guard files[copy] == nil else { continue }
        files[copy] = files[path]
        let reading = try SampleJournal.read(files)
        expectEqual(reading.report.findings.map(\.verdict), [.damaged], "\(path), \(name): \(reading.report.findings)")
        expectEqual(reading.report.findings.map(\.file), [name])
        #expect(reading.all.count == 60 && sample.wrong(reading.all) == 0 && reading.all == reading.prefix)
      }
    }
  }

  @Test(
    "A file with the ending of a segment and a name that none has is named, takes no part and keeps nobody from writing",
    arguments: [
      "00000000000000000000.seg", "18446744073709551615.seg", "99999999999999999999.seg", "09223372036854775809.seg",
      "00000000000000000001-0000000000.seg", "1.seg", "copy of 00000000000000000001.seg",
    ])
  func otherNames(name: String) throws {
    let sample = try SampleJournal(count: 60)
    for content in [[], [1, 2, 3], sample.files[Self.segments(sample)[0]] ?? []] {
      var files = sample.files
      files["\(SampleJournal.path)/\(name)"] = content
      let reading = try SampleJournal.read(files)
      expectEqual(
        reading.report.findings.map(\.description),
        [
          "\(name), byte 0: this is not a segment's name, and the file is left out (a segment is named after its "
            + "first event, a number from 1 to 2⁶³ in 20 digits); move the file to another place, or give it the name that "
            + "its header calls for if it is a segment"
        ])
      expectEqual(reading.report.findings.map(\.verdict), [.indexDamaged])
      #expect(reading.all.count == 60 && reading.all == reading.prefix)
      let memory = MemoryFileSystem(files)
      try JournalWriter.open(at: SampleJournal.path, fileSystem: memory).close()
      expectEqual(memory.files["\(SampleJournal.path)/\(name)"], content)
    }
  }

  @Test(
    "A file that a cloud, a browser or another file system renamed is named with its own name, and with what gets it back",
    arguments: [
      (".NAME.icloud", "a cloud keeps NAME elsewhere", "use brctl download for iCloud"),
      ("NAME.nextcloud", "a cloud keeps NAME elsewhere", "download NAME"),
      ("NAME.crdownload", "the download of NAME is not done", "download NAME again"),
      ("00000000000000000001.SEG", "NAME is spelled in another case", "rename the file to NAME"),
      ("NAME.TXT", "added an ending to the name of NAME", "rename the file to NAME"),
      ("NAME (2)", "named this copy of NAME", "rename the file to NAME"),
      ("00000000000000000001 (1).seg", "named this copy of NAME", "rename the file to NAME"),
      ("00000000000000000001-LAPTOP-7.seg", "named this copy of NAME", "rename the file to NAME"),
      (
        "00000000000000000001 (Ada's conflicted copy 2024-03-01).seg", "named this copy of NAME",
        "rename the file to NAME"
      ),
    ])
  func renamed(name: String, cause: String, remedy: String) throws {
    let sample = try SampleJournal(count: 60)
    let path = Self.segments(sample)[0]
    let original = String(path.split(separator: "/").last ?? "")
    func named(_ text: String) -> String { text.replacing("NAME", with: original) }
    #expect(original == "00000000000000000001.seg" && ForeignName(original) == nil)
    expectEqual(ForeignName(named(name))?.original, original)
    var files = sample.files
    let place = "\(SampleJournal.path)/\(named(name))"
    files[place] = files[path]
    files[path] = nil
    let reading = try SampleJournal.read(files)
    let finding = try #require(reading.report.findings.first { $0.file == named(name) })
    #expect(finding.cause.contains(named(cause)) && finding.remedy.contains(named(remedy)), "\(finding)")
    expectEqual(finding.evidence, "\(original) is not here")
    // A whole segment is read under any name, and a placeholder has none.
    let isRead = !cause.contains("cloud keeps")
    expectEqual(finding.cause.hasSuffix("its events are read"), isRead)
    if isRead {
      #expect(reading.all.count == 60 && reading.all == reading.prefix && sample.wrong(reading.all) == 0)
      expectEqual(reading.report.findings, [finding])
      for policy in [DamagePolicy.refuse, .continueAfterVerifiedPrefix] {
        let memory = MemoryFileSystem(files)
        let error = #expect(throws: JournalError.self) {
          try JournalWriter.open(at: SampleJournal.path, onDamage: policy, fileSystem: memory)
        }
        expectEqual(error?.remedy, "rename the file to \(original), then try again")
      }
    }
    // Beside the file itself, only a copy is worth a word.
    files[path] = files[place]
    let beside = try SampleJournal.read(files)
    #expect(beside.all.count == 60 && beside.all == beside.prefix)
    expectEqual(beside.report.findings.map(\.file), cause.contains("copy") ? [named(name)] : [])
  }

  @Test("A file that only its name, or its header, calls a renamed segment takes no part")
  func misnamed() throws {
    let sample = try SampleJournal(count: 60)
    let paths = Self.segments(sample)
    let other = try #require(JournalID(bytes: Array(100..<116)))
    for (name, content) in [
      // The header is the first segment's, or no header, or another journal's.
      ("00000000000000000400 (1).seg", sample.files[paths[0]] ?? []), ("00000000000000000400 (1).seg", [1, 2, 3]),
      ("00000000000000000400.SEG", []),
      (
        "00000000000000000400.seg.txt",
        SegmentHeader(
          id: other, ordinal: 9, firstSequence: 400, chainIn: 0, predecessor: .none, createdNanoseconds: 0
        ).encoded()
      ),
    ] {
      var files = sample.files
      files["\(SampleJournal.path)/\(name)"] = content
      let reading = try SampleJournal.read(files)
      #expect(reading.all.count == 60 && reading.report.lostEvents.isEmpty, "\(name): \(reading.report.findings)")
      expectEqual(reading.report.findings.map(\.file), [name])
      expectEqual(reading.report.findings.first.map { $0.cause.hasSuffix("and the file is left out") }, true)
      try JournalWriter.open(at: SampleJournal.path, fileSystem: MemoryFileSystem(files)).close()
    }
  }

  @Test("An empty file in a segment's place hides nothing of the segment under another name", arguments: 0...2)
  func emptyInPlace(index: Int) throws {
    let sample = try SampleJournal(count: 60)
    let path = Self.segments(sample)[index]
    for name in ["00000000000000000400.seg", "00000000000000000400-0000000009.seg"] {
      for content in [[], [UInt8](repeating: 0, count: 4096)] {
        var files = sample.files
        files["\(SampleJournal.path)/\(name)"] = files[path]
        files[path] = content
        let reading = try SampleJournal.read(files)
        #expect(reading.all.count == 60 && sample.wrong(reading.all) == 0 && reading.all == reading.prefix, "\(name)")
        let named = Set(reading.report.findings.map(\.file))
        expectEqual(named, [name, String(path.dropFirst(2))], "\(reading.report.findings)")
        let (events, report, _) = try salvaged(files)
        #expect(events.count == 60 && report.losses == [])
      }
    }
  }

  @Test("Hidden files, which some systems put beside those that they copy, are nothing to speak of")
  func hiddenFiles() throws {
    let sample = try SampleJournal(count: 60)
    var files = sample.files
    for name in ["._00000000000000000001.seg", ".seg", "._HEAD"] {
      files["\(SampleJournal.path)/\(name)"] = [0, 5, 22, 7]
    }
    let reading = try SampleJournal.read(files)
    #expect(reading.report.findings == [] && reading.all.count == 60)
  }

  @Test("The JOURNAL of another journal costs no event: the segments say which one this is")
  func otherIdentity() throws {
    let sample = try SampleJournal(count: 60)
    var files = sample.files
    let other = try #require(JournalID(bytes: Array(100..<116)))
    let identity = JournalIdentity(id: other, createdNanoseconds: 5, parent: nil, keepsHistoryDigest: true)
    files["\(SampleJournal.path)/JOURNAL"] = identity.encoded()
    let reading = try SampleJournal.read(files)
    expectEqual(reading.report.findings.map(\.verdict), [.indexDamaged], "\(reading.report.findings)")
    expectEqual(reading.report.findings.map(\.file), ["JOURNAL"])
    #expect(reading.all.count == 60 && sample.wrong(reading.all) == 0)
  }

  @Test("JOURNAL alone is not sound: nothing tells whether there was more")
  func identityAlone() throws {
    let sample = try SampleJournal()
    let files = sample.files.filter { $0.key.hasSuffix("/JOURNAL") }
    let report = try Self.report(files)
    #expect(report.findings.map(\.verdict) == [.unsyncedGap] && !report.isSound && !report.knowsEnd)
    let memory = MemoryFileSystem(files)
    try JournalWriter.open(at: SampleJournal.path, fileSystem: memory).close()
    try expectEqual(Self.report(memory.files).findings, [])
  }

  @Test("Numbers that counting on from would overflow are refused where they are read")
  func largeNumbers() throws {
    let sample = try SampleJournal(count: 60)
    let head = Checksum.crc32(0, sampleID.bytes)
    var records: [(path: String, start: Int, size: Int, seed: UInt32)] = [
      ("\(SampleJournal.path)/JOURNAL", 0, 160, 0), ("\(SampleJournal.path)/HEAD", 0, 64, head),
      ("\(SampleJournal.path)/HEAD", 512, 64, head),
    ]
    for path in sample.files.keys.sorted() {
      if path.hasSuffix(".seg") { records.append((path, 0, 224, 0)) }
      if path.hasSuffix(".ckpt") { records.append((path, 0, 72, 0)) }
    }
    for (path, start, size, seed) in records {
      for place in stride(from: 16, to: size - 8, by: 8) {
        for value: UInt64 in [0, 1, 4096, 1 << 32, (1 << 63) - 1, 1 << 63, .max - 1, .max] {
          var files = sample.files
          let bytes = try #require(files[path])
          var record = try #require(FixedRecord(Array(bytes[start..<start + size]), size: size))
          record.set(value, at: place)
          record.seal(seed: seed)
          files[path]?.replaceSubrange(start..<start + size, with: record.bytes)
          do {
            let reading = try SampleJournal.read(files)
            expectEqual(sample.wrong(reading.prefix), 0, "\(path), \(start + place): \(value)")
          } catch let error as JournalError {
            #expect([.unsupportedFormat, .damaged].contains(error.code), "\(error)")
          }
          let memory = MemoryFileSystem(files)
          if let journal = try? JournalWriter.open(
            at: SampleJournal.path, onDamage: .continueAfterVerifiedPrefix, fileSystem: memory)
          {
            var batch = JournalBatch()
            try batch.append(payload: [1], label: 0)
            _ = try? journal.append(&batch)
            try? journal.close()
          }
        }
      }
    }
  }

  @Test("A pipe under a segment's name is left out at once and stays, and a link is not written through")
  func notAFile() throws {
    try withTemporaryDirectory { path in
      let journal = try JournalWriter.create(at: path, id: sampleID, createdNanoseconds: 0)
      try journal.close()
      #expect(OperatingSystem.makePipe("\(path)/00000000000000000009.seg") == 0)
      let findings = try JournalReader(path: path).verify().findings
      #expect(findings.contains { $0.cause == "it is not a regular file, and is left out" }, "\(findings)")
      // Its name claims eight events.
      expectEqual(findings.compactMap(\.lostEvents), [1...8], "\(findings)")
      // A writer would begin a segment in its place.
      for policy in [DamagePolicy.refuse, .continueAfterVerifiedPrefix] {
        let error = #expect(throws: JournalError.self) { try JournalWriter.open(at: path, onDamage: policy) }
        expectEqual(error?.remedy, "move what stands there to another place, then try again", "\(policy)")
      }
      try PosixFileSystem().remove("\(path)/00000000000000000009.seg")
      let opened = try JournalWriter.open(at: path)
      for _ in 1...9 {
        var batch = JournalBatch()
        try batch.append(payload: [1], label: 0)
        try opened.append(&batch)
      }
      try opened.close()
      try expectEqual(JournalReader(path: path).verify().eventCount, 9)
    }
    try withTemporaryDirectory { path in
      #expect(OperatingSystem.makeLink(to: "\(path)/elsewhere", at: "\(path)/LOCK") == 0)
      let error = #expect(throws: JournalError.self) {
        try JournalWriter.create(at: path, id: sampleID, createdNanoseconds: 0)
      }
      #expect(error?.description.contains("it is a symbolic link") == true, "\(String(describing: error))")
      #expect(!SystemCalls.names(in: path).0.contains("elsewhere"))
    }
  }
}
