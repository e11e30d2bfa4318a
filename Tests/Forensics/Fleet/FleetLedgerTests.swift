import Expectations
import EventSourcing
import JSON
import Journal
import Synchronization
import Testing

@testable import Forensics

@Suite("What a fleet's run keeps")
struct FleetLedgerTests {
  private static let head = FleetLedger.Head(program: "p 1", folders: ["a", "b"])

  private static func row(_ path: String) -> FleetRow {
    var row = FleetRow(folder: "a", path: path, .problems, error: "e\n\"1\"")
    (row.bytes, row.states, row.id) = (.sound, .agree, "x")
    (row.events, row.first, row.last) = (
      7, .init(event: 1, nanoseconds: 5), .init(event: 7, nanoseconds: -1_500_000_000)
    )
    (row.judgedUpTo, row.damagedPlaces, row.lostEvents, row.leftOut) = (7, 1, 2, 3)
    (row.app, row.engine, row.system, row.model) = (["1.0", "2.0"], ["19"], ["17"], ["m"])
    row.policies = [.init(id: "T_1", revision: "\"2\""), .init(id: "", revision: "")]
    row.findings = [
      .init(
        family: "f", severity: .warning, subject: "a1", sentence: "s", confidence: .likely, event: 3, type: "t.u",
        nanoseconds: 1_600_000_000_000_000_000, until: 5, explainedBy: nil),
      .init(
        family: "g", severity: .note, subject: nil, sentence: "", confidence: .possible, event: nil, type: nil,
        nanoseconds: nil, until: nil, explainedBy: 0),
    ]
    return row
  }

  private static func place(_ path: String, in folder: Int = 0) -> FleetPlace { FleetPlace(folder: folder, path: path) }

  private static func finish(_ files: MemoryFiles, _ paths: [String], stamp: String? = "s") throws {
    let ledger = try FleetLedger("state", head, on: files)
    for path in paths { try ledger.add([row(path)], at: place(path), stamp: stamp) }
    try ledger.finish()
  }

  @Test("A row is read back as it was")
  func roundTrip() throws {
    let row = Self.row("p")
    let text = JSONValue.object(row.members).text(style: .compact)
    try expectEqual(FleetRow(try JSONDocument.parse(Array(text.utf8)).root), row)
    let bare = FleetRow(folder: "", path: ".", .unreadable)
    let bareText = JSONValue.object(bare.members).text(style: .compact)
    try expectEqual(FleetRow(try JSONDocument.parse(Array(bareText.utf8)).root), bare)
  }

  @Test("The order is that of a walk through sorted names")
  func order() {
    let paths = [".", "a/b", "a/z", "a b/c", "a.zip", "b"]
    for (index, path) in paths.enumerated().dropFirst() {
      #expect(Self.place(paths[index - 1]) < Self.place(path), "\(path)")
      #expect(!(Self.place(path) < Self.place(paths[index - 1])), "\(path)")
    }
    #expect(Self.place("z") < Self.place("a", in: 1))
  }

  @Test("What was found is known while the stamp is the same, wherever others came or went")
  func known() throws {
    let files = MemoryFiles()
    try Self.finish(files, ["a", "c", "e"])
    let ledger = try FleetLedger("state", Self.head, on: files)
    for path in ["a", "b", "c", "d", "e", "f"] {
      let rows = try ledger.rows(at: Self.place(path), stamp: "s")
      expectEqual(rows, ["a", "c", "e"].contains(path) ? [Self.row(path)] : nil, "\(path)")
    }
    let other = try FleetLedger("state", Self.head, on: files)
    #expect(try other.rows(at: Self.place("a"), stamp: "t") == nil)
    try expectEqual(other.rows(at: Self.place("c"), stamp: "s"), [Self.row("c")])
    try Self.finish(files, ["a"], stamp: nil)
    #expect(try FleetLedger("state", Self.head, on: files).rows(at: Self.place("a"), stamp: "s") == nil)
  }

