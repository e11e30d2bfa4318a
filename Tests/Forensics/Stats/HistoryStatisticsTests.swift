import Expectations
import Forensics
import Testing

@testable import AppProtection

@Suite("Counts over a history")
struct HistoryStatisticsTests {
  private let day: Int64 = 86_400

  @Test("Types, accounts, days, pauses and jumps are counted")
  func counts() throws {
    let events = [
      try SampleJournal.introduced(1, at: 10), try SampleJournal.introduced(2, at: 20),
      try SampleJournal.registered(2, at: 3 * day), try SampleJournal.registered(1, at: 2 * day),
    ]
    try SampleJournal.with(events) { histories in
      let statistics = try HistoryStatistics(of: histories[0])
      #expect(statistics.events == 4 && statistics.sequences == 1...4)
      expectEqual(statistics.types, ["account.introduced": 2, "account.registered": 2])
      expectEqual(statistics.accounts, [1: 2, 2: 2])
      expectEqual(statistics.times, 10_000_000_000...3 * day * 1_000_000_000)
      #expect(statistics.longestPause == ((3 * day - 20) * 1_000_000_000, 3))
      #expect(statistics.clockJumpCount == 1 && statistics.clockJumps.first?.sequence == 4)
      expectEqual(
        statistics.buckets().map { "\($0.name) \($0.events)" },
        [
          "1970-01-01 2", "1970-01-02 0", "1970-01-03 1", "1970-01-04 1",
        ])
      expectEqual(statistics.buckets(limit: 3).map { "\($0.name) \($0.events)" }, ["1970-01 4"])
      let part = try HistoryStatistics(of: histories[0], from: 2, upTo: 3)
      #expect(part.events == 2 && part.sequences == 2...3)
    }
  }

  @Test("Long histories are counted by month, and longer ones by year")
  func buckets() throws {
    let events = [
      try SampleJournal.introduced(1, at: 0), try SampleJournal.introduced(2, at: 70 * day),
      try SampleJournal.introduced(3, at: 400 * day),
    ]
    try SampleJournal.with(events) { histories in
      let statistics = try HistoryStatistics(of: histories[0])
      let months = statistics.buckets(limit: 20)
      #expect(months.count == 14 && months.first?.name == "1970-01" && months.last?.name == "1971-02")
      expectEqual(months.map(\.events).reduce(0, +), 3)
      expectEqual(statistics.buckets(limit: 5).map { "\($0.name) \($0.events)" }, ["1970 2", "1971 1"])
    }
  }

  @Test(
    "The first and the last moments that an event can have are counted on their days",
    arguments: [(Int64.min, "1677-09-21"), (.min + 85_636_854_775_807, "1677-09-21"), (.max, "2262-04-11")])
  func endsOfTime(time: Int64, name: String) throws {
    var event = try SampleJournal.introduced(1, at: 0)
    event.moment.wallNanoseconds = time
    try SampleJournal.with([event]) { histories in
      let statistics = try HistoryStatistics(of: histories[0])
      #expect(statistics.times == time...time && statistics.days.values.elementsEqual([1]))
      expectEqual(statistics.buckets().map { "\($0.name) \($0.events)" }, ["\(name) 1"])
    }
    try SampleJournal.with([event, try SampleJournal.introduced(2, at: 0)]) { histories in
      let months = try HistoryStatistics(of: histories[0]).buckets(limit: 10_000)
      expectEqual(months.filter { $0.events > 0 }.map(\.name).sorted(), ["\(name.prefix(7))", "1970-01"].sorted())
    }
  }

  @Test("Likely mistakes in the app are counted by rule, as far as the state is known")
  func findings() throws {
    let account = try #require(AccountNumber(1))
    let events = [
      try SampleJournal.introduced(1, at: 10), try SampleJournal.registered(1, at: 20),
      try SampleJournal.tokenRemoved(1, at: 30),
      SampleJournal.event(
        .unenrollmentRequested(UnenrollmentRequested(account: account, wipe: false, origin: .app)), at: 40),
    ]
    var unknown = SampleJournal.event(.processEnded(ProcessEnded()), at: 25)
    unknown.type = 4711
    try SampleJournal.with(events, events[..<2] + [unknown] + events[2...]) { histories in
      let whole = try HistoryStatistics(of: histories[0])
      #expect(whole.findings == ["S-24": 1] && whole.obstacle == nil)
      try expectEqual(HistoryStatistics(of: histories[0], from: 4).findings, ["S-24": 1])
      try expectEqual(HistoryStatistics(of: histories[0], upTo: 3).findings, [:])
      let part = try HistoryStatistics(of: histories[1])
      #expect(part.findings == [:] && part.events == 5 && part.obstacle?.lastDerivable == 2)
    }
  }

  @Test("A journal without events has empty counts")
  func empty() throws {
    try SampleJournal.with([]) { histories in
      let statistics = try HistoryStatistics(of: histories[0])
      #expect(statistics.events == 0 && statistics.sequences == nil && statistics.times == nil)
      #expect(statistics.buckets().isEmpty)
    }
  }
}
