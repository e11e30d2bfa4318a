import EventSourcing
import Foundation
import Journal
import JournalSimulation
import Testing

/// The rooms of the page of that name, as a domain with sealed names, versions of entities, a read model and
/// confirmations: what power cuts, failing calls and flipped bits make of their files. The suite tries a share, and all
/// with `EVERY_BIT=1`.
@Suite("Campaigns over the rooms")
struct RoomCampaignTests {
  private static let triesEverything = ProcessInfo.processInfo.environment["EVERY_BIT"] == "1"

  @Test("After any power cut, what was promised is there, and each read model and confirmation goes on from it")
  func powerCuts() async throws {
    let life = try await RoomLife()
    let created = try #require(life.promises.first).position
    var cuts: [PowerCuts.State] = []
    let share = Self.triesEverything ? 8 : 400
    PowerCuts.forEach(of: life.files.operations, from: created, share: share) { cuts.append($0) }
    #expect(cuts.count > 50)
    for cut in cuts {
      let promise = try #require(life.promise(at: cut.position))
      let breaches = await life.breaches(
        cut.image, least: promise.last, confirmed: promise.confirmed, isDamaged: false)
      #expect(breaches.isEmpty, "cut after operation \(cut.position), \(cut.fates): \(breaches)")
    }
  }

  @Test("Whatever call fails, and however, the next program finds what was promised and goes on from it")
  func failingCalls() async throws {
    let life = try await RoomLife()
    let calls = life.files.calls
    let share = Self.triesEverything ? 7 : 211
    var (number, tried) = (0, 0)
    for (place, kind) in calls.enumerated() {
      for plan in FaultCampaign.plans(for: kind, at: place + 1) + [FaultPlan(at: place + 1, .death)] {
        number += 1
        guard number % share == 0 else { continue }
        let cut = try await RoomLife(failing: plan)
        var breaches = cut.files.misuse
        // Before the journal is created there is nothing to find.
        if let promise = cut.promises.last {
          breaches += await life.breaches(
            cut.files.image, least: promise.last, confirmed: promise.confirmed, isDamaged: false)
          tried += 1
        }
        #expect(breaches.isEmpty, "call \(place + 1), \(kind), of \(calls.count): \(plan.fault): \(breaches)")
      }
    }
    #expect(tried > 40, "\(tried)")
  }

  @Test("A flipped bit in any file is refused or makes no difference, and what is salvaged happened")
  func flippedBits() async throws {
    let life = try await RoomLife()
    let image = life.files.image
    let (step, salvageStep) = Self.triesEverything ? (5, 8) : (509, 4)
    var counts: [String: Int] = [:]
    var number = 0
    for path in image.files.keys.sorted() where !path.hasSuffix("/LOCK") && !path.hasSuffix(".lock") {
      for bit in stride(from: number % step, to: (image.files[path]?.count ?? 0) * 8, by: step) {
        var damaged = image
        damaged.files[path]?[bit / 8] ^= 1 << (bit % 8)
        number += 1
        counts[path.split(separator: ".").last.map { String($0) } ?? path, default: 0] += 1
        var breaches = await life.breaches(
          damaged, least: RoomLife.last, confirmed: life.promises.last?.confirmed ?? 0, isDamaged: true)
        if number % salvageStep == 0 { breaches += life.breachesOfCopy(damaged) }
        #expect(breaches.isEmpty, "bit \(bit) of \(path): \(breaches)")
      }
    }
    let kinds = ["seg", "ckpt", "projection", "subscription", "journal/STREAMS", "journal/HEAD"]
    #expect(kinds.allSatisfy { counts[$0] ?? 0 > 0 }, "\(counts)")
  }

  @Test("Confirmations that would be sent again, and events that are missing, are noticed")
  func canaries() async throws {
    let life = try await RoomLife()
    var image = life.files.image
    let path = "\(RoomLife.path)/mails.subscription"
    #expect(image.files.removeValue(forKey: path) != nil)
    let again = await life.breaches(
      image, least: RoomLife.last, confirmed: life.promises.last?.confirmed ?? 0, isDamaged: true)
    #expect(again.contains { $0.hasPrefix("confirmations are at event 0") }, "\(again)")
    let short = await life.breaches(image, least: RoomLife.last + 1, confirmed: 0, isDamaged: true)
    #expect(short.contains { $0.hasPrefix("it ends with event") }, "\(short)")
  }
}
