import Expectations
import Journal
import Testing

@testable import JournalSimulation

/// Frames that only their links identify continue an event that other histories share with the journal's.
@Suite("Salvage of misplaced frames")
struct MisplacedFramesTests {
  private static let segments = (1...9).map { "\(Workload.path)/\(String(repeating: "0", count: 19))\($0).seg" }

  /// What breaks the law when a fixture has these damages, with the places at which it does.
  private func breaches(_ fixture: SalvageFixture, _ damages: [[Damage]]) -> [String] {
    let check = SalvageCheck(fixture: fixture)
    return damages.flatMap { damages in check.check(damages).breaches.map { "\(damages): \($0)" } }
  }

  @Test("Events that were given up stay so in the file of another segment, whatever it has lost")
  func givenUp() throws {
    let fixtures = SalvageFixture.samples.filter { !$0.givenUp.isEmpty }
    expectEqual(fixtures.count, 3)
    for fixture in fixtures {
      let files = fixture.journal.image.files
      let bytes = try #require(files[Self.segments[0]])
      let other = try #require(Self.segments.dropFirst().first { files[$0] != nil })
      let first = try #require(fixture.givenUp.keys.min().flatMap { fixture.givenUp[$0] })
      let payload = try #require(bytes.firstRange(of: first)).lowerBound
      var damages: [[Damage]] = []
      for before in [16, 18, 40] {
        let piece = Array(bytes[(payload - before)...].prefix(200))
        for place in stride(from: 226, to: files[other]?.count ?? 0, by: 61) {
          let inserted = Damage(other, .inserted(piece, at: place, from: Self.segments[0]))
          for start in [20, 240] { damages.append([inserted, Damage(other, .deleted(start..<start + 2))]) }
        }
      }
      #expect(damages.count > 60)
      expectEqual(breaches(fixture, damages).prefix(3), [], "\(fixture.name)")
    }
  }

  @Test(
    "Events in a payload stay there, where their checks are cut and the event before them is not the journal's last")
  func embedded() throws {
    let fixture = try #require(SalvageFixture.samples.first { $0.name == "with a journal in a payload" })
    let path = Self.segments[0]
    let bytes = try #require(fixture.journal.image.files[path])
    // The second event is cut, and then one in the payload.
    let cut = Damage(path, .inserted(Array(repeating: 7, count: 17), at: 268, from: "one value"))
    let places = fixture.journal.places[3].range.lowerBound + 16 + 224..<bytes.count - 100
    let damages = places.filter { $0 % 2 == 1 }.map { place in
      [cut, Damage(path, .inserted([1, 2], at: place + 17, from: "two values"))]
    }
    #expect(damages.count > 400)
    expectEqual(breaches(fixture, damages).prefix(3), [])
  }
}
