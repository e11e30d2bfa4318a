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
    let ranks = paths.map(AppProtectionState.headlineRank(ofPath:))
    #expect(ranks == [.status, .outcome, .rule, .ordinary, .bookkeeping, .clock])
    #expect(ranks == ranks.sorted() && ranks.filter(\.isAnswer).count == 3)
    #expect(["/", "/launch/clock"].allSatisfy { AppProtectionState.headlineRank(ofPath: $0) == .ordinary })
  }

  @Test("Every path of the table is one that a state has")
  func names() {
    for (path, _) in AppProtectionState.headlinePaths {
      let names = path.split(separator: "/").map(String.init)
      #expect(Self.members(of: names).contains(names.last ?? ""), "\(path)")
    }
  }

  /// The names beside the last one of a path, in states that have what it is about.
  private static func members(of names: [String]) -> [String] {
    let account = AccountNumber.first
    let tree: StateTree =
      switch names.dropLast().joined(separator: "/") {
      case "accounts/*": Account(account, objectID: nil, userPrincipalName: nil).tree()
      case "accounts/*/enrollment": Enrollment().tree()
      case "wipes/*": WipeRecord(account: account, reason: .unspecified, origin: .service, requestedBy: 1).tree()
      case "compliance/*": RemediationRecord(account: account).tree()
      case "launch/accounts/*": LaunchRecord(account: account).tree()
      case "launch/clock": LaunchClock().tree()
      case "policies/*":
        PolicyRecord(account: account, document: PolicyDocument(), version: 1, receivedBy: 1, isEnforced: true).tree()
      case "process": ProcessSlice().tree()
      case "process/restart": PendingRestart(reason: .firstPolicy, account: nil, requestedBy: 1).tree()
      case "compliance/untold/*":
        UntoldRemediation(RemediationFinished(account: account, status: .compliant), finishedBy: 1).tree()
      case "identities/requests/*": .members([.init("requestedBy", .sequence(1))])
      default: .members([])
      }
    guard case .members(let members) = tree else { return [] }
    return members.map(\.name)
  }
}
