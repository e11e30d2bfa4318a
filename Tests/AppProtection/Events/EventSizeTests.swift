import Testing

@testable import AppProtection

@Suite("The size of events")
struct EventSizeTests {
  @Test("An event fits into four words, also where there may be none: a replay need not look up how to destroy it")
  func words() {
    #expect(MemoryLayout<AppProtectionEvent?>.size <= 4 * MemoryLayout<Int>.size)
  }
}
