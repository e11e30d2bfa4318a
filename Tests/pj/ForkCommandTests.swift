import Expectations
import AppProtection
import EventSourcing
import Journal
import JSON
import Testing

@testable import CommandSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `pj fork` continues a history under a new name.
@Suite("pj fork")
struct ForkCommandTests {
  private let parent = "first-enrollment"

  @Test("A dry run writes nothing and prints what the real run prints first", arguments: [[], ["-j"]])
  func dryRun(format: [String]) throws {
    _ = Repository.root
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/parent"
      try TestFiles.copy(Repository.journal(parent), to: path)
      let before = (try TestFiles.stamps(of: path), try TestFiles.names(in: folder))
      let dry = ToolRun(["fork", path, "12", "\(folder)/fork", "--dry-run"] + format)
      #expect(dry.code == .done && dry.notes.isEmpty, "\(dry.notes)")
      #expect(try TestFiles.stamps(of: path) == before.0 && TestFiles.names(in: folder) == before.1)
      let real = ToolRun(["fork", path, "12", "\(folder)/fork"] + format)
      #expect(real.code == .done && real.notes.isEmpty, "\(real.notes)")
      // The first record says which of them it is.
      expectEqual(dry.lines.dropFirst(format.count).dropLast(), real.lines.dropFirst(format.count).dropLast())
      try expectEqual(TestFiles.stamps(of: path), before.0)
      expectEqual(ToolRun("state", "\(folder)/fork").output, ToolRun("state", path, "--at", "12").output)
      expectEqual(ToolRun("verify", "\(folder)/fork").code, .done)
      expectEqual(ToolRun("state", "\(folder)/fork", "--at", "11").code, .wrongUse)
      let compare = ToolRun("compare", path, "\(folder)/fork")
      #expect(compare.output.hasPrefix("same until  event 12 "))
      // Two forks at one place are two journals.
      expectEqual(ToolRun("fork", path, "12", "\(folder)/other").code, .done)
      let ids = try ["fork", "other"].map { try JournalReader(path: "\(folder)/\($0)").identity.id }
      #expect(ids[0] != ids[1])
    }
  }

  @Test(
    "Positions are those of pj state",
    arguments: ["start", "7", "end", "end~3", "enrollment.succeeded", "2026-10-05"])
  func positions(position: String) throws {
    let path = Repository.journal(parent)
    try TestFiles.withTemporaryFolder { folder in
      let fork = ToolRun("fork", path, position, "\(folder)/fork")
      expectEqual(fork.code, .done, "\(fork.notes)")
      expectEqual(ToolRun("state", "\(folder)/fork").output, ToolRun("state", path, "--at", position).output)
    }
  }

  @Test("A target that exists, a wrong position and a damaged parent are refused, and nothing is written")
  func refusals() throws {
    let path = Repository.journal(parent)
    let damaged = Repository.journal("damaged-frame")
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.copy(path, to: "\(folder)/full")
      try TestFiles.write([1], to: "\(folder)/file")
      let before = (try TestFiles.stamps(of: "\(folder)/full"), try TestFiles.names(in: folder))
      let cases: [([String], ExitCode, String)] = [
        ([path, "12", "\(folder)/full"], .wrongUse, "this folder exists and is not empty"),
        ([path, "12", "\(folder)/file"], .wrongUse, "this exists and is not replaced; name a folder"),
        ([path, "12", "\(folder)/none/fork"], .unreadable, "Next: mkdir -p \(folder)/none"),
        (["\(folder)/full", "12", "\(folder)/full/fork"], .wrongUse, "inside the journal"),
        ([path, "21", "\(folder)/fork"], .wrongUse, "event 21 does not exist: the last one is 20"),
        ([path, "12"], .wrongUse, ""), ([path, "12", ""], .wrongUse, "the target names the folder"),
        (["\(folder)/none", "12", "\(folder)/fork"], .unreadable, "\(folder)/none"),
        ([damaged, "5", "\(folder)/fork"], .partial, "nothing is written: 00000000000000000001.seg, byte "),
      ]
      for (words, code, reason) in cases {
        for dry in [[], ["--dry-run"]] {
          let run = ToolRun(["fork"] + words + dry)
          #expect(run.code == code && run.output.isEmpty, "\(words): \(run.code)")
          #expect(run.notes.contains(reason), "\(words): \(run.notes)")
        }
      }
      #expect(try TestFiles.stamps(of: "\(folder)/full") == before.0 && TestFiles.names(in: folder) == before.1)
    }
  }

  /// No checkpoint finds room.
  private final class FullDevice: ForwardingFileSystem {
    let base: any FileSystem = PosixFileSystem()

    func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
      guard !path.contains(".ckpt") else { throw FileSystemError(ENOSPC, during: "open") }
      return try base.open(path, mode)
    }
  }

  @Test("A fork that finds no room removes what it made, and nothing else", arguments: [true, false])
  func noRoom(exists: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      if exists { expectEqual(TestFiles.shell("mkdir \(folder)/fork"), 0) }
      let before = try TestFiles.names(in: folder)
      var environment = ToolEnvironment()
      environment.fileSystem = FullDevice()
      let words = ["fork", Repository.journal(parent), "12", "\(folder)/fork"]
      let run = ToolRun(words, environment: environment)
      #expect(run.code == .unreadable && !run.notes.contains("unfinished"), "\(run.notes)")
      try expectEqual(TestFiles.names(in: folder), before)
      if exists { try expectEqual(TestFiles.names(in: "\(folder)/fork"), []) }
      expectEqual(ToolRun(words).code, .done)
    }
  }

  @Test("The event at which a fork begins names its first state there, even while the fork has no event of its own")
  func firstState() throws {
    let path = Repository.journal(parent)
    try TestFiles.withTemporaryFolder { folder in
      let (fork, next) = ("\(folder)/fork", "\(folder)/next")
      expectEqual(ToolRun("fork", path, "12", fork).code, .done)
      let state = ToolRun("state", path, "--at", "12").output
      for position in ["12", "end"] {
        expectEqual(ToolRun("state", fork, "--at", position).output, state, "\(position)")
        let run = ToolRun("fork", fork, position, "\(next)-\(position)")
        expectEqual(run.code, .done, "\(run.notes)")
        expectEqual(ToolRun("state", "\(next)-\(position)").output, state)
      }
      expectEqual(ToolRun("diff", fork, "12", "end").code, .done)
      for position in ["11", "13"] { expectEqual(ToolRun("state", fork, "--at", position).code, .wrongUse) }
      let store = try EventStore<AppProtectionMachine>.open(at: fork)
      try store.close()
      expectEqual(ToolRun("show", fork, "12").code, .wrongUse)
    }
  }

  @Test("What is told of the events before a fork is true of a parent that has not all of them")
  func incompleteParent() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (fork, retired) = ("\(folder)/fork", try RetiredJournal.write(in: folder))
      expectEqual(ToolRun("fork", Repository.journal(parent), "12", fork).code, .done)
      let id = try JournalReader(path: Repository.journal(parent)).identity.id
      let first = try JournalReader(path: retired).firstSequence
      let cases = [
        (fork, "What happened in events 1–12 is in neither, but in the ancestor of both, journal \(id).\n"),
        (
          retired,
          "Only \(retired) tells what happened in events \(first)–20, and the states there. "
            + "What happened in events 1–\(first - 1) is no longer kept.\n"
        ),
        (Repository.journal(parent), " tells what happened up to event 20, and the states before it.\n"),
      ]
      for (path, sentence) in cases {
        let run = ToolRun("fork", path, "end", "\(folder)/x", "--dry-run")
        #expect(run.output.contains(sentence), "\(path): \(run.output)")
      }
    }
  }

  @Test("A journal that begins later has a start: the first state that is kept")
  func start() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (fork, retired) = ("\(folder)/fork", try RetiredJournal.write(in: folder))
      expectEqual(ToolRun("fork", Repository.journal(parent), "12", fork).code, .done)
      let state = ToolRun("state", Repository.journal(parent), "--at", "12").output
      expectEqual(ToolRun("state", fork, "--at", "start").output, state)
      expectEqual(ToolRun("diff", fork).code, .done)
      let diff = ToolRun("diff", retired)
      expectEqual(diff.code, .different, "\(diff.notes)")
      expectEqual(diff.output, ToolRun("diff", retired, "start..end").output)
      let missing = ToolRun("state", fork, "--at", "13")
      #expect(
        missing.notes.contains(
          "event 13 is not in it: it was forked after event 12 and has no event yet; write 12 or end"),
        "\(missing.notes)")
      let early = ToolRun("state", retired, "--at", "0")
      let hint = "; write start for the first state that is kept"
      #expect(early.code == .wrongUse && early.notes.contains(hint), "\(early.notes)")
    }
  }

  @Test("A journal in use can be continued")
  func live() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/parent"
      try TestFiles.copy(Repository.journal(parent), to: path)
      let store = try EventStore<AppProtectionMachine>.open(at: path)
      let fork = ToolRun("fork", path, "end", "\(folder)/fork")
      expectEqual(fork.code, .done, "\(fork.notes)")
      try store.close()
    }
  }
}
