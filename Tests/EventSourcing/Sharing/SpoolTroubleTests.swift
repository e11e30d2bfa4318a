import Expectations
import Journal
import Testing

@testable import EventSourcing

@Suite("Trouble in a spool")
struct SpoolTroubleTests {
  @Test(
    "A file of one process that cannot be read keeps no other process's commands waiting, and the drain reports it",
    arguments: ["command", "outcomes"])
  func unreadable(kind: String) throws {
    let journal = try TemporaryJournal()
    let files = HookedFileSystem()
    let shared = SharedFolder(path: String(journal.path.dropLast("/journal".count)), fileSystem: files)
    defer {
      for folder in [shared.folder, shared.journal] {
        for name in (try? files.list(folder)) ?? [] { try? files.remove(folder + "/" + name) }
        try? files.remove(folder)
      }
    }
    let store = try shared.store()
    let (one, two) = (try shared.spool(1, "one"), try shared.spool(2, "two"))
    try one.submit(.note(["zero"]), in: store.state, at: .seconds(1))
    let drain = shared.drain()
    try store.drain(drain, at: .seconds(2))
    let first = try one.submit(.note(["one"]), in: store.state, at: .seconds(3))
    try one.submit(.note(["after"]), in: store.state, at: .seconds(4))
    try two.submit(.note(["two"]), in: store.state, at: .seconds(5))

    files.failOpening(kind == "command" ? "\(first).command" : "0000000000000001.outcomes")
    for second in 6...7 as ClosedRange<Int64> {
      let error = #expect(throws: SpoolError.self) { try store.drain(drain, at: .seconds(second)) }
      guard case .journal(let reason)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      expectEqual(reason.errorNumber, 5)
    }
    try expectEqual(shared.notes(), ["zero", "two"])
    #expect(!drain.hasCommands, "what cannot be read wakes nobody")
    try two.submit(.note(["three"]), in: store.state, at: .seconds(8))
    #expect(drain.hasCommands)

    files.failOpening("")
    try store.drain(drain, at: .seconds(9))
    try expectEqual(shared.notes(), ["zero", "two", "one", "after", "three"])
    try store.close()
  }
}
