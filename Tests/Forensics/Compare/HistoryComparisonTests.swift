import Expectations
import EventSourcing
import Forensics
import Testing

@testable import AppProtection

@Suite("Two histories side by side")
struct HistoryComparisonTests {
  private typealias Comparison = HistoryComparison<AppProtectionMachine>

  private func compare(
    _ one: [Envelope], _ other: [Envelope], _ check: (Comparison) throws -> Void
  ) throws {
    try SampleJournal.with(one, other) { histories in
      try check(try Comparison(ComparedSide(histories[0]), ComparedSide(histories[1])))
    }
  }

  @Test("Two devices that agree except in clocks and boot sessions are equal, unless every byte counts")
  func clocks() throws {
    func history(at second: Int64, boot: String, version: String = "1.0") throws -> [Envelope] {
      let process = ProcessStarted(
        bootSession: GUID(boot), appVersion: version, sdkVersion: "19.0.0", osVersion: "17.0",
        deviceModel: "iPhone12,1", reducerRevision: 3)
      return [
        SampleJournal.event(.processStarted(process), at: second), try SampleJournal.introduced(1, at: second + 1),
        try SampleJournal.registered(1, at: second + 5),
      ]
    }
    let one = try history(at: 0, boot: "fc7b8484-6777-3583-f3e1-b715ef4d1b49")
    let other = try history(at: 1000, boot: "1207b916-dfda-7fe2-7ea0-925febed3f36")
    let updated = try history(at: 1000, boot: "1207b916-dfda-7fe2-7ea0-925febed3f36", version: "2.0")
    try SampleJournal.with(one, other, updated) { histories in
      let sides = histories.map { ComparedSide($0) }
      let devices = try Comparison(sides[0], sides[1], leavingOut: AppProtectionEvent.clockFields)
      #expect(devices.kind == .same && devices.sameEvents == 3)
      let exact = try Comparison(sides[0], sides[1])
      #expect(exact.kind == .differentEvents && exact.fieldDifferences.map(\.path) == ["bootSession"])
      let versions = try Comparison(sides[0], sides[2], leavingOut: AppProtectionEvent.clockFields)
      #expect(versions.kind == .differentEvents && versions.fieldDifferences.map(\.path) == ["appVersion"])
    }
  }

  @Test("Two devices that set different times agree; one that set none does not")
  func unsetTimes() throws {
    let account = try #require(AccountNumber(1))
    func history(_ nextRetry: Int64?, boot: GUID? = nil) throws -> [Envelope] {
      let failed = EnrollmentFailed(account: account, code: .enrollmentEndPointNetworkFailure, nextRetry: nextRetry)
      let started = ProcessStarted(bootSession: boot, reducerRevision: 3)
      return [
        try SampleJournal.introduced(1, at: 0), SampleJournal.event(.enrollmentFailed(failed), at: 1),
        SampleJournal.event(.processStarted(started), at: 2),
      ]
    }
    let boot = try #require(GUID("fc7b8484-6777-3583-f3e1-b715ef4d1b49"))
    let (one, other, unset) = (try history(7), try history(8), try history(nil))
    try SampleJournal.with(one, other, unset, try history(7, boot: boot)) { histories in
      let sides = histories.map { ComparedSide($0) }
      func compare(_ one: Int, _ other: Int) throws -> Comparison {
        try Comparison(sides[one], sides[other], leavingOut: AppProtectionEvent.clockFields)
      }
      try expectEqual(compare(0, 1).kind, .same)
      let unset = try compare(0, 2)
      #expect(unset.kind == .differentEvents && unset.fieldDifferences.map(\.path) == ["nextRetry"])
      #expect(unset.fieldDifferences.first?.first?.value == .time(7) && unset.fieldDifferences.first?.second == nil)
      try expectEqual(compare(0, 3).fieldDifferences.map(\.path), ["bootSession"])
    }
  }

