import Testing

@testable import Journal

/// What became of events that a reader left out as lost.
@Suite("Lost events that are put back, or given up")
struct RestorationTests {
  private static let segment = "j/00000000000000000001.seg"

  /// A closed journal of four events, of which the second and the third are one batch; 16 + 100 bytes and padding each.
  private func closedJournal() throws -> MemoryFileSystem {
    let files = MemoryFileSystem()
    let journal = try JournalWriter.create(at: "j", id: sampleID, createdNanoseconds: 1, fileSystem: files)
    for numbers in [[1], [2, 3], [4]] as [[UInt8]] { try append(numbers, to: journal) }
    try journal.close()
    return files
  }

  private func append(_ numbers: [UInt8], to journal: JournalWriter) throws {
    var batch = JournalBatch()
    for number in numbers { try batch.append(payload: [UInt8](repeating: number, count: 100), label: 1) }
    try journal.append(&batch)
  }

  private func loss(_ reader: JournalReader) throws -> Finding {
    var cursor = try reader.cursor(beyondDamage: true)
    while let item = try cursor.next() {
      if case .finding(let finding) = item, finding.lostEvents != nil { return finding }
    }
    throw JournalError(.inputOutput, "nothing was lost", remedy: "damage something")
  }

  /// What becomes of the files: the event that is hit, whether the file ends there instead, and the first event lost.
  @Test(
    "Only the same events are back: others under their numbers, which the owner wrote in their place, are not",
    arguments: [(1, true, 2), (1, false, 2), (2, false, 3), (2, true, 3), (0, true, 1)] as [(Int, Bool, UInt64)])
  func restored(hit: Int, isCut: Bool, lost: UInt64) throws {
    let files = try closedJournal()
    let whole = try #require(files.files[Self.segment])
    files.edit(Self.segment) { bytes in
      let start = 224 + hit * 120
      if isCut {
        bytes.removeLast(bytes.count - start - 30)
      } else {
        bytes.replaceSubrange(start + 30..<584, with: repeatElement(9, count: 554 - start))
      }
    }
    let reader = try JournalReader(path: "j", fileSystem: files)
    let finding = try loss(reader)
    #expect(finding.lostEvents?.lowerBound == lost && finding.isDamage, "\(finding)")
    #expect(!reader.isRestored(finding))
    let damaged = try #require(files.files[Self.segment])
    files.edit(Self.segment) { $0 = whole }
    #expect(reader.isRestored(finding) && !reader.isGivenUp(finding))

    files.edit(Self.segment) { $0 = damaged }
    #expect(!reader.isGivenUp(finding))
    let owner = try JournalWriter.open(at: "j", onDamage: .continueAfterVerifiedPrefix, fileSystem: files)
    for number in 5...8 as ClosedRange<UInt8> {
      try append([number], to: owner)
      #expect(!reader.isRestored(finding) && reader.isGivenUp(finding), "event \(number)")
    }
    // What is put back after the owner's back is of a history that was given up.
    files.edit(Self.segment) { $0 = whole }
    #expect(!reader.isRestored(finding))
    // The owner's own events may be lost, and come back, in their turn.
    try owner.close()
    let second = try #require(files.files.keys.first { $0.hasSuffix(".seg") && $0 != Self.segment })
    let sound = try #require(files.files[second])
    files.edit(second) { $0[224 + 30] ^= 1 }
    let later = try loss(try JournalReader(path: "j", fileSystem: files))
    files.edit(second) { $0 = sound }
    #expect(reader.isRestored(later), "\(later)")
  }
}
