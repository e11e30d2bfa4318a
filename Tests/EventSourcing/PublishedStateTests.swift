import Expectations
import Synchronization
import Testing
import WireFormat

@testable import EventSourcing

@Suite("The published state")
struct PublishedStateTests {
  /// Counts the states that are alive.
  final class Population: Sendable {
    let count = Atomic(0)
  }

  final class Tracker: Sendable {
    let population: Population
    let number: UInt64

    init(_ population: Population, _ number: UInt64) {
      (self.population, self.number) = (population, number)
      population.count.wrappingAdd(1, ordering: .relaxed)
    }

    deinit { population.count.wrappingSubtract(1, ordering: .relaxed) }
  }

  struct State: MachineState {
    var tracker: Tracker

    static let sliceNames: [String] = []
    static func == (one: State, other: State) -> Bool { one.tracker === other.tracker }
    func encodeSlice(_ index: Int, into writer: inout WireWriter) {}
    mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {}
    func slice(_ index: Int, equals other: State) -> Bool { self == other }
    func tree(ofSlice index: Int) -> StateTree { .members([]) }
    func tree() -> StateTree { .members([]) }
  }

  private static func version(_ number: UInt64, _ population: Population) -> StateVersion<State> {
    StateVersion(
      state: State(tracker: Tracker(population, number)), sequence: number, chain: UInt32(truncatingIfNeeded: number))
  }

  @Test("Readers see whole versions in order while others are published, and none outlives its use")
  func readers() async {
    let population = Population()
    do {
      let published = PublishedState(Self.version(0, population))
      let last: UInt64 = 50_000
      let areSound = await withTaskGroup(of: Bool.self) { group in
        group.addTask {
          for number in 1...last { published.publish(Self.version(number, population)) }
          return true
        }
        for _ in 0..<3 {
          group.addTask {
            var seen: UInt64 = 0
            while seen < last {
              let current = published.current
              guard current.sequence >= seen, current.state.tracker.number == current.sequence,
                current.chain == UInt32(truncatingIfNeeded: current.sequence)
              else { return false }
              seen = current.sequence
            }
            return true
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      expectEqual(areSound, [true, true, true, true])
      expectEqual(published.current.sequence, last)
      #expect(population.count.load(ordering: .relaxed) <= 4)
    }
    expectEqual(population.count.load(ordering: .relaxed), 0)
  }

  @Test("A reader interrupted while looking does not hold up the writer, and loses nothing")
  func interruptedReader() {
    let population = Population()
    let published = PublishedState(Self.version(0, population))
    let slot = published.newest.load(ordering: .relaxed)
    published.slots[slot].readers.wrappingAdd(1, ordering: .sequentiallyConsistent)
    for number in 1...10 as ClosedRange<UInt64> {
      published.publish(Self.version(number, population))
      expectEqual(published.current.sequence, number)
      expectEqual(published.slots[slot].version.sequence, 0)
    }
    published.slots[slot].readers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    for number in 11...14 as ClosedRange<UInt64> { published.publish(Self.version(number, population)) }
    #expect(published.slots[slot].version.sequence > 10)
  }

  @Test("A closure that looks at the state sees what was appended, may throw, and may append itself")
  func looking() throws {
    let journal = try TemporaryJournal()
    let store = try journal.create(Ledger.self)
    expectEqual(store.withState { $0.accounts.count }, 0)
    let (before, after) = try store.withState { state in
      let before = state.accounts.count
      try store.append(.open("Ada"), at: .seconds(1))
      return (before + state.accounts.count, store.withState { $0.accounts.count })
    }
    #expect(before == 0 && after == 1)
    #expect(throws: LedgerRejection.self) {
      try store.withState { (_) throws(LedgerRejection) in throw LedgerRejection.noAccount(9) }
    }
    try store.close()
    expectEqual(store.withState { $0.accounts.count }, 1)
  }
}
