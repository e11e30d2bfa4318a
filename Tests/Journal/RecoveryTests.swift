import Expectations
import Testing

@testable import Journal

@Suite("The recovery table")
struct RecoveryTests {
  private static let everyCombination: [RecoveryFacts] = {
    let both = [false, true]
    var all: [RecoveryFacts] = []
    for device in both {
      for format in both {
        for hole in RecoveryFacts.Hole.allCases {
          for declared in both {
            for after in both {
              for continues in both {
                for proven in both {
                  all.append(
                    RecoveryFacts(
                      deviceFailed: device, formatSupported: format, hole: hole, declaredEnd: declared,
                      eventsAfter: after, historyContinues: continues, provenDurable: proven))
                }
              }
            }
          }
        }
      }
    }
    return all
  }()

  @Test("Every combination of facts matches exactly one row")
  func exhaustive() {
    expectEqual(Self.everyCombination.count, 256)
    for facts in Self.everyCombination {
      expectEqual(Recovery.table.count { $0.matches(facts) }, 1, "\(facts)")
    }
  }

  @Test("Every row is needed, and says why in a sentence")
  func rows() {
    for row in Recovery.table {
      #expect(Self.everyCombination.contains { row.matches($0) })
      #expect(row.reason.count > 40)
    }
  }

  @Test("What was durable and does not verify is never torn")
  func durableIsNeverTorn() {
    for facts in Self.everyCombination where facts.provenDurable && !facts.deviceFailed && facts.formatSupported {
      #expect(Recovery.verdict(for: facts).isDamage, "\(facts)")
    }
  }

  @Test("An error of the device and an unknown format are not damage")
  func notDamage() {
    for facts in Self.everyCombination where facts.deviceFailed || !facts.formatSupported {
      let verdict = Recovery.verdict(for: facts, errorNumber: 5)
      expectEqual(verdict, facts.deviceFailed ? .ioError(5) : .unsupportedFormat)
      #expect(!verdict.isDamage)
    }
  }

  @Test("A receipt that says closed is overwritten durably, also when it is the older one")
  func olderReceiptOfClosed() throws {
    let files = try SampleJournal().fileSystem
    for generation: UInt64 in [0, 1] {
      let head = "\(SampleJournal.path)/HEAD"
      let bytes = try #require(files.files[head])
      var receipt = try #require(HeadReceipt.read(bytes, of: sampleID).newest)
      #expect(receipt.isClean)
      // A power cut while the journal was opened let one of the two receipts through, or none.
      receipt.generation += generation
      receipt.isClean = generation == 0
      let newest = receipt
      files.edit(head) { bytes in
        let place = Format.headSlotOffsets[Int(newest.generation % 2)]
        bytes.replaceSubrange(place..<place + Format.headSlotSize, with: newest.encoded(for: sampleID))
      }
      files.forgetCalls()
      let journal = try JournalWriter.open(at: SampleJournal.path, fileSystem: files)
      #expect(files.calls.contains("sync HEAD"), "\(files.calls)")
      #expect(!HeadReceipt.read(try #require(files.files[head]), of: sampleID).saysClosed)
      try journal.close()
    }
  }
}
