import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("What stands in an event's line")
struct HeadlineRankTests {
  @Test("Status, outcome and rule come first, bookkeeping after everything else, clocks last")
  func order() {
    let paths = [
      "/wipes/a2/status", "/launch/accounts/a1/outcome", "/launch/accounts/a1/rule", "/policies/a1/version",
      "/accounts/a1/enrollment/backoffStep", "/launch/clock/elapsed",
    ]
    let ranks = paths.map(AppProtectionMachine.headlineRank(ofPath:))
    expectEqual(ranks, [.status, .outcome, .rule, .ordinary, .bookkeeping, .clock])
    #expect(ranks == ranks.sorted() && ranks.filter(\.isAnswer).count == 3)
    #expect(["/", "/launch/clock"].allSatisfy { AppProtectionMachine.headlineRank(ofPath: $0) == .ordinary })
  }

  @Test("Every path of the table is one that a state has")
  func names() {
    for (path, _) in AppProtectionMachine.headlinePaths {
      let place = path.replacing("requests/*", with: "requests/\(AppProtectionState.OutlineName.scope.rawValue)")
        .replacing("*", with: AppProtectionState.OutlineName.account.rawValue)
      #expect(AppProtectionState.outline[path: place] != nil, "\(path)")
    }
  }
}
