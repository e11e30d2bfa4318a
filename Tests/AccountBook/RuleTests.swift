import EventSourcing
import EventSourcingTesting
import Testing

@Suite("The rules of the account book")
struct RuleTests {
  @Test("A deposit raises the balance, and is not counted as a withdrawal")
  func deposit() throws {
    try given(Book.self, .withdrawn(cents: 0))
      .when(.deposited(cents: 800, payer: "Bob"))
      .then(.deposited(cents: 800, payer: "Bob")) { $0.cents = 800 }
  }

  @Test("A withdrawal of all that is there is the last one")
  func withdrawal() throws {
    try given(Book.self, .deposited(cents: 5_000))
      .when(.withdrawn(cents: 5_000)).then(.withdrawn(cents: 5_000)) {
        $0.cents = 0
        $0.withdrawals = 1
      }
      .when(.withdrawn(cents: 1)).then(Refusal("the book holds 0 cents only"))
  }
}
