import PlainText
import Testing

@testable import PropertyList

@Suite("Damaged property lists")
struct PropertyListMutationTests {
  /// A linear congruential generator: the same numbers in every process (Knuth, MMIX).
  struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 33)
    }
  }

  static let seeds: [[UInt8]] = [
    Array(PropertyListSamples.xml.utf8), Base64.decode(spaced: PropertyListSamples.binaryText) ?? [],
  ]

  @Test("Whatever happens to the bytes, the reader returns a value or an error inside the file", arguments: [0, 1])
  func mutations(seed: Int) {
    var random = Generator(state: 2026)
    let markup = Array("<>/&;![]-\"'= \n0x?keydictarray".utf8) + [0, 0xFF, 0xA1, 0xD1, 0x5F, 0x13, 0x80]
    for round in 0..<6000 {
      var bytes = Self.seeds[seed]
      for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = markup.randomElement(using: &random) ?? 0
        case 1: bytes.insert(markup.randomElement(using: &random) ?? 0, at: index)
        case 2: bytes.remove(at: index)
        case 3: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        default: bytes.removeSubrange(index...)
        }
      }
      do throws(PropertyListError) {
        _ = try PropertyList.read(bytes)
      } catch {
        switch error.position {
        case .byte(let offset): #expect((0...bytes.count).contains(offset), "round \(round) of seed 2026: \(error)")
        case .text(let line, let column): #expect(line >= 1 && column >= 1, "round \(round) of seed 2026: \(error)")
        case .program: Issue.record("round \(round) of seed 2026: \(error)")
        }
        #expect(!error.message.isEmpty && !error.remedy.isEmpty)
      }
    }
  }

  @Test("No prefix of a file is accepted as a whole one")
  func prefixes() {
    for seed in Self.seeds {
      // The XML sample ends in a line break, which may be missing.
      let length = seed.last == 0x0A ? seed.count - 1 : seed.count
      for count in 0..<length {
        #expect(throws: PropertyListError.self, "\(count) bytes") { try PropertyList.read(Array(seed.prefix(count))) }
      }
    }
  }
}
