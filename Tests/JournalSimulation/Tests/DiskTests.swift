import Expectations
import Testing

@testable import JournalSimulation

/// The simulated device itself: what is promised lasts, and everything else may be lost.
@Suite("A simulated device")
struct DiskTests {
  private func states(_ operations: [DiskOperation]) -> Set<[UInt8]?> {
    var disk = Disk()
    for operation in operations { disk.perform(operation) }
    return Set(CrashStates.fates(disk, randomCount: 20, seed: 1).map { disk.image($0).files["d/f"] })
  }

  private let beginning: [DiskOperation] = [
    .createDirectory("d"), .syncDirectory("."), .create("d/f", file: 0),
    .write(file: 0, offset: 0, bytes: [1, 1, 1, 1]),
  ]

  @Test("Without a sync a file may be missing, empty, torn, or hold something else")
  func unsynced() {
    let states = states(beginning)
    #expect(states.isSuperset(of: [nil, [], [1, 1, 1, 1], [0, 0, 0, 0]]))
    #expect(states.contains { $0.map { $0.count == 4 && $0.contains { $0 > 1 } } ?? false }, "garbage")
  }

  @Test("What was synced is there in every state, and a later write that was not may be")
  func synced() {
    let synced = beginning + [.sync(file: 0), .syncDirectory("d")]
    expectEqual(states(synced), [[1, 1, 1, 1]])
    let further = states(synced + [.write(file: 0, offset: 4, bytes: [2, 2])])
    #expect(further.isSuperset(of: [[1, 1, 1, 1], [1, 1, 1, 1, 2, 2], [1, 1, 1, 1, 0, 0]]))
    #expect(further.allSatisfy { $0?.prefix(4) == [1, 1, 1, 1] })
  }

  @Test("Writes that were not synced arrive in any order")
  func reordered() {
    let states = states(
      beginning + [
        .sync(file: 0), .syncDirectory("d"), .write(file: 0, offset: 4, bytes: [2]),
        .write(file: 0, offset: 5, bytes: [3]),
      ])
    #expect(states.isSuperset(of: [[1, 1, 1, 1, 2], [1, 1, 1, 1, 0, 3], [1, 1, 1, 1, 2, 3]]))
  }

  @Test("A name lasts only when its directory was synced")
  func names() {
    expectEqual(states(beginning + [.sync(file: 0)]), [nil, [1, 1, 1, 1]])
    let renamed = states(
      beginning + [.sync(file: 0), .syncDirectory("d"), .rename("d/f", to: "d/g", file: 0)])
    expectEqual(renamed, [nil, [1, 1, 1, 1]])
  }

  @Test("What was on its way when a sync failed may be lost even after a later sync that succeeds")
  func failedSync() {
    let states = states(
      beginning + [
        .sync(file: 0), .syncDirectory("d"), .write(file: 0, offset: 4, bytes: [2]), .failedSync(file: 0),
        .write(file: 0, offset: 5, bytes: [3]), .sync(file: 0),
      ])
    #expect(states.isSuperset(of: [[1, 1, 1, 1, 0, 3], [1, 1, 1, 1, 2, 3]]))
    #expect(states.allSatisfy { $0?.last == 3 })
  }

  @Test("A name that was on its way when its directory could not be synced may be lost in spite of a later sync")
  func failedDirectorySync() {
    let lost = states(beginning + [.sync(file: 0), .failedSyncDirectory("d"), .syncDirectory("d")])
    expectEqual(lost, [nil, [1, 1, 1, 1]])
    let moved: [DiskOperation] = [.rename("d/f", to: "d/g", file: 0), .rename("d/g", to: "d/f", file: 0)]
    let entered = states(
      beginning + [.sync(file: 0), .failedSyncDirectory("d")] + moved + [.syncDirectory("d")])
    expectEqual(entered, [[1, 1, 1, 1]])
  }
}
