import Expectations
import Testing

@testable import Forensics

@Suite("Positions found without reading a whole history")
struct PositionSeekingTests {
  private typealias Note = PositionResolver.Note
  private typealias Stretch = PositionResolver.Stretch

  /// Numbers that are the same in every run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 31)
    }
  }

  private static let types = ["policy.received", "wipe.requested", "check.succeeded", "process.started"]
  private static let second: Int64 = 1_000_000_000

  /// Events whose clock jumps back and forth, and all of them in stretches, some without times.
  private static func history(seed: UInt64) -> (notes: [Note], stretches: [Stretch]) {
    var generator = Generator(state: seed)
    var time = Int64.random(in: 0...100_000, using: &generator)
    let first = UInt64.random(in: 1...50, using: &generator)
    let notes = (0..<UInt64.random(in: 1...60, using: &generator)).map { index in
      time +=
        Int64.random(in: 0...9, using: &generator) < 7
        ? Int64.random(in: 0...90, using: &generator) : Int64.random(in: -4_000...4_000, using: &generator)
      // A type that is rare, so that looking for it goes far back.
      let type = index % 29 == 3 ? types[1] : types[[0, 2, 3].randomElement(using: &generator) ?? 0]
      return Note(sequence: first + index, wallNanoseconds: time * second, type: type)
    }
    var stretches: [Stretch] = []
    var rest = notes[...]
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...8, using: &generator))
      rest = rest.dropFirst(part.count)
      let times = part.map(\.wallNanoseconds)
      let range = times.min().flatMap { low in times.max().map { low...$0 } }
      stretches.append(
        Stretch(
          events: (part.first?.sequence ?? 1)...(part.last?.sequence ?? 1),
          times: Int.random(in: 0...4, using: &generator) == 0 ? nil : range))
    }
    return (notes, stretches)
  }

  /// What a position means, as a state, as an event and as both ends of a range, or why it cannot be used.
  private static func answers(_ resolver: PositionResolver, _ position: NamedPosition) -> [String] {
    func text<Value>(_ body: () throws(PositionError) -> Value) -> String {
      do { return "\(try body())" } catch { return "\(error)" }
    }
    return [
      text { () throws(PositionError) in try resolver.state(position) },
      text { () throws(PositionError) in try resolver.event(position) },
      text { () throws(PositionError) in try resolver.range(NamedRange(lower: position, upper: .end)) },
      text { () throws(PositionError) in try resolver.range(NamedRange(lower: .start, upper: position)) },
    ]
  }

  private static func positions(_ notes: [Note], _ generator: inout Generator) -> [NamedPosition] {
    let times: [Int64] = notes.map(\.wallNanoseconds) + [0, Int64.max / 2]
    var positions: [NamedPosition] = [
      .beforeLastEvent(nanoseconds: 100 * second), .timeOfDay(first: 0, last: 43_200 * second - 1),
      .lastOfType("wipe.requsted"), .end, .beforeEnd(2), .sequence(12),
    ]
    for _ in 0..<6 {
      let shift = Int64.random(in: -1...1, using: &generator)
      let length = Int64.random(in: 0...200, using: &generator)
      let start = (times.randomElement(using: &generator) ?? 0) + shift * second
      positions.append(.time(first: start, last: start + length * second))
    }
    for type in types {
      positions.append(.lastOfType(type))
      positions.append(.occurrence(type, UInt64.random(in: 1...60, using: &generator)))
    }
    return positions
  }

  @Test(
    "They are those found by reading everything, however the clock jumps", arguments: 1...300 as ClosedRange<UInt64>)
  func same(seed: UInt64) throws {
    let (notes, stretches) = Self.history(seed: seed)
    var generator = Generator(state: seed &* 77)
    let held = notes[0].sequence...notes[notes.count - 1].sequence
    for position in Self.positions(notes, &generator) {
      var whole = PositionResolver(held: held)
      whole.read(for: [position]) { body in notes.forEach(body) }
      let seeking = try #require(
        PositionResolver(seeking: [position], in: stretches) { events, body in
          _ = notes.filter { events.contains($0.sequence) }.allSatisfy(body)
        })
      expectEqual(Self.answers(seeking, position), Self.answers(whole, position), "seed \(seed), \(position)")
    }
  }

  @Test("A time is found in few stretches, the last event of a type from the end, and the nth from the beginning")
  func cost() throws {
    let notes = (1...1000).map { number in
      Note(
        sequence: number, wallNanoseconds: Int64(number) * Self.second, type: number == 985 ? "rare.one" : "often.one")
    }
    let stretches = stride(from: UInt64(1), to: 1000, by: 10).map { first in
      Stretch(events: first...(first + 9), times: Int64(first) * Self.second...Int64(first + 9) * Self.second)
    }
    let cases: [(NamedPosition, Int)] = [
      (.time(first: 500 * Self.second, last: 501 * Self.second), 32), (.lastOfType("rare.one"), 20),
      (.lastOfType("often.one"), 10), (.occurrence("often.one", 5), 5), (.occurrence("rare.one", 1), 985),
      (.lastOfType("no.such"), 1000), (.beforeLastEvent(nanoseconds: 300 * Self.second), 32),
    ]
    for (position, most) in cases {
      var count = 0
      let resolver = PositionResolver(seeking: [position], in: stretches) { events, body in
        for note in notes where events.contains(note.sequence) {
          count += 1
          guard body(note) else { return }
        }
      }
      #expect(resolver != nil && count <= most, "\(position): \(count) events read")
    }
  }

  @Test(
    "Stretches without times cover all events, each once",
    arguments: [1...1, 5...1028, 7...5000] as [ClosedRange<UInt64>])
  func withoutTimes(events: ClosedRange<UInt64>) {
    let stretches = Stretch.withoutTimes(events)
    expectEqual(stretches.flatMap { Array($0.events) }, Array(events))
    #expect(stretches.allSatisfy { $0.times == nil && $0.events.count <= 1024 })
  }

  @Test("An event outside the times of its stretch needs all events")
  func refused() {
    let notes = [
      Note(sequence: 1, wallNanoseconds: 5, type: "a.b"), Note(sequence: 2, wallNanoseconds: 6, type: "a.b"),
    ]
    let resolver = PositionResolver(
      seeking: [.time(first: 0, last: 0)], in: [Stretch(events: 1...2, times: 0...0)]
    ) { events, body in _ = notes.filter { events.contains($0.sequence) }.allSatisfy(body) }
    #expect(resolver == nil)
  }
}
