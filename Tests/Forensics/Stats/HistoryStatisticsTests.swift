import Forensics
import Testing

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
      #expect(statistics.types == ["account.introduced": 2, "account.registered": 2])
      #expect(statistics.accounts == [1: 2, 2: 2])
      #expect(statistics.times == 10_000_000_000...3 * day * 1_000_000_000)
      #expect(statistics.longestPause == ((3 * day - 20) * 1_000_000_000, 3))
      #expect(statistics.clockJumpCount == 1 && statistics.clockJumps.first?.sequence == 4)
      #expect(
        statistics.buckets().map { "\($0.name) \($0.events)" } == [
          "1970-01-01 2", "1970-01-02 0", "1970-01-03 1", "1970-01-04 1",
        ])
      #expect(statistics.buckets(limit: 3).map { "\($0.name) \($0.events)" } == ["1970-01 4"])
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
      #expect(months.map(\.events).reduce(0, +) == 3)
      #expect(statistics.buckets(limit: 5).map { "\($0.name) \($0.events)" } == ["1970 2", "1971 1"])
    }
  }

  @Test("A journal without events has counts of nothing")
  func empty() throws {
    try SampleJournal.with([]) { histories in
      let statistics = try HistoryStatistics(of: histories[0])
      #expect(statistics.events == 0 && statistics.sequences == nil && statistics.times == nil)
      #expect(statistics.buckets().isEmpty)
    }
  }
}