  @Test("A run that was killed anywhere is gone on with, and loses nothing of the one before")
  func killed() throws {
    let before = MemoryFiles()
    try Self.finish(before, ["a", "b", "c", "d"], stamp: "old")
    let old = try Self.bytes("state", in: before)
    let whole = MemoryFiles()
    try Self.finish(whole, ["a", "b"], stamp: "new")
    let new = try Self.bytes("state", in: whole)
    for length in stride(from: 0, through: new.count, by: 7) {
      let files = MemoryFiles()
      files.set("state", old)
      files.set("state.new", Array(new.prefix(length)))
      let complete = new.prefix(length).count { $0 == UInt8(ascii: "\n") }
      for _ in 0..<2 {
        // The second one finds what the first made of both.
        let ledger = try FleetLedger("state", Self.head, on: files)
        for (index, path) in ["a", "b", "c", "d"].enumerated() {
          let stamp = index < complete - 1 ? "new" : "old"
          try expectEqual(ledger.rows(at: Self.place(path), stamp: stamp), [Self.row(path)], "\(length) \(path)")
        }
      }
    }
  }

  /// A device that takes nothing, and says nothing of it.
  private final class SilentDevice: ForwardingFileSystem {
    let base: any FileSystem = MemoryFiles()

    func write(_ file: OpenFile, _ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(FileSystemError) -> Int {
      0
    }
  }

  @Test("A device that takes nothing and says nothing of it ends the run with an error")
  func silentDevice() throws {
    let ledger = try FleetLedger("state", Self.head, on: SilentDevice())
    do throws(FleetLedgerError) {
      try ledger.add([Self.row("a")], at: Self.place("a"), stamp: "s")
      try ledger.finish()
      Issue.record("nothing can have been written")
    } catch {
      #expect(error.code == .fileSystem && error.reason.hasPrefix("write: "))
    }
  }

  /// Refuses the lock or not, and notes which files are open, and which were closed without being so.
  private final class Doors: ForwardingFileSystem {
    let base: any FileSystem
    private let state = Mutex<(open: Set<OpenFile>, closedTwice: Int, isInUse: Bool)>(([], 0, false))

    init(_ base: any FileSystem, isInUse: Bool) {
      self.base = base
      state.withLock { $0.isInUse = isInUse }
    }

    var closedTwice: Int { state.withLock { $0.closedTwice } }
    var leftOpen: Int { state.withLock { $0.open.count } }

    func open(_ path: String, _ mode: OpenMode) throws(FileSystemError) -> OpenFile {
      let file = try base.open(path, mode)
      state.withLock { _ = $0.open.insert(file) }
      return file
    }

    func close(_ file: OpenFile) {
      state.withLock { if $0.open.remove(file) == nil { $0.closedTwice += 1 } }
      base.close(file)
    }

    func lock(_ file: OpenFile) throws(FileSystemError) -> Bool {
      guard !state.withLock({ $0.isInUse }) else { return false }
      return try base.lock(file)
    }
  }

  @Test(
    "Every file is closed once, also where the run is refused",
    arguments: [
      (nil, false), ("hello\n", false), (nil, true),
    ] as [(content: String?, isInUse: Bool)])
  func doors(content: String?, isInUse: Bool) throws {
    let files = MemoryFiles()
    try Self.finish(files, ["a", "b"])
    if let content { files.set("state", Array(content.utf8)) }
    let doors = Doors(files, isInUse: isInUse)
    let isRefused = content != nil || isInUse
    do throws(FleetLedgerError) {
      _ = try FleetLedger("state", Self.head, on: doors)
      #expect(!isRefused)
    } catch {
      #expect(isRefused && error.code == (isInUse ? .inUse : .foreign))
    }
    #expect(doors.closedTwice == 0 && doors.leftOpen == 0)
  }

  @Test("A damaged line and all after it do not count")
  func damaged() throws {
    let files = MemoryFiles()
    try Self.finish(files, ["a", "b", "c"])
    var bytes = try Self.bytes("state", in: files)
    let second = try #require(bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.dropFirst().first)
    bytes[second + 40] ^= 1
    files.set("state", bytes)
    let ledger = try FleetLedger("state", Self.head, on: files)
    try expectEqual(ledger.rows(at: Self.place("a"), stamp: "s"), [Self.row("a")])
    #expect(try ledger.rows(at: Self.place("b"), stamp: "s") == nil)
    #expect(try ledger.rows(at: Self.place("c"), stamp: "s") == nil)
  }

