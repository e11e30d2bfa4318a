import Expectations
import AppProtection
import EventSourcing
import Journal
import Testing

/// Journals that earlier revisions of the rules wrote, kept unchanged: later rules must still read them.
///
/// Each is a golden journal of its time, and `two-accounts` one of a day for which revision 3 has other words. Those of
/// revision 4 are of the last program without the event `settings.overridden`. They are never written anew.
@Suite("Journals of earlier revisions")
struct EarlierRevisionTests {
  /// A journal of an earlier revision, and what its events added up to when it was written.
  struct Kept: Sendable, CustomTestStringConvertible {
    let revision: UInt32
    let name: String
    let events: UInt64
    let digests: UInt64
    let accounts: [String]
    let policies: [String]

    var path: String { "\(EarlierRevisionTests.folder)/revision-\(revision)/\(name)" }
    var testDescription: String { "revision \(revision), \(name)" }
  }

  private static let enhanced = "iOS/iPadOS Enterprise Enhanced Data Protection"

  /// The golden journals as a revision wrote them: the same accounts and policies by some more events.
  private static func goldens(_ revision: UInt32) -> [Kept] {
    let more: UInt64 = revision == 1 ? 0 : 1
    return [
      Kept(
        revision: revision, name: "damaged-frame", events: 11, digests: 6, accounts: ["a1 enrolledWithPolicy 100"],
        policies: ["a1 1 enforced \(enhanced)"]),
      Kept(
        revision: revision, name: "first-enrollment", events: 19 + more, digests: 14,
        accounts: ["a1 enrolledWithPolicy 101"],
        policies: ["a1 1 enforced \(enhanced)"]),
      Kept(
        revision: revision, name: "framework-history", events: 378, digests: 265,
        accounts: ["a1 enrolledWithPolicy 101", "a2 enrolledWithPolicy 101", "a3 enrolledWithPolicy 101"],
        policies: [
          "a1 4 enforced iOS/iPadOS Enterprise Basic Data Protection v1.2", "a2 5 enforced \(enhanced) v1.4",
          "a3 6 enforced iOS/iPadOS Enterprise High Data Protection v1.5",
        ]),
      Kept(
        revision: revision, name: "interrupted-wipe", events: 21 + more, digests: 15, accounts: ["a1 removed 104"],
        policies: []),
      Kept(
        revision: revision, name: "multi-identity-day", events: revision == 4 ? 43 : 37 + 2 * more,
        digests: revision == 4 ? 29 : 25,
        accounts: ["a1 enrolledWithPolicy 101", "a2 registered 227"], policies: ["a1 1 enforced \(enhanced)"]),
      Kept(
        revision: revision, name: "remediation-queue", events: revision == 4 ? 32 : 29,
        digests: revision == 4 ? 18 : 15,
        accounts: ["a1 enrolledWithPolicy 100", "a2 enrolledWithPolicy 100"],
        policies: ["a1 1 enforced \(enhanced)", "a2 1 enforced \(enhanced)"]),
      Kept(
        revision: revision, name: "torn-tail", events: 12, digests: 7, accounts: ["a1 enrolledWithPolicy 100"],
        policies: ["a1 1 enforced \(enhanced)"]),
    ]
  }

  /// What `revision-2/two-accounts` holds besides the golden journals.
  private static let twoAccounts = Kept(
    revision: 2, name: "two-accounts", events: 31, digests: 19,
    accounts: ["a1 enrolledWithPolicy 101", "a2 enrolledWithPolicy 101"],
    policies: ["a1 1 enforced Faces", "a2 1 enforced No faces"])

  static let kept = goldens(1) + goldens(2) + [twoAccounts] + goldens(3) + goldens(4)

  static let folder: String = {
    let components = #filePath.split(separator: "/").dropLast()
    return "/" + components.joined(separator: "/") + "/Golden"
  }()

  @Test(
    "A journal of an earlier revision is read, and adds up to the accounts and policies it recorded", arguments: kept)
  func outcome(_ kept: Kept) throws {
    let history = try History<AppProtectionMachine>(at: kept.path)
    let state = try history.state(at: .sequence(try history.check().lastSequence)).state
    let accounts = state.accounts.records.map { account in
      let code = account.enrollment.lastCode.map { "\($0.rawValue)" } ?? "none"
      return "\(account.account) \(account.enrollment.status.name) \(code)"
    }
    let policies = state.policies.records.map { policy in
      let name = policy.document.about.displayName ?? "none"
      return "\(policy.account) \(policy.version) \(policy.isEnforced ? "enforced" : "waits") \(name)"
    }
    expectEqual(accounts, kept.accounts)
    expectEqual(policies, kept.policies)
    expectEqual(state.process.reducerRevision, kept.revision)
  }

  @Test("Digests of revision 4 are those of today's rules, and earlier ones are skipped by a check", arguments: kept)
  func check(_ kept: Kept) throws {
    let report = try History<AppProtectionMachine>(at: kept.path).check()
    #expect(report.mismatch == nil)
    expectEqual(report.lastSequence, kept.events)
    let isOther = kept.revision < AppProtectionMachine.earliestKeptRevision
    expectEqual(report.otherRevisions, isOther ? [kept.revision] : [])
    expectEqual(report.digestsOfOtherRevisions, isOther ? kept.digests : 0)
    expectEqual(report.digestsCompared, isOther ? 0 : kept.digests)
  }

  @Test(
    "A remediation that ended before revision 4 was reported with its event: no callback is pending", arguments: kept)
  func remediationNotices(_ kept: Kept) throws {
    let history = try History<AppProtectionMachine>(at: kept.path)
    let state = try history.state(at: .sequence(try history.check().lastSequence)).state
    expectEqual(state.compliance.untold, [])
  }

  @Test("Events of revision 2 say how a PIN was proved, and that a removal is still due")
  func revision3() throws {
    let history = try History<AppProtectionMachine>(at: Self.twoAccounts.path)
    let last = try history.state(at: .sequence(Self.twoAccounts.events)).state
    expectEqual(last.accounts.records.map(\.removalCode), [.notEmmAccount, nil])
    #expect(last.launch.pin.biometry == .face && last.launch.pin.biometricsAt == last.launch.clock.elapsed)
    let outcomes = last.accounts.records.map { account in
      let wall = last.launch.clock.wall ?? 0
      return last.conditionalLaunch(for: account.account, at: Moment(wallNanoseconds: wall)).outcome
    }
    expectEqual(outcomes, [.allowed, .promptPIN], "biometrics that a1's policy takes, and a2's does not")
  }

  @Test("Every journal that is kept is tested")
  func listed() {
    let folders = Files.names(in: Self.folder).filter { !$0.hasSuffix(".txt") }
    expectEqual(folders.sorted(), ["revision-1", "revision-2", "revision-3", "revision-4"])
    for revision in [1, 2, 3, 4] as [UInt32] {
      let names = Self.kept.filter { $0.revision == revision }.map(\.name)
      expectEqual(Files.names(in: "\(Self.folder)/revision-\(revision)").sorted(), names)
    }
  }
}