  @Test("Between accounts, two times and two events agree; an unset one does not")
  func unsetTimesOfAccounts() throws {
    let numbers = try (1...2).map { try #require(AccountNumber($0)) }
    func failed(_ index: Int, _ nextRetry: Int64?, at second: Int64) -> Envelope {
      let event = EnrollmentFailed(
        account: numbers[index], code: .enrollmentEndPointNetworkFailure, nextRetry: nextRetry)
      return SampleJournal.event(.enrollmentFailed(event), at: second)
    }
    for (other, kind): (Int64?, Comparison.Kind) in [(8, .same), (nil, .differentEvents)] {
      let events = [
        try SampleJournal.introduced(1, at: 0), try SampleJournal.introduced(2, at: 1), failed(0, 7, at: 2),
        failed(1, other, at: 3),
      ]
      try SampleJournal.with(events) { histories in
        let history = histories[0]
        let comparison = try Comparison(ComparedSide(history, account: 1), ComparedSide(history, account: 2))
        expectEqual(comparison.kind, kind)
      }
    }
    func account(_ name: String, _ retry: StateValue, _ by: StateValue) -> StateTree.Member {
      .init(name, .members([.init("retry", .value(retry)), .init("by", .value(by)), .init("step", .integer(1))]))
    }
    func paths(_ retry: StateValue, _ by: StateValue) -> [String] {
      let accounts = [account("a1", .time(7), .sequence(3)), account("a2", retry, by)]
      let tree = StateTree.members([.init("accounts", .members(accounts))])
      return AccountDifference.diff(in: tree, between: "a1", and: "a2").changes.map(\.path)
    }
    #expect(paths(.time(8), .sequence(4)).isEmpty)
    #expect(paths(.unset, .sequence(4)) == ["/accounts/*/retry"] && paths(.time(8), .unset) == ["/accounts/*/by"])
  }

  private var base: [Envelope] {
    get throws {
      [
        try SampleJournal.introduced(1, at: 0), try SampleJournal.introduced(2, at: 1),
        try SampleJournal.registered(1, at: 2), try SampleJournal.registered(2, at: 3),
        try SampleJournal.tokenRemoved(1, at: 4), try SampleJournal.tokenRemoved(2, at: 5),
      ]
    }
  }

  @Test("A history is the same as its copy")
  func same() throws {
    try compare(try base, try base) {
      expectEqual($0.kind, .same)
      expectEqual($0.sameEvents, 6)
      #expect($0.first == nil)
    }
    try compare([], []) { #expect($0.kind == .same && $0.sameEvents == 0) }
  }

  @Test("One that ends earlier is a prefix", arguments: 0..<6)
  func prefix(length: Int) throws {
    let base = try base
    try compare(Array(base.prefix(length)), base) {
      expectEqual($0.kind, .prefix(firstIsShorter: true))
      expectEqual($0.sameEvents, UInt64(length))
      expectEqual($0.second?.record.sequence, UInt64(length + 1))
    }
    try compare(base, Array(base.prefix(length))) { expectEqual($0.kind, .prefix(firstIsShorter: false)) }
  }

  @Test("Missing events with the same continuation are a gap", arguments: 0..<5, 1...2)
  func gap(first: Int, count: Int) throws {
    var shorter = try base
    guard first + count < shorter.count else { return }
    shorter.removeSubrange(first..<first + count)
    try compare(shorter, try base) {
      expectEqual($0.kind, .gap(inFirst: true, events: count))
      expectEqual($0.sameEvents, UInt64(first))
    }
    try compare(try base, shorter) { expectEqual($0.kind, .gap(inFirst: false, events: count)) }
  }

  @Test("The same events in another order are distinguished from other events")
  func order() throws {
    var swapped = try base
    swapped.swapAt(3, 4)
    try compare(try base, swapped) {
      expectEqual($0.kind, .order(events: 2))
      expectEqual($0.lastSame?.first, 3)
    }
    var different = try base
    different[3] = try SampleJournal.tokenRemoved(2, at: 3)
    different[5] = try SampleJournal.registered(1, at: 5)
    try compare(try base, different) {
      expectEqual($0.kind, .differentEvents)
      expectEqual($0.first?.record.typeName, "account.registered")
      expectEqual($0.second?.record.typeName, "token.removed")
    }
  }

  @Test("The same events at other times differ in metadata only")
  func metadata() throws {
    var later = try base
    later[2].moment.wallNanoseconds += 1
    later[4].cause = 2
    try compare(try base, later) {
      expectEqual($0.kind, .metadataOnly)
      expectEqual($0.metadataDifferences, 2)
      expectEqual($0.sameEvents, 2)
      expectEqual($0.first?.record.sequence, 3)
    }
  }

  private func started(_ revision: UInt32, launch: UInt64 = 1, digest: UInt8, at second: Int64) -> Envelope {
    var envelope = SampleJournal.event(
      .processStarted(ProcessStarted(launch: launch, appVersion: "7", reducerRevision: revision)), at: second)
    envelope.digest = RecordedDigest([UInt8](repeating: digest, count: 8), as: .canonical)
    return envelope
  }

  /// The same events by different rules: each start states them, and each event has another digest.
  private func histories(_ revisions: (UInt32, UInt32)) throws -> ([Envelope], [Envelope]) {
    func history(_ revision: UInt32, _ digest: UInt8) throws -> [Envelope] {
      var events = [
        try SampleJournal.introduced(1, at: 0), started(revision, digest: digest, at: 1),
        try SampleJournal.registered(1, at: 2), try SampleJournal.tokenRemoved(1, at: 3),
        started(revision, launch: 2, digest: digest, at: 4), try SampleJournal.registered(1, at: 5),
      ]
      for index in 2..<6 { events[index].digest = RecordedDigest([UInt8](repeating: digest, count: 8), as: .canonical) }
      return events
    }
    return (try history(revisions.0, 1), try history(revisions.1, 2))
  }

  @Test("Histories under different rules differ in how they were recorded, and state digests do not count")
  func otherRules() throws {
    for revisions in [(UInt32(2), UInt32(3)), (0, 3), (3, 2)] {
      let (one, other) = try histories(revisions)
      try compare(one, other) {
        #expect($0.kind == .metadataOnly && $0.metadataDifferences == 2, "\(revisions)")
        #expect($0.firstOtherRules?.first == 2 && $0.firstOtherRules?.second == 2 && $0.otherRulesCount == 2)
        expectEqual($0.firstOtherRules?.firstRevision, revisions.0 == 0 ? nil : revisions.0)
        expectEqual($0.firstOtherRules?.secondRevision, revisions.1)
        #expect($0.fieldDifferences.map(\.path) == ["reducerRevision"] && $0.lastAlike?.first == 6)
        #expect($0.sameEvents == 1 && $0.lastSame?.first == 1)
      }
    }
  }

  @Test("The comparison continues past different rules to the first different event")
  func differenceBehindOtherRules() throws {
    let (one, other) = try histories((2, 3))
    var different = other
    different[3] = try SampleJournal.introduced(2, at: 3)
    try compare(one, different) {
      #expect($0.kind == .differentEvents && $0.first?.record.sequence == 4)
      #expect($0.firstOtherRules?.first == 2 && $0.otherRulesCount == 1 && $0.lastAlike?.first == 3)
    }
    var shorter = other
    shorter.remove(at: 3)
    try compare(one, shorter) {
      expectEqual($0.kind, .gap(inFirst: false, events: 1), "the start after the gap is alike")
    }
    var later = other
    later[2].moment.wallNanoseconds += 1
    try compare(one, later) { expectEqual($0.metadataDifferences, 3) }
  }

  @Test("A start that differs in more than its rules is another event, and the rules are named as well")
  func otherStart() throws {
    let (one, other) = try histories((2, 3))
    var different = other
    different[1] = started(3, launch: 9, digest: 2, at: 1)
    try compare(one, different) {
      #expect($0.kind == .differentEvents && $0.first?.record.sequence == 2)
      expectEqual($0.fieldDifferences.map(\.path), ["launch", "reducerRevision"])
      #expect($0.firstOtherRules?.firstRevision == 2 && $0.firstOtherRules?.secondRevision == 3)
    }
    // Under the same rules a digest is as good as any other byte.
    let (same, copy) = try histories((3, 3))
    try compare(same, copy) {
      #expect($0.firstOtherRules == nil && $0.kind == .metadataOnly && $0.metadataDifferences == 5)
    }
  }

  @Test("Two accounts are compared under one name, regardless of when things happened")
  func accounts() throws {
    let events = [
      try SampleJournal.introduced(1, "alice@contoso.com", at: 0),
      try SampleJournal.introduced(2, "bob@contoso.com", at: 9),
      try SampleJournal.registered(2, at: 20), try SampleJournal.registered(1, at: 30),
      try SampleJournal.tokenRemoved(1, at: 40), try SampleJournal.tokenRemoved(2, at: 50),
      try SampleJournal.tokenRemoved(2, at: 60),
    ]
    try SampleJournal.with(events) { histories in
      let comparison = try Comparison(
        ComparedSide(histories[0], account: 1), ComparedSide(histories[0], account: 2))
      expectEqual(comparison.kind, .prefix(firstIsShorter: true))
      expectEqual(comparison.sameEvents, 3)
      #expect(comparison.lastSame?.first == 5 && comparison.lastSame?.second == 6)
      let same = try Comparison(ComparedSide(histories[0], account: 2), ComparedSide(histories[0], account: 2))
      #expect(same.kind == .same && same.sameEvents == 4)
    }
  }

  @Test("The fields that differ are named with both values")
  func fields() throws {
    let one = [try SampleJournal.introduced(1, "alice@contoso.com", at: 0)]
    let other = [try SampleJournal.introduced(1, at: 0)]
    try compare(one, other) {
      let differences = $0.fieldDifferences
      expectEqual(differences.map(\.path), ["userPrincipalName"])
      expectEqual(differences.first?.first?.privacy, .account)
      #expect(differences.first?.second == nil)
    }
  }

  @Test("Differences between two accounts in the state share one path")
  func accountDifference() {
    func account(_ name: String, _ status: String, _ since: Int64) -> StateTree.Member {
      StateTree.Member(
        name,
        .members([
          .init("upn", .personal(name, .account)), .init("status", .name(status)), .init("since", .time(since)),
        ]))
    }
    let tree = StateTree.members([
      .init("accounts", .members([account("a1", "enrolled", 1), account("a2", "removed", 2)])),
      .init("wipes", .members([account("a2", "done", 3)])), .init("process", .members([.init("launch", .integer(3))])),
    ])
    let diff = AccountDifference.diff(in: tree, between: "a1", and: "a2")
    expectEqual(diff.changes.map(\.path), ["/accounts/*/status", "/wipes/*/status", "/wipes/*/since"])
    expectEqual(diff.appeared, ["/wipes/*"])
  }
}