  @Test("A bit that is flipped anywhere in the first line leaves a file of a fleet, of which nothing is believed")
  func damagedHead() throws {
    let sound = MemoryFiles()
    try Self.finish(sound, ["a"])
    let bytes = try Self.bytes("state", in: sound)
    let end = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
    for place in 0...end {
      let files = MemoryFiles()
      var damaged = bytes
      damaged[place] ^= 1
      files.set("state", damaged)
      let ledger = try FleetLedger("state", Self.head, on: files)
      #expect(ledger.isDamaged && !ledger.isOutdated, "\(place)")
      #expect(try ledger.rows(at: Self.place("a"), stamp: "s") == nil, "\(place)")
      try ledger.add([Self.row("a")], at: Self.place("a"), stamp: "s")
      try ledger.finish()
      try expectEqual(Self.bytes("state", in: files), bytes)
    }
  }

  @Test(
    "What else begins like a checksum is not replaced", arguments: ["", "abc", "01234567", "01234567 {\"fleet\":1"])
  func short(text: String) throws {
    let files = MemoryFiles()
    files.set("state", Array(text.utf8))
    #expect(throws: FleetLedgerError.self) { try FleetLedger("state", Self.head, on: files) }
    try expectEqual(Self.bytes("state", in: files), Array(text.utf8))
  }

  @Test("Several journals of one file are known together or not at all")
  func packed() throws {
    let files = MemoryFiles()
    let rows = ["a/1", "a/2", "a/3"].map(Self.row)
    let ledger = try FleetLedger("state", Self.head, on: files)
    try ledger.add(rows, at: Self.place("a"), stamp: "s")
    try ledger.add([Self.row("b")], at: Self.place("b"), stamp: "s")
    try ledger.finish()
    let bytes = try Self.bytes("state", in: files)
    let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    expectEqual(ends.count, 5)
    let known = try FleetLedger("state", Self.head, on: files)
    try expectEqual(known.rows(at: Self.place("a"), stamp: "s"), rows)
    try expectEqual(known.rows(at: Self.place("b"), stamp: "s"), [Self.row("b")])
    for line in 1...3 {
      // A line that is gone, and one that is damaged.
      for damaged in [Array(bytes[...ends[line - 1]] + bytes[(ends[line] + 1)...]), bytes.flipped(at: ends[line] - 9)] {
        let files = MemoryFiles()
        files.set("state", damaged)
        let ledger = try FleetLedger("state", Self.head, on: files)
        #expect(try ledger.rows(at: Self.place("a"), stamp: "s") == nil, "\(line)")
      }
    }
  }

  @Test("A row that is longer than a line may be is examined again, and a longer line is not read to its end")
  func long() throws {
    let files = MemoryFiles()
    var row = Self.row("a")
    row.error = String(repeating: "e", count: FleetLedgerEntry.longestLine)
    let ledger = try FleetLedger("state", Self.head, on: files)
    try ledger.add([row], at: Self.place("a"), stamp: "s")
    try ledger.add([Self.row("b")], at: Self.place("b"), stamp: "s")
    try ledger.finish()
    let known = try FleetLedger("state", Self.head, on: files)
    #expect(try known.rows(at: Self.place("a"), stamp: "s") == nil)
    try expectEqual(known.rows(at: Self.place("b"), stamp: "s"), [Self.row("b")])
    let endless = [UInt8](repeating: UInt8(ascii: "a"), count: 3 * FleetLedgerEntry.longestLine)
    files.set("state", try Self.bytes("state", in: files) + endless)
    let file = try files.open("state", .read)
    var reader = FleetLedgerReader(file, "state", files)
    try expectEqual(reader.head(), Self.head)
    try expectEqual(reader.next()?.rows, [Self.row("b")])
    #expect(try reader.next() == nil)
    #expect(reader.read < UInt64(FleetLedgerEntry.longestLine) + (1 << 20))
  }

