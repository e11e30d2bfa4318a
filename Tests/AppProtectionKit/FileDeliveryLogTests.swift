import Expectations
import AppProtectionKit
import Journal
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("The file that keeps how far an app was told")
struct FileDeliveryLogTests {
  private static let id = JournalID(bytes: [UInt8](repeating: 9, count: 16))

  /// A path in a folder of its own.
  private final class Place {
    let path: String
    private let folder: String

    init() throws {
      var template = Array("/tmp/told-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { throw TestEngine.Failure() }
      folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      path = folder + "/journal.told"
    }

    deinit {
      unlink(path)
      rmdir(folder)
    }

    var bytes: [UInt8] {
      get {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
      }
      set {
        guard let file = fopen(path, "wb") else { return }
        defer { fclose(file) }
        fwrite(newValue, 1, newValue.count, file)
      }
    }
  }

  private static func progress(_ event: UInt64) throws -> DeliveryProgress {
    DeliveryProgress(
      journal: try #require(id), nextEvent: event, madeCallbacks: UInt32(event % 3), acknowledgedWipes: event / 2)
  }

  @Test("What was written last is read, and two records take turns")
  func roundTrip() throws {
    let place = try Place()
    let log = FileDeliveryLog(at: place.path)
    #expect(log.read() == nil)
    for event in [1, 2, 3, UInt64.max] as [UInt64] {
      log.write(try Self.progress(event))
      try expectEqual(log.read(), Self.progress(event))
    }
    expectEqual(place.bytes.count, 128)
  }

  @Test("A write that was cut short at any byte leaves the last progress or the new one")
  func torn() throws {
    let place = try Place()
    let log = FileDeliveryLog(at: place.path)
    for event in 1...3 as ClosedRange<UInt64> { log.write(try Self.progress(event)) }
    let before = place.bytes
    log.write(try Self.progress(4))
    let after = place.bytes
    for cut in 0...before.count {
      place.bytes = Array(after[..<cut] + before[cut...])
      let read = try #require(log.read())
      #expect(try read == Self.progress(3) || read == Self.progress(4), "\(cut)")
    }
  }

  @Test("A damaged bit costs at most one record, and a foreign or short file reads as none")
  func damaged() throws {
    let place = try Place()
    let log = FileDeliveryLog(at: place.path)
    for event in 1...2 as ClosedRange<UInt64> { log.write(try Self.progress(event)) }
    let sound = place.bytes
    for bit in 0..<(sound.count * 8) {
      place.bytes[bit / 8] ^= 1 << (bit % 8)
      try expectEqual(log.read(), Self.progress(bit < 512 ? 2 : 1), "bit \(bit)")
      place.bytes = sound
    }
    for bytes in [[], Array("not this".utf8), Array(sound.prefix(63)), [UInt8](repeating: 0, count: 128)] {
      place.bytes = bytes
      #expect(log.read() == nil)
      log.write(try Self.progress(7))
      try expectEqual(log.read(), Self.progress(7))
    }
  }

  @Test("A file that cannot be written is left out")
  func unwritable() throws {
    let log = FileDeliveryLog(at: "/nonexistent/journal.told")
    log.write(try Self.progress(1))
    #expect(log.read() == nil)
  }
}
