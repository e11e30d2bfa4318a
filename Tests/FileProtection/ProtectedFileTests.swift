import Expectations
import Journal
import JournalSimulation
import Testing

@testable import FileProtection

@Suite("A protected file")
struct ProtectedFileTests {
  @Test("Writes, reads, cuts and gaps at any place give what a plain file would, before and after it is opened again")
  func model() throws {
    for seed in UInt64(1)...6 {
      var generator = SeededGenerator(seed: seed)
      let test = TestFiles(seed: seed)
      var file = try test.protector.create(at: "f", TestFiles.alice)
      var model: [UInt8] = []
      // Chunks of 64 KiB make the first level of nodes at 64 KiB and the second one at 7 MiB, which a gap reaches.
      let places = [10, 70_000, 400_000, seed % 3 == 0 ? 8_000_000 : 1_000_000]
      for step in 0..<60 {
        let place = generator.below(places[generator.below(places.count)])
        switch generator.below(8) {
        case 0..<4:
          let bytes = TestFiles.bytes(generator.below(generator.oneIn(3) ? 200_000 : 3000), step)
          try file.pwrite(bytes, at: UInt64(place))
          if !bytes.isEmpty {
            if model.count < place + bytes.count {
              model += [UInt8](repeating: 0, count: place + bytes.count - model.count)
            }
            model.replaceSubrange(place..<(place + bytes.count), with: bytes)
          }
        case 4:
          try file.truncate(to: UInt64(place))
          if place < model.count {
            model.removeLast(model.count - place)
          } else {
            model += [UInt8](repeating: 0, count: place - model.count)
          }
        case 5:
          try file.sync()
          let reader = try test.protector.open("f")
          let isSame = try reader.pread(model.count + 1, at: 0) == model
          #expect(isSame, "seed \(seed), step \(step)")
        case 6:
          try file.close()
          file = try test.protector.open("f", forWriting: true)
        default:
          let count = generator.below(200_000)
          let expected = place < model.count ? Array(model[place..<min(model.count, place + count)]) : []
          let isSame = try file.pread(count, at: UInt64(place)) == expected
          #expect(isSame, "seed \(seed), step \(step)")
        }
        try expectEqual(file.size(), UInt64(model.count), "seed \(seed), step \(step)")
      }
      try file.close()
      let isSame = try test.protector.open("f").read(model.count + 1) == model
      #expect(isSame, "seed \(seed)")
      expectEqual(test.fileSystem.misuse, [])
    }
  }

