import EventSourcing
import Expectations
import Journal
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A journal with entities as today's library writes it, in `Updates/entities`. `UPDATE_JOURNALS=1 swift test --filter
/// PublishedInnTests` writes it anew.
@Suite("A published journal with entities")
struct PublishedInnTests {
  private static let folder =
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
    + "/Updates/entities"

  private static func write() throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    let store = try journal.create(InnMachine.self) {
      $0.journal.segmentSizeLimit = 1 << 10
      $0.journal.preallocation = 0
      $0.keyframeInterval = 16
    }
    for room in 1...5 as ClosedRange<UInt64> { try store.add(.opened(room: room)) }
    for number in 1...30 as ClosedRange<UInt64> {
      try store.add(.booked(room: number % 4, guest: GUID(UInt8(number % 3))), .noted(text: "note \(number)"))
      if number == 25 { try store.checkpoint() }
    }
    try store.close()
    return journal
  }

  private static func kept() throws -> TemporaryJournal {
    let journal = try TemporaryJournal()
    try PosixFileSystem().createDirectory(journal.path)
    for name in try PosixFileSystem().list(folder) { try journal.write(bytes("\(folder)/\(name)"), to: name) }
    return journal
  }

  private static func bytes(_ path: String) throws -> [UInt8] {
    let files = PosixFileSystem()
    let file = try files.open(path, .read)
    defer { files.close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(try files.size(of: file)))
    let count = try bytes.withUnsafeMutableBytes { $0.isEmpty ? 0 : try files.read(file, into: $0, at: 0) }
    try #require(count == bytes.count)
    return bytes
  }

  private static func replace(by journal: TemporaryJournal) throws {
    let files = PosixFileSystem()
    try? files.createDirectory(folder)
    for name in try files.list(folder) { try files.remove("\(folder)/\(name)") }
    for name in journal.files where name != "LOCK" {
      let file = try files.open("\(folder)/\(name)", .replace)
      defer { files.close(file) }
      let content = try journal.contents(name)
      let count = try content.withUnsafeBytes { $0.isEmpty ? 0 : try files.write(file, $0, at: 0) }
      try #require(count == content.count)
    }
  }

  @Test("Today's library writes it byte for byte")
  func current() throws {
    let journal = try Self.write()
    if getenv("UPDATE_JOURNALS") != nil { try Self.replace(by: journal) }
    let kept = try PosixFileSystem().list(Self.folder).sorted()
    expectEqual(kept, journal.files.filter { $0 != "LOCK" })
    for name in kept { try expectEqual(journal.contents(name), Self.bytes("\(Self.folder)/\(name)"), "\(name)") }
  }

  @Test("A program that names no keys begins with its checkpoint, agrees with every state, and goes on")
  func keyless() throws {
    let journal = try Self.kept()
    let history = try journal.history(KeylessMachine.self)
    let report = try history.check()
    #expect(report.isSound && report.digestsCompared > 0 && report.lastSequence == 65)
    try expectEqual(
      history.state(at: .end).state, try journal.history(InnMachine.self).state(at: .end).state)
    let store = try journal.open(KeylessMachine.self)
    expectEqual(store.opening.checkpointNotes, [])
    #expect(store.opening.checkpoint != nil || store.opening.keyframe != nil)
    try store.append([.booked(room: 5)], at: .seconds(99))
    try store.checkpoint()
    try store.close()
    let later = try journal.open(InnMachine.self)
    expectEqual(
      try [Entity.room(1), .room(4), .room(5), .guest(GUID(2))].map { try later.version(of: $0) }, [62, 4, 66, 62])
    try later.close()
  }
}