  @Test("The longest first line and the longest row are read back; a longer head is refused, a longer row left out")
  func limits() throws {
    let longest = FleetLedgerEntry.longestLine - 1
    func head(_ count: Int) -> FleetLedger.Head {
      .init(program: "p 1", folders: [String(repeating: "x", count: count)])
    }
    let count = longest - FleetLedgerEntry.line(of: head(0)).count
    expectEqual(FleetLedgerEntry.line(of: head(count)).count, longest)
    let files = MemoryFiles()
    do throws(FleetLedgerError) {
      _ = try FleetLedger("state", head(count + 1), on: files)
      Issue.record("a head that is not read was begun")
    } catch {
      #expect(error.code == .tooLarge && error.reason.hasPrefix("the names of the 1 files and folders have more than"))
    }
    #expect(throws: FileSystemError.self) { try files.open("state.new", .read) }

    func row(_ count: Int) -> FleetRow {
      FleetRow(folder: "a", path: "p", .unreadable, error: String(repeating: "x", count: count))
    }
    func lines(_ count: Int) -> [UInt8] {
      FleetLedgerEntry(place: Self.place("p"), stamp: "s", rows: [row(count)]).lines
    }
    let most = longest - lines(0).count
    #expect(lines(most).count == longest && lines(most + 1) == [])
    for (count, isKept) in [(most, true), (most + 1, false)] {
      let ledger = try FleetLedger("state", head(1), on: files)
      try ledger.add([row(count)], at: Self.place("p"), stamp: "s")
      try ledger.add([row(1)], at: Self.place("q"), stamp: "s")
      try ledger.finish()
      let again = try FleetLedger("state", head(1), on: files)
      try expectEqual(again.rows(at: Self.place("p"), stamp: "s"), isKept ? [row(count)] : nil)
      try expectEqual(again.rows(at: Self.place("q"), stamp: "s"), [row(1)])
    }
    let whole = try FleetLedger("whole", head(count), on: files)
    try whole.add([row(1)], at: Self.place("q"), stamp: "s")
    try whole.finish()
    try expectEqual(FleetLedger("whole", head(count), on: files).rows(at: Self.place("q"), stamp: "s"), [row(1)])
  }

  @Test("Another program's run does not count, another fleet's is refused, and so is any other file")
  func others() throws {
    let files = MemoryFiles()
    try Self.finish(files, ["a"])
    let later = try FleetLedger("state", .init(program: "p 2", folders: ["a", "b"]), on: files)
    #expect(later.isOutdated)
    #expect(try later.rows(at: Self.place("a"), stamp: "s") == nil)
    var found: FleetLedgerError?
    do throws(FleetLedgerError) {
      _ = try FleetLedger("state", .init(program: "p 1", folders: ["a"]), on: files)
    } catch {
      found = error
    }
    #expect(found?.code == .otherFleet && found?.reason == "this file is about a, b")
    files.set("text", Array("hello\n".utf8))
    do throws(FleetLedgerError) {
      _ = try FleetLedger("text", Self.head, on: files)
    } catch {
      found = error
    }
    #expect(found?.code == .foreign && found?.reason == "no fleet run wrote this file")
    try expectEqual(Self.bytes("text", in: files), Array("hello\n".utf8))
    #expect(throws: FileSystemError.self) { try files.open("text.new", .read) }
  }

  private static func bytes(_ path: String, in files: MemoryFiles) throws -> [UInt8] {
    let file = try files.open(path, .read)
    defer { files.close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(try files.size(of: file)))
    let count = try bytes.withUnsafeMutableBytes { try files.read(file, into: $0, at: 0) }
    return Array(bytes.prefix(count))
  }
}

extension [UInt8] {
  /// A copy with one bit flipped.
  fileprivate func flipped(at index: Int) -> [UInt8] {
    var copy = self
    copy[index] ^= 1
    return copy
  }
}