  @Test("The position moves with reads and writes, and a seek counts from the start, the position or the end")
  func position() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", TestFiles.alice)
    try file.write(Array("minutes".utf8))
    try expectEqual(file.tell(), 7)
    try expectEqual(file.seek(-4, from: .end), 3)
    try expectEqual(file.read(2), Array("ut".utf8))
    try expectEqual(file.seek(1, from: .current), 6)
    try expectEqual(file.read(9), Array("s".utf8))
    try expectEqual(file.read(9), [])
    try file.seek(10)
    try file.write([1])
    try expectEqual(file.pread(20, at: 6), [115, 0, 0, 0, 1])
    #expect(throws: ProtectionError.self) { try file.seek(-1) }
    try file.close()
    try file.close()
    #expect(throws: ProtectionError.self) { try file.tell() }
  }

  @Test("The longest file and the longest owner are read back, and no call makes either longer")
  func limits() throws {
    let test = TestFiles()
    let longest = String(repeating: "ö", count: Protection.maximumOwnerByteCount / 2)
    let file = try test.protector.create(at: "f", .encrypted(owner: longest))
    let end = Layout.maximumSize
    try file.truncate(to: end)
    try file.pwrite([7], at: end - 1)
    let beyond = [
      #expect(throws: ProtectionError.self) { try file.truncate(to: end + 1) },
      #expect(throws: ProtectionError.self) { try file.pwrite([7], at: end) },
      #expect(throws: ProtectionError.self) { try test.protector.create(at: "g", .encrypted(owner: longest + "x")) },
      #expect(throws: ProtectionError.self) { try test.protector.create(at: "g", .marked(owner: longest + "x")) },
    ]
    expectEqual(beyond.map { $0?.code }, [.tooLarge, .tooLarge, .tooLarge, .tooLarge])
    try file.close()
    #expect(try test.protector.open("f").size() == end && test.protector.open("f").pread(9, at: end - 2) == [0, 7])
    try test.protector.create(at: "g", .marked(owner: longest)).close()
    #expect(try test.protector.info("f").owner == longest && test.protector.info("g").owner == longest)
  }

  @Test("An empty file, and one of zeros only, take no more room than their headers")
  func holes() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", TestFiles.alice)
    try file.truncate(to: 1 << 40)
    try file.sync()
    expectEqual(test.fileSystem.image.files["f"]?.count, 2 * Layout.page)
    try expectEqual(file.pread(3, at: 1 << 39), [0, 0, 0])
    try file.truncate(to: 0)
    try file.close()
    try expectEqual(test.protector.open("f").size(), 0)
  }

  @Test("What is overwritten gives its room back, so that a file that is rewritten stays as small as two of it")
  func room() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", TestFiles.alice)
    for number in 0..<20 {
      try file.pwrite(TestFiles.bytes(300_000, number), at: 0)
      try file.sync()
      #expect((test.fileSystem.image.files["f"]?.count ?? 0) < 800_000)
    }
    try file.truncate(to: 10)
    try file.sync()
    try file.pwrite([1], at: 0)
    try file.close()
    #expect((test.fileSystem.image.files["f"]?.count ?? 0) <= 5 * Layout.page)
  }

  @Test("No text of the contents, of the owner or of the key stands in the file")
  func secrecy() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", TestFiles.alice)
    let text = Array("a text that must not be found in the file".utf8)
    for place in 0..<40 { try file.pwrite(text, at: UInt64(place * 5000)) }
    try file.close()
    let bytes = try #require(test.fileSystem.image.files["f"])
    guard case .key(let key)? = test.keys.key(named: KeyName(scope: "notes", account: "alice@contoso.com")) else {
      Issue.record("no key")
      return
    }
    for secret in [text, Array("alice@contoso.com".utf8), key.exposed] {
      #expect(!bytes.indices.contains { bytes[$0...].starts(with: secret) })
    }
    expectEqual(key.description, "key \(key.id?.description ?? "")")
  }

  @Test("Every sealed block has a nonce of its own")
  func nonces() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", TestFiles.alice)
    for number in 0..<30 {
      try file.pwrite(TestFiles.bytes(100_000, number), at: UInt64(number * 20_000))
      try file.sync()
    }
    var nonces: Set<[UInt8]> = []
    var count = 0
    for case .write(_, let offset, let bytes) in test.fileSystem.operations {
      // The header of a new file is written twice at once; later ones twice in turn.
      if offset == Layout.page || bytes.count < Layout.label { continue }
      count += 1
      nonces.insert(Array(offset == 0 ? bytes[128..<140] : bytes[36..<48]))
    }
    #expect(count > 60 && nonces.count == count)
  }

  @Test("A file is open for writing once, and readers see a sync, a later one when pages are used again")
  func readers() throws {
    let test = TestFiles()
    let writer = try test.protector.create(at: "f", TestFiles.alice)
    try writer.write(TestFiles.bytes(200_000))
    try writer.sync()
    #expect(throws: ProtectionError.self) { try test.protector.open("f", forWriting: true) }
    let reader = try test.protector.open("f")
    #expect(throws: ProtectionError.self) { try reader.pwrite([1], at: 0) }
    for number in 1..<5 {
      try writer.pwrite(TestFiles.bytes(200_000, number), at: 0)
      let before = try reader.pread(200_000, at: 0)
      let isSynced = before == TestFiles.bytes(200_000, number - 1)
      #expect(isSynced, "sync \(number)")
      try writer.sync()
    }
    // Its pages are used again now.
    try writer.pwrite(TestFiles.bytes(200_000, 5), at: 0)
    try writer.sync()
    let isNew = try reader.pread(200_000, at: 0) == TestFiles.bytes(200_000, 5)
    #expect(isNew)
  }

  @Test("A copy is of one sync, whatever a writer does while it is made", arguments: [false, true])
  func copyWhileWriting(isCut: Bool) throws {
    let test = TestFiles()
    let (old, new) = (TestFiles.bytes(5 << 20), TestFiles.bytes(isCut ? 10 : 5 << 20, 7))
    let writer = try test.protector.create(at: "f", TestFiles.alice)
    try writer.write(old)
    try writer.sync()
    let source = try test.protector.contents(of: test.protector.openForReading("f"), "f", isWritable: false)
    let sealed = try #require(source as? SealedContents)
    sealed.staysWithSync = true
    var piece = [UInt8](repeating: 0, count: 2 << 20)
    _ = try piece.withUnsafeMutableBytes { try sealed.read(into: $0, at: 0) }
    for _ in 0..<2 {
      try writer.truncate(to: 0)
      try writer.pwrite(new, at: 0)
      try writer.sync()
    }
    #expect(throws: ProtectionError.self) {
      _ = try piece.withUnsafeMutableBytes { try sealed.read(into: $0, at: 2 << 20) }
    }
    #expect(sealed.wasOutrun)
    source.release()
    // The header was read when the copy asks, and the rest was not: it begins again.
    try writer.truncate(to: 0)
    try writer.pwrite(old, at: 0)
    try writer.sync()
    var attempts = 0
    try test.protector.copyUnprotected("f", to: "copy") { _ in
      attempts += 1
      guard attempts == 1 else { return true }
      for _ in 0..<2 {
        try? writer.truncate(to: 0)
        try? writer.pwrite(new, at: 0)
        try? writer.sync()
      }
      return true
    }
    expectEqual(attempts, 2)
    let isNew = Array(test.fileSystem.image.files["copy"] ?? []) == new
    #expect(isNew)
  }

  @Test("A file that names its owner holds its contents as they are")
  func marked() throws {
    let test = TestFiles()
    let file = try test.protector.create(at: "f", .marked(owner: "eve@example.com"))
    try file.write(Array("plain".utf8))
    try file.pwrite([0x21], at: 5)
    try file.close()
    expectEqual(test.fileSystem.image.files["f"]?.suffix(6), Array("plain!".utf8)[...])
    try expectEqual(test.protector.info("f"), ProtectionInfo(isEncrypted: false, owner: "eve@example.com", keyID: nil))
    #expect(try !test.protector.isEncrypted("f"))
    let again = try test.protector.open("f", forWriting: true)
    try again.truncate(to: 2)
    try expectEqual(again.read(9), Array("pl".utf8))
  }
}
