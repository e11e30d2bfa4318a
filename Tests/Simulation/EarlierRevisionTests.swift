import AppProtection
import EventSourcing
import Journal
import Testing

/// Journals that earlier revisions of the rules wrote, kept as they were: whoever changes the rules must still read them.
///
/// Each is a golden journal of its time. Nobody writes them anew.
@Suite("Journals of earlier revisions")
struct EarlierRevisionTests {
  /// A journal of revision 1, and what its events added up to when it was written.
  struct Kept: Sendable, CustomTestStringConvertible {
    let name: String
    let events: UInt64
    let digests: UInt64
    let accounts: [String]
    let policies: [String]

    var testDescription: String { name }
  }

  private static let enhanced = "iOS/iPadOS Enterprise Enhanced Data Protection"

  static let revision1 = [
    Kept(
      name: "damaged-frame", events: 11, digests: 6, accounts: ["a1 enrolledWithPolicy 100"],
      policies: ["a1 1 enforced \(enhanced)"]),
    Kept(
      name: "first-enrollment", events: 19, digests: 14, accounts: ["a1 enrolledWithPolicy 101"],
      policies: ["a1 1 enforced \(enhanced)"]),
    Kept(
      name: "framework-history", events: 378, digests: 265,
      accounts: ["a1 enrolledWithPolicy 101", "a2 enrolledWithPolicy 101", "a3 enrolledWithPolicy 101"],
      policies: [
        "a1 4 enforced iOS/iPadOS Enterprise Basic Data Protection v1.2", "a2 5 enforced \(enhanced) v1.4",
        "a3 6 enforced iOS/iPadOS Enterprise High Data Protection v1.5",
      ]),
    Kept(name: "interrupted-wipe", events: 21, digests: 15, accounts: ["a1 removed 104"], policies: []),
    Kept(
      name: "multi-identity-day", events: 37, digests: 25,
      accounts: ["a1 enrolledWithPolicy 101", "a2 registered 227"], policies: ["a1 1 enforced \(enhanced)"]),
    Kept(
      name: "remediation-queue", events: 29, digests: 15,
      accounts: ["a1 enrolledWithPolicy 100", "a2 enrolledWithPolicy 100"],
      policies: ["a1 1 enforced \(enhanced)", "a2 1 enforced \(enhanced)"]),
    Kept(
      name: "torn-tail", events: 12, digests: 7, accounts: ["a1 enrolledWithPolicy 100"],
      policies: ["a1 1 enforced \(enhanced)"]),
  ]

  static let folder: String = {
    let components = #filePath.split(separator: "/").dropLast()
    return "/" + components.joined(separator: "/") + "/Golden/revision-1"
  }()

  @Test("A journal of revision 1 is read, and adds up to the accounts and policies of its time", arguments: revision1)
  func outcome(_ kept: Kept) throws {
    let history = try History<AppProtectionMachine>(at: "\(Self.folder)/\(kept.name)")
    let state = try history.state(at: .sequence(try history.check().lastSequence)).state
    let accounts = state.accounts.records.map { account in
      let code = account.enrollment.lastCode.map { "\($0.rawValue)" } ?? "none"
      return "\(account.account) \(account.enrollment.status.name) \(code)"
    }
    let policies = state.policies.records.map { policy in
      let name = policy.document.about.displayName ?? "none"
      return "\(policy.account) \(policy.version) \(policy.isEnforced ? "enforced" : "waits") \(name)"
    }
    #expect(accounts == kept.accounts)
    #expect(policies == kept.policies)
    #expect(state.process.reducerRevision == 1)
  }

  @Test("What revision 1 recorded is left out of a check, and is no mismatch", arguments: revision1)
  func check(_ kept: Kept) throws {
    let report = try History<AppProtectionMachine>(at: "\(Self.folder)/\(kept.name)").check()
    #expect(report.mismatch == nil)
    #expect(report.lastSequence == kept.events)
    #expect(report.digestsOfOtherRevisions == kept.digests)
    #expect(report.digestsCompared == 0)
  }

  @Test("Every journal that is kept is tested")
  func listed() {
    #expect(Files.names(in: Self.folder).sorted() == Self.revision1.map(\.name))
  }
}
