import Expectations
import EventSourcing
import Testing

@testable import AppProtection

@Suite("Policies for people")
struct PolicyTreeTests {
  static func member(_ name: String, of tree: StateTree) -> StateTree? {
    guard case .members(let members) = tree else { return nil }
    return members.first { $0.name == name }?.tree
  }

  @Test("Settings appear under their names in Graph; absent ones do not, and null is unset")
  func settings() throws {
    var policy = PolicyDocument()
    policy.dataTransfer.allowedOutboundDataTransferDestinations = .noApps
    policy.dataTransfer.allowedDataStorageLocations = [.sharePoint, .unrecognized]
    policy.conditionalLaunch.periodOfflineBeforeAccessCheck = try PolicyDuration("PT12H")
    policy.redirection.managedBrowser = [.microsoftEdge]
    policy.targeting.targetedAppManagementLevels = []
    policy.redirection.managedUniversalLinks = ["https://contoso.example/*"]
    policy.about.createdDateTime = try PolicyDate("0001-01-01T00:00:00Z")
    policy.dataTransfer.exemptedAppProtocols = [PolicyPair("Default", "tel;"), PolicyPair("a/b", nil)]
    for property in PolicyProperty.all where property.name == "pinRequired" { policy[property] = .null }
    policy.keptMembers = [KeptMember("a/b~c", json: "{}"), KeptMember("", json: "1")]
    expectEqual(
      policy.tree(),
      .members([
        .init("kind", .name("iosManagedAppProtection")),
        .init("createdDateTime", .text("0001-01-01T00:00:00Z")),
        .init("targetedAppManagementLevels", .list([.name("unspecified")])),
        .init("allowedOutboundDataTransferDestinations", .name("none")),
        .init("allowedDataStorageLocations", .list([.name("sharePoint"), .name("unrecognized")])),
        .init("exemptedAppProtocols", .members([.init("Default", .text("tel;")), .init("a~1b", .unset)])),
        .init("managedBrowser", .list([.name("microsoftEdge")])),
        .init("managedUniversalLinks", .list([.text("https://contoso.example/*")])),
        .init("pinRequired", .unset),
        .init("periodOfflineBeforeAccessCheck", .duration(43_200_000_000_000)),
        .init(
          "otherMembers",
          .members([.init("a~1b~0c", .text("{}")), .init("~", .text("1"))])),
      ]))
  }

  @Test("Apps are found under their identifiers, and those without one under their place")
  func apps() throws {
    var edge = PolicyApp()
    (edge.id, edge.version, edge.bundleID) = ("com.microsoft.msedge.ios", "-1", "com.microsoft.msedge")
    var policy = PolicyDocument()
    policy.targeting.apps = [edge, edge, PolicyApp()]
    let apps = try #require(Self.member("apps", of: policy.tree()))
    let shown = StateTree.members([
      .init("version", .text("-1")), .init("bundleId", .text("com.microsoft.msedge")),
    ])
    expectEqual(
      apps, .members([.init("com.microsoft.msedge.ios", shown), .init("#2", shown), .init("#3", .members([]))]))
  }

  @Test("Every name in a full policy is a path component")
  func pathComponents() {
    func check(_ tree: StateTree) {
      guard case .members(let members) = tree else { return }
      expectEqual(Set(members.map(\.name)).count, members.count)
      for member in members {
        #expect(!member.name.isEmpty && !member.name.contains("/"))
        check(member.tree)
      }
    }
    check(PolicySamples.full.tree())
  }

  @Test(
    "Records of policies differ as their trees do, in the same order", arguments: 1...200 as ClosedRange<UInt64>,
    // Settings that change, that are only set besides, that are only removed, and all of that.
    [[.first, .second], [.first, .absent], [.absent, .first], [.absent, .null, .first, .second]] as [[Choice]])
  func differences(seed: UInt64, choices: [Choice]) {
    var random = RandomSequence(seed: seed)
    func record(_ document: PolicyDocument, version: UInt64) -> PolicyRecord {
      PolicyRecord(account: .first, document: document, version: version, receivedBy: 1, isEnforced: true)
    }
    let settled = PolicySamples.policy { _ in random.next() % 4 == 0 ? .absent : .null }
    let (few, many) = (random.next() % 30 + 1, random.next() % 3 + 1)
    func changed(_ policy: PolicyDocument) -> PolicyDocument {
      var policy = policy
      policy.keptMembers = random.next() % 2 == 0 ? [] : [KeptMember("z", json: "\(random.next() % 2)")]
      for property in PolicyProperty.all where random.next() % few < many {
        switch choices[Int(random.next() % UInt64(choices.count))] {
        case .absent: policy[property] = .absent
        case .null: policy[property] = .null
        case .first: policy[property] = .value(PolicySamples.value(for: property))
        case .second: policy[property] = .value(PolicySamples.emptyValue(for: property))
        }
      }
      return policy
    }
    let one = changed(settled)
    let (before, after) = (record(one, version: 1), record(changed(one), version: 2))
    var (state, later) = (AppProtectionState(), AppProtectionState())
    state.policies.set(before)
    later.policies.set(after)
    expectEqual(StateDiffer().changes(from: state, to: later), StateDiff(from: state.tree(), to: later.tree()))
  }

  /// What becomes of a setting.
  enum Choice: Sendable {
    case absent, null, first, second
  }
}
