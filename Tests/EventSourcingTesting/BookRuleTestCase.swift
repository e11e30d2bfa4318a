import EventSourcing
import EventSourcingTesting
import XCTest

final class BookRuleTestCase: XCTestCase {
  func testWithdrawalLowersTheBalance() throws {
    try given(Book.self, .deposited(cents: 5_000))
      .when(.withdrawn(cents: 1_250))
      .then(.withdrawn(cents: 1_250)) { $0.cents = 3_750 }
  }
}

extension BookRuleTestCase {
  /// What XCTest would print of a failure.
  func testFailureIsAnErrorThatNamesItsPlace() {
    XCTAssertThrowsError(
      try given(Book.self).when(.withdrawn(cents: 1)).then()
    ) { error in
      XCTAssertEqual(
        "\(error)".split(separator: "\n").map(String.init),
        [
          "\(#fileID):\(#line - 5): the command was refused, and nothing was to happen (− expected, + received)",
          "+ refused: the book holds 0 cents only",
        ])
    }
  }
}
