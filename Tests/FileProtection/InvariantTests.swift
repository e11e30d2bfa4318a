import Cryptography
import Testing

@testable import FileProtection

@Suite("Invariants of protected files")
struct InvariantTests {
  /// What a process said when it was stopped.
  private static func sentence(_ result: ExitTest.Result?) throws -> String {
    String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
  }

  private static func block(at page: UInt64, generation: UInt64 = 1) -> BlockReference {
    BlockReference(page: page, generation: generation, length: Layout.chunk, tag: BlockReference.Tag())
  }

  @Test("Pages are given out once, and again after they were given back")
  func soundSteps() {
    var pages = PageMap()
    let first = pages.allocate(16)
    let second = pages.allocate(1)
    #expect(first == UInt64(Layout.headerPages))
    #expect(second == first + 16)
    pages.giveBack(Self.block(at: first))
    #expect(pages.allocate(1) == first)
    #expect(pages.allocate(16) == second + 1)
    #expect(pages.end == second + 17)
  }

  @Test("A block that the last sync refers to is free only after the next one")
  func release() {
    var pages = PageMap()
    let first = pages.allocate(16)
    pages.release(Self.block(at: first))
    #expect(pages.allocate(16) == first + 16)
    pages.freeReleased()
    #expect(pages.allocate(16) == first)
  }

  @Test("A map whose pages are given back twice stops the program")
  func givenBackTwice() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var pages = PageMap()
      let block = BlockReference(
        page: pages.allocate(16), generation: 1, length: Layout.chunk, tag: BlockReference.Tag())
      pages.release(block)
      pages.giveBack(block)
      pages.freeReleased()
    }
    #expect(try Self.sentence(result).contains("page 2 is given back twice"))
  }

  @Test("A table with two keys of one name stops the program")
  func twoKeys() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var table = KeyTable(nameKey: KeyBytes(copying: [UInt8](repeating: 7, count: 32)))
      let code = [UInt8](repeating: 1, count: KeyTable.codeByteCount)
      let key = try #require(SecretKey(bytes: [UInt8](repeating: 3, count: 32)))
      let id = try #require(KeyID(bytes: [UInt8](repeating: 2, count: 16)))
      table.add(key, id, of: code, epoch: 1)
      table.add(key, id, of: code, epoch: 2)
    }
    #expect(try Self.sentence(result).contains("a name has two keys"))
  }
}
