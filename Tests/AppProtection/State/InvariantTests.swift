import EventSourcing
import Testing

@testable import AppProtection

@Suite("Invariants of the domain")
struct InvariantTests {
  /// A set of names whose bits are not in order.
  private struct Disordered: PolicyFlags {
    let rawValue: UInt64
    static let schemaName = "Disordered"
    static let names: [(number: UInt64, name: String)] = [(0, "none"), (2, "second"), (1, "first")]
  }

  /// A set with a name for two bits.
  private struct Ambiguous: PolicyFlags {
    let rawValue: UInt64
    static let schemaName = "Ambiguous"
    static let names: [(number: UInt64, name: String)] = [(0, "none"), (1, "first"), (3, "both")]
  }

  /// What a process said when it was stopped.
  private static func sentence(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("Ascending means in order, and no two equal", arguments: [([], true), ([1], true), ([1, 2, 9], true)])
  func ascending(numbers: [Int], isAscending: Bool) {
    #expect(numbers.isAscending(by: <) == isAscending)
    #expect(![2, 1].isAscending(by: <))
    #expect(![1, 1].isAscending(by: <))
  }

  @Test("Names whose bits are not in order stop the program")
  func order() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Disordered.descriptor
    }
    #expect(Self.sentence(result).contains("bits are not in order"))
  }

  @Test("A name of two bits stops the program")
  func bits() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Ambiguous.descriptor
    }
    #expect(Self.sentence(result).contains("a name is not of one bit"))
  }

  @Test("A large table finds its accounts by what they are known by, whatever changes")
  func index() throws {
    var table = AccountTable<Account>()
    var number = AccountNumber.first
    for step in 0..<40 {
      table.set(
        Account(
          number, objectID: GUID(high: 7, low: UInt64(step % 5)), userPrincipalName: "u\(step % 3)@example.com"))
      number = try #require(number.next)
    }
    for record in table.records {
      table.update(record.account) { $0.userPrincipalName = "renamed@example.com" }
      if record.account.rawValue % 2 == 0 { table.remove(record.account) }
    }
    #expect(table.names["RENAMED@example.com"] == table.records.map(\.account))
  }
}
