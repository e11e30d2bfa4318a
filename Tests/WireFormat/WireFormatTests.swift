import Expectations
import Testing
import WireFormat

@Suite("Protocol Buffers wire format")
struct WireFormatTests {
  /// Known encodings: the first two are the examples of the Protocol Buffers encoding guide.
  @Test(
    "A field is written as the encoding guide says",
    arguments: [
      (encoded { $0.write(1, unsigned: 150) }, [0x08, 0x96, 0x01]),
      (encoded { $0.write(2, string: "testing") }, [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]),
      (encoded { $0.write(1, signed: -1) }, [0x08, 0x01]),
      (encoded { $0.write(1, signed: 1) }, [0x08, 0x02]),
      (
        encoded { $0.write(1, signed: .min) },
        [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
      ),
      (encoded { $0.write(3, fixed: -2) }, [0x19, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      (encoded { $0.write(16, bool: true) }, [0x80, 0x01, 0x01]),
      (encoded { $0.write(4, bytes: [0, 255]) }, [0x22, 0x02, 0x00, 0xff]),
      (encoded { $0.write(3, message: { $0.write(1, unsigned: 150) }) }, [0x1a, 0x03, 0x08, 0x96, 0x01]),
      (encoded { $0.write(3, message: { _ in }) }, [0x1a, 0x00]),
      (encoded { $0.writePresent(1, string: "") }, [0x0a, 0x00]),
      (encoded { $0.writePresent(1, unsigned: 0) }, [0x08, 0x00]),
    ] as [([UInt8], [UInt8])])
  func knownEncodings(bytes: [UInt8], expected: [UInt8]) {
    expectEqual(bytes, expected)
  }

  @Test("A default value takes no bytes")
  func defaultsAreOmitted() {
    let bytes = encoded {
      $0.write(1, unsigned: 0)
      $0.write(2, signed: 0)
      $0.write(3, fixed: 0)
      $0.write(4, bool: false)
      $0.write(5, string: "")
      $0.write(6, bytes: [])
    }
    #expect(bytes.isEmpty)
  }

  @Test("Bytes that come next are taken at once, whatever the length of their tag", arguments: [1, 15, 16, 18, 2_047])
  func bytesInOrder(number: Int) throws {
    let bytes = encoded { $0.write(number, bytes: [7, 8]) }
    let taken = try WireReader.decode(bytes) { (reader) throws(WireError) -> [UInt8]? in
      guard try reader.rawBytes(ifNext: number - 1) == nil, try reader.rawBytes(ifNext: number + 1) == nil else {
        return nil
      }
      let value = try reader.rawBytes(ifNext: number).map { [UInt8]($0) }
      return reader.isAtEnd ? value : nil
    }
    expectEqual(taken, [7, 8])
  }

  @Test("Every number survives, at each length of a varint")
  func varintsRoundTrip() throws {
    for shift in 0..<64 {
      for delta: UInt64 in [0, 1, .max] {
        let value = (UInt64(1) << UInt64(shift)) &+ delta
        let signed = Int64(bitPattern: value)
        for field in [1, 16, 2048, 536_870_911] {
          let tag = varint(UInt64(field) << 3)
          expectEqual(encoded { $0.writePresent(field, unsigned: value) }, tag + varint(value))
        }
        let bytes = encoded {
          $0.writePresent(1, unsigned: value)
          $0.writePresent(2, signed: signed)
          $0.write(3, fixed: signed)
        }
        try WireReader.decode(bytes) { (reader) throws(WireError) in
          var fixed: Int64 = 0
          while let field = try reader.nextField() {
            switch field.number {
            case 1: try expectEqual(reader.unsigned(field), value)
            case 2: try expectEqual(reader.signed(field), signed)
            default: fixed = try reader.fixed(field)
            }
          }
          expectEqual(fixed, signed)
        }
      }
    }
  }

  /// The shortest varint, byte by byte.
  private func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(truncatingIfNeeded: value) | 0x80] + varint(value >> 7)
  }

  @Test(
    "A message of any length is framed by its length",
    arguments: [0, 1, 127, 128, 16_383, 16_384, 70_000, 2_097_152])
  func messageLengths(count: Int) throws {
    let content = [UInt8](repeating: 7, count: count)
    let bytes = encoded { $0.write(5, message: { $0.write(1, bytes: content) }) }
    let found = try WireReader.decode(bytes) { (reader) throws(WireError) -> [UInt8] in
      guard let field = try reader.nextField() else { return [] }
      return try reader.message(field) { (inner) throws(WireError) -> [UInt8] in
        guard let field = try inner.nextField() else { return [] }
        return try inner.bytes(field)
      }
    }
    expectEqual(found, content)
  }

  @Test("A message that may be left out takes no bytes when it is empty, and otherwise those of any message")
  func messageUnlessEmpty() {
    #expect(encoded { $0.writeUnlessEmpty(3, message: { $0.write(1, unsigned: 0) }) }.isEmpty)
    for count in [1, 127, 128, 20_000] {
      let content = [UInt8](repeating: 7, count: count)
      expectEqual(
        encoded { $0.writeUnlessEmpty(3, message: { $0.append(encoded: content) }) },
        encoded { $0.write(3, message: { $0.append(encoded: content) }) })
    }
  }

  @Test(
    "What was written is shown in place as it is copied, also in a writer that is used again, and copies are parted")
  func bytesInPlace() {
    var writer = WireWriter()
    #expect(writer.isEmpty && writer.withBytes { $0.isEmpty } && writer.bytes.isEmpty)
    for length in [200, 0, 7, 64, 3_000] {
      writer.removeAll()
      #expect(writer.isEmpty)
      writer.write(1, message: { $0.writePresent(2, string: String(repeating: "é", count: length)) })
      let earlier = writer
      let bytes = writer.bytes
      writer.write(3, fixed: 5)
      writer.append(encoded: (1...9).lazy.map { UInt8($0) })
      #expect(!writer.isEmpty && earlier.bytes == bytes && earlier.withBytes { [UInt8]($0) } == bytes)
      let added: [UInt8] = [0x19, 5, 0, 0, 0, 0, 0, 0, 0] + Array(1...9)
      #expect(writer.bytes == bytes + added && writer.withBytes { [UInt8]($0) } == bytes + added)
    }
  }

  @Test("A writer holds the bytes that were written, and no others", arguments: 0..<20)
  func heldBytes(count: Int) {
    var writer = WireWriter()
    writer.append(encoded: (0..<count).lazy.map { UInt8($0) })
    let bytes = writer.bytes
    #expect(bytes.withUnsafeBytes { writer.holds($0) })
    #expect(!(bytes + [0]).withUnsafeBytes { writer.holds($0) })
    #expect(count == 0 || !bytes.dropLast().withUnsafeBytes { writer.holds($0) })
    for place in bytes.indices {
      var changed = bytes
      changed[place] ^= 0x80
      #expect(!changed.withUnsafeBytes { writer.holds($0) }, "byte \(place)")
    }
  }

  @Test(
    "Nothing inside an embedded message extends past its end, whatever its bytes",
    arguments: [
      ([0x80], "byte 2: the message ends in the middle of a value"),
      ([0x08], "byte 3: the message ends in the middle of a value"),
      ([0x08, 0x80], "byte 3: the message ends in the middle of a value"),
      ([0x08, 0x80, 0x80], "byte 3: the message ends in the middle of a value"),
      ([0x11, 1, 2, 3], "byte 3: the message ends in the middle of a value"),
      ([0x1a, 1], "byte 2: the message ends in the middle of a value"),
      ([0x1a, 0x80], "byte 3: the message ends in the middle of a value"),
      ([0x25, 1, 2, 3], "byte 3: the message ends in the middle of a value"),
    ])
  func embeddedEnd(inner: [UInt8], expected: String) {
    let bytes = [0x0a, UInt8(inner.count)] + inner + [UInt8](repeating: 1, count: 16)
    let error = #expect(throws: WireError.self) {
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        guard let field = try reader.nextField() else { return }
        try reader.message(field) { (inner) throws(WireError) in
          while let field = try inner.nextField() { try inner.skip(field) }
        }
      }
    }
    expectEqual(error?.description, expected)
  }

  @Test("Unknown fields are copied unchanged")
  func unknownFieldsSurvive() throws {
    let bytes = encoded {
      $0.write(1, unsigned: 300)
      $0.write(2, fixed: 9)
      $0.write(3, string: "text")
      $0.append(encoded: [0x25, 1, 2, 3, 4])  // field 4, fixed32
    }
    var copy: [UInt8] = []
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      while let field = try reader.nextField() { copy += try reader.skipCopying(field) }
    }
    expectEqual(copy, bytes)
  }

  @Test(
    "Malformed messages are refused with the place and the reason",
    arguments: [
      ([0x80], "byte 0: the message ends in the middle of a value"),
      ([0x08], "byte 1: the message ends in the middle of a value"),
      ([0x00], "byte 0: a tag has field number 0"),
      ([0x0b], "byte 0: a tag has wire type 3, which is not in use"),
      ([0x0c], "byte 0: a tag has wire type 4, which is not in use"),
      ([0x0e], "byte 0: a tag has wire type 6, which is not in use"),
      ([0x12, 0x05, 0x61], "byte 0: the message ends in the middle of a value"),
      (
        [0x12, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        "byte 0: the message ends in the middle of a value"
      ),
      (
        [0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
        "byte 1: a number has more bytes than 64 bits need"
      ),
      ([0x11, 1, 2, 3], "byte 1: the message ends in the middle of a value"),
      ([0x25, 1, 2], "byte 1: the message ends in the middle of a value"),
      (
        [0xf8, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x00],
        "byte 0: a number has more bytes than 64 bits need"
      ),
    ] as [([UInt8], String)])
  func malformed(bytes: [UInt8], expected: String) {
    let error = #expect(throws: WireError.self) {
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        while let field = try reader.nextField() { try reader.skip(field) }
      }
    }
    expectEqual(error?.description, expected)
  }

  @Test("A value of the wrong kind names its field")
  func wrongTypes() {
    func message(_ bytes: [UInt8], _ read: (inout WireReader, WireReader.Field) throws(WireError) -> Void) -> String? {
      let error = #expect(throws: WireError.self) {
        try WireReader.decode(bytes) { (reader) throws(WireError) in
          while let field = try reader.nextField() { try read(&reader, field) }
        }
      }
      return error?.description
    }
    expectEqual(
      message([0x08, 1]) { (reader, field) throws(WireError) in _ = try reader.string(field) },
      "byte 0: field 1 has a different wire type from its schema")
    expectEqual(
      message([0x0a, 2, 0xc3, 0x28]) { (reader, field) throws(WireError) in _ = try reader.string(field) },
      "byte 0: field 1 is not UTF-8")
    expectEqual(
      message([0x08, 0x80, 0x02]) { (reader, field) throws(WireError) in _ = try reader.unsigned(field, as: UInt8.self)
      }, "byte 0: field 1 holds a value outside its range")
  }

  @Test("An error inside an embedded message is placed in the outermost one")
  func nestedOffset() {
    let bytes: [UInt8] = [0x08, 0x01, 0x1a, 0x02, 0x00, 0x00]
    let error = #expect(throws: WireError.self) {
      try WireReader.decode(bytes) { (reader) throws(WireError) in
        while let field = try reader.nextField() {
          if field.number == 3 {
            try reader.message(field) { (inner) throws(WireError) in _ = try inner.nextField() }
          } else {
            try reader.skip(field)
          }
        }
      }
    }
    expectEqual(error, WireError(.fieldNumberZero, at: 4))
  }

  @Test("Numbers without tags are varints, and a length among them says how many bytes are a part")
  func untagged() throws {
    let numbers: [UInt64] = [0, 127, 128, 1 << 35, 1 << 56, .max]
    var part = WireWriter()
    for number in numbers { part.append(number: number) }
    let bytes = encoded {
      $0.append(number: UInt64(part.count))
      $0.append(encoded: part.bytes)
      $0.append(number: 300)
    }
    expectEqual(Array(bytes.suffix(2)), [0xac, 0x02])
    try WireReader.decode(bytes) { (reader) throws(WireError) in
      var inner = try reader.part()
      for number in numbers { expectEqual(try inner.number(), number) }
      #expect(inner.isAtEnd)
      expectEqual(try reader.number(), 300)
      #expect(reader.isAtEnd)
    }
    let error = #expect(throws: WireError.self) {
      try WireReader.decode([5, 1]) { (reader) throws(WireError) in _ = try reader.part() }
    }
    expectEqual(error, WireError(.truncated, at: 0))
  }

  @Test("No bytes make the reader trap or hang", arguments: [UInt64(1), 2, 3])
  func arbitraryBytes(seed: UInt64) {
    var state = seed
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<(state >> 59) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 33))
      }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let count = bytes.count
      try? WireReader.decode(bytes) { (reader) throws(WireError) in
        while let field = try reader.nextField() {
          try reader.skip(field)
          #expect(reader.offset <= count)
        }
        #expect(reader.isAtEnd)
      }
    }
  }
}

private func encoded(_ write: (inout WireWriter) -> Void) -> [UInt8] {
  var writer = WireWriter()
  write(&writer)
  return writer.bytes
}
