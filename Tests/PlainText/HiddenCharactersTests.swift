import Expectations
import Testing

@testable import PlainText

@Suite("Hidden characters")
struct HiddenCharactersTests {
  @Test("The check of the bytes misses no character of the table")
  func bytes() {
    var missed: [UInt32] = []
    for value in UInt32(0)...0x10_FFFF {
      guard let scalar = Unicode.Scalar(value), HiddenCharacters.contains(scalar) else { continue }
      if HiddenCharacters.areAbsent(from: "a\(scalar)b") { missed.append(value) }
    }
    expectEqual(missed, [])
    // Words and common signs are recognised by their bytes; quotation marks and joiners share bytes with hidden characters.
    #expect(["plain", "größer → 日本語 🧪"].allSatisfy { HiddenCharacters.areAbsent(from: $0) })
  }

  @Test("Invisible characters without a use in words are in the table; those that scripts and emoji need are not")
  func kinds() {
    for value: UInt32 in [0x61C, 0x180E, 0xE0001, 0xE0041, 0xE007F, 0xE0100, 0x34F, 0x3164, 0xFFA0, 0x1D173, 0x202E] {
      expectEqual(Unicode.Scalar(value).map { HiddenCharacters.contains($0) }, true, "\(value)")
    }
    for scalar: Unicode.Scalar in ["a", "é", "\u{200C}", "\u{200D}", "\u{FE0F}", "\u{301}", "…", "\u{3000}"] {
      #expect(!HiddenCharacters.contains(scalar), "\(scalar.value)")
    }
  }
}
