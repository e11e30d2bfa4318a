import EventSourcing
import Expectations
import PlainText
import Testing

@testable import AppProtection
@testable import AppProtectionInsight

@Suite("Episodes of a trouble")
struct EpisodeTests {
  private static let start: Int64 = 1_757_232_000 * 1_000_000_000  // 2025-09-07, a Sunday

  /// An event some hours after the start.
  private static func event(_ sequence: UInt64, hours: Int64) -> EventContext {
    EventContext(sequence: sequence, moment: Moment(wallNanoseconds: start + hours * RetrySchedule.hour))
  }

  @Test("A sighting within an hour after an end goes on with the episode, and a later one begins another")
  func pauses() {
    var episodes = Episodes()
    episodes.see(Self.event(1, hours: 0))
    episodes.end(.recovered, at: Self.event(2, hours: 1))
    episodes.see(Self.event(3, hours: 2))
    expectEqual(episodes.count, 1)
    #expect(episodes.isOpen)
    episodes.end(.recovered, at: Self.event(4, hours: 3))
    episodes.see(Self.event(5, hours: 5))
    expectEqual(episodes.count, 2)
    expectEqual(episodes.kept.map(\.first.sequence), [1, 5])
    expectEqual(episodes.kept.map(\.count), [2, 1])
  }

  @Test("What is not seen for two weeks was over with its last sighting, unless the state says that it lasts")
  func outOfSight() {
    var episodes = Episodes()
    episodes.see(Self.event(1, hours: 0))
    episodes.see(Self.event(2, hours: 2))
    let (last, later) = (Self.event(9, hours: 14 * 24 + 2), Self.event(10, hours: 14 * 24 + 3))
    for (event, isOver) in [(last, false), (later, true)] {
      var problem = Self.problem
      problem.show(episodes, at: event)
      expectEqual(problem.isOver, isOver)
      expectEqual(problem.ending, isOver ? DiagnosisEnding(.outOfSight, at: Self.event(2, hours: 2)) : nil)
    }
    var problem = Self.problem
    problem.show(episodes)
    #expect(!problem.isOver)
  }

  @Test("What the state shows between its sightings is one episode, however far apart they are")
  func ofState() {
    for isOfState in [false, true] {
      var episodes = Episodes(ofState: isOfState)
      episodes.see(Self.event(1, hours: 0))
      episodes.see(Self.event(2, hours: 20 * 24))
      expectEqual(episodes.count, isOfState ? 1 : 2)
      expectEqual(episodes.seen(at: Self.event(3, hours: 60 * 24)).isOpen, isOfState)
    }
  }

  @Test("A time within which something happened is not shorter than it was")
  func limits() {
    let second = 1_000_000_000 as Int64
    expectEqual(
      [0, 59, 60, 61, 110, 120, 121, 7_199, 7_200, 7_201].map { SpanWords.limit($0 * second) },
      [
        "1 minute", "1 minute", "1 minute", "2 minutes", "2 minutes", "2 minutes", "3 minutes", "120 minutes",
        "2 hours",
        "3 hours",
      ])
  }

  @Test("The last episode keeps the end that it had, however the problem goes on")
  func endOfLast() {
    let wiped = DiagnosisEnding(.wiped, at: Self.event(3, hours: 2))
    var episodes = Episodes()
    episodes.see(Self.event(1, hours: 0))
    episodes.end(wiped.kind, at: wiped.event)
    var problem = Self.problem
    problem.show(episodes.kept, of: episodes.count)
    expectEqual(problem.ending, nil)
    expectEqual(problem.episodes.last?.ending, wiped)
    problem.end(.recovered, at: Self.event(7, hours: 9))
    expectEqual(problem.episodes.last?.ending, wiped)
    var open = Self.problem
    open.show([DiagnosisEpisode(beginning: Self.event(1, hours: 0))], of: 1)
    expectEqual(open.episodes.last?.ending, nil)
    open.end(.recovered, at: Self.event(7, hours: 9))
    expectEqual(open.episodes.last?.ending, open.ending)
  }

  @Test("A launch condition that was not met is stated in the past tense")
  func pastStatements() {
    for rule in LaunchRule.allCases {
      let words = Set(rule.pastStatement.split(separator: " ").map { $0.filter(\.isLetter) })
      #expect(words.isDisjoint(with: ["is", "are", "has", "asks", "allows", "says", "cannot", "needs"]), "\(words)")
    }
    expectEqual(
      LaunchRule.devicePasscode.pastStatement,
      "encryption was required, which needed a device passcode, and there was none")
  }

  @Test("Of many episodes the first ones and the last one are kept")
  func bounded() {
    var episodes = Episodes()
    for day in 0..<100 as Range<Int64> {
      episodes.see(Self.event(UInt64(2 * day + 1), hours: 24 * day))
      episodes.end(.recovered, at: Self.event(UInt64(2 * day + 2), hours: 24 * day + 1))
    }
    expectEqual(episodes.count, 100)
    expectEqual(episodes.kept.count, Problem.maximumEvidence)
    expectEqual(episodes.kept.map(\.first.sequence), [1, 3, 5, 7, 9, 11, 13, 199])
    expectEqual(episodes.words, "100 times")
  }

  @Test("A day of the week is named only where every episode began on it, in weeks of their own")
  func weekdays() {
    func words(_ hours: [Int64]) -> String {
      var episodes = Episodes()
      for (place, hours) in hours.enumerated() {
        episodes.see(Self.event(UInt64(2 * place + 1), hours: hours))
        episodes.end(.recovered, at: Self.event(UInt64(2 * place + 2), hours: hours + 1))
      }
      return episodes.words
    }
    let week: Int64 = 7 * 24
    expectEqual(words([6 * 24, 6 * 24 + week, 6 * 24 + 2 * week]), "3 times, each on a Saturday (UTC)")
    expectEqual(words([6 * 24, 6 * 24 + week, 7 * 24 + 2 * week]), "3 times")
    expectEqual(words([0, 3, 6]), "3 times")
    expectEqual(words([0]), "1 time")
  }

  private static var problem: Problem {
    Problem(.retryStorm, .certain, "s", evidence: DiagnosisEvidence(event(1, hours: 0), "e"), next: "n")
  }
}
