import Testing

@testable import Journal

extension PagePlacesTests {
  /// What records and headers say.
  static let records: [Place] =
    [5, 1 << 63, UInt64.max].map { number in
      Place("the shared sequence and the parent's chain value mean nothing, whatever they are", "\(number)") {
        try $0.resealIdentity { $0.set(number, at: 64) }
        return []
      }
    } + [
      Place("a record with a greater one does not verify", "a fork with 2⁶³", .fork) {
        try $0.resealIdentity { $0.set(Format.numberLimit, at: 64) }
        return ["indexDamaged JOURNAL"]
      },
      Place("a size that is not a multiple of 8", "JOURNAL") { forgery in
        forgery["JOURNAL"] += [0, 0, 0, 0]
        try forgery.reseal("JOURNAL", size: 164) { $0.set(UInt32(164), at: 12) }
        return ["indexDamaged JOURNAL"]
      },
      Place("a size that is not a multiple of 8", "a segment, which has no room for it") { forgery in
        let name = forgery.segments[1]
        try forgery.reseal(name, size: 228) { $0.set(UInt32(228), at: 12) }
        return ["indexDamaged segment 2", "indexDamaged segment 2"]
      },
      Place("A slot with generation 0 does not verify", "the slot of even generations") {
        try $0.resealHead(0) { $0.set(UInt64(0), at: 8) }
        return ["indexDamaged HEAD"]
      },
      Place("The generations of the two slots may differ by any number", "a thousand") {
        try $0.resealHead(0) { $0.set(UInt64(1000), at: 8) }
        return []
      },
      Place("an older receipt may claim more than the newer one: neither is damage", "an event that never was") {
        try $0.resealHead($0.olderSlot()) { slot in
          slot.set(UInt64(1 << 30), at: 24)
          slot.set(UInt64(5000), at: 32)
        }
        return []
      },
      Place("a name without incompatible flag 2", "JOURNAL") {
        try $0.resealIdentity { $0.set(UInt32(0), at: 20) }
        return ["indexDamaged JOURNAL"]
      },
      Place("or that flag without a name", "JOURNAL") {
        try $0.resealIdentity { $0.set([UInt8](repeating: 0, count: 64), at: 92) }
        return ["indexDamaged JOURNAL"]
      },
      Place("as in every header of version 1.0", "JOURNAL") { forgery in
        forgery["JOURNAL"] = Array(forgery["JOURNAL"].prefix(Format.smallestIdentitySize))
        try forgery.reseal("JOURNAL", size: Format.smallestIdentitySize) { record in
          record.set(UInt16(0), at: 10)
          record.set(UInt32(Format.smallestIdentitySize), at: 12)
        }
        return ["indexDamaged JOURNAL"]
      },
      Place("a name without incompatible flag 2", "a segment") {
        try $0.resealHeader($0.segments[1]) { $0.set(UInt32(0), at: 20) }
        return ["indexDamaged segment 2"]
      },
      Place("or that flag without a name", "a segment") {
        try $0.resealHeader($0.segments[1]) { $0.set([UInt8](repeating: 0, count: 64), at: 156) }
        return ["indexDamaged segment 2"]
      },
      Place(
        "also before the first event of a fork, or of a salvaged journal that begins later", "a salvaged one", .fork
      ) {
        try $0.resealIdentity { $0.set(UInt32(1 | 2 | 8), at: 16) }
        return []
      },
      Place("also before the first event of a fork, or of a salvaged journal that begins later", "another value", .fork)
      {
        try $0.resealHeader($0.segments[0]) { $0.set(UInt8(1), at: 88) }
        return ["indexDamaged segment 1", "indexDamaged segment 1"]
      },
    ]

  /// Where the history and its segments begin and end.
  static let ends: [Place] =
    [1 << 20, 1 << 30, 1 << 62].map { length in
      Place("that the next header states a greater valid length, whatever durable length it states", "\(length)") {
        try $0.resealHeader($0.segments[2]) { $0.set(UInt64(length), at: 64) }
        return ["indexDamaged segment 2"]
      }
    } + [
      Place(
        "that the next header states a greater valid length, whatever durable length it states",
        "after a segment without its footer"
      ) {
        let footer = try #require($0.frames($0.segments[1]).first { $0.type == .footer })
        let length = UInt64(footer.offset)
        $0[$0.segments[1]].removeSubrange(footer.offset...)
        try $0.resealHeader($0.segments[2]) { header in
          header.set(length + 8, at: 64)
          header.set(length, at: 72)
        }
        return ["indexDamaged segment 2"]
      },
      Place("are *index damaged* unless all are zeros", "zeros after a sealed segment") {
        $0[$0.segments[1]] += [UInt8](repeating: 0, count: 4096)
        return []
      },
      Place("are *index damaged* unless all are zeros", "other bytes after a sealed segment") {
        $0[$0.segments[1]] += [0, 0, 1]
        return ["indexDamaged segment 2"]
      },
      Place("Only zeros may follow it in the file", "a last segment that is sealed") {
        try $0.keep(3)
        $0[$0.segments[2]] += [UInt8](repeating: 0, count: 4096)
        return []
      },
      Place("Only zeros may follow it in the file", "other bytes after a last segment that is sealed") {
        try $0.keep(3)
        $0[$0.segments[2]] += [0, 0, 1]
        return ["indexDamaged segment 3"]
      },
      Place("At the end of the last segment they are judged only where nothing is missing", "a later segment") {
        let last = try $0.header($0.segments[3]).firstSequence
        for name in $0.segments[3...] { $0.remove(name) }
        $0[$0.segments[2]] += [0, 0, 1]
        $0.lost = [last...40]
        return ["tailLost segment 3"]
      },
      Place("and begins with event 1 and chain value 0, or after what a fork shares", "an earlier event", .fork) {
        try $0.resealIdentity { $0.set(UInt64(30), at: 64) }
        $0.lost = [31...51]
        return ["damaged segment 1"]
      },
      Place("and begins with event 1 and chain value 0, or after what a fork shares", "another chain value", .fork) {
        try $0.resealIdentity { $0.set(UInt32(8), at: 72) }
        return ["damaged segment 1"]
      },
      Place("and begins with event 1 and chain value 0, or after what a fork shares", "no parent", .fork) {
        try $0.resealIdentity { $0.set([UInt8](repeating: 0, count: 16), at: 48) }
        $0.lost = [1...51]
        return ["damaged segment 1"]
      },
      Place("except where `JOURNAL` does not verify or is outvoted", "a flipped bit", .fork) {
        $0["JOURNAL"][70] ^= 1
        return ["indexDamaged JOURNAL"]
      },
      Place(
        "there only the file named `KEPT` counts, as in reading", "KEPT in the place of the first segment", .several
      ) {
        let second = try $0.header($0.segments[1]).firstSequence
        $0[$0.segments[0]] = try PageForgery(.retired)["KEPT"]
        $0.lost = [1...(second - 1)]
        return ["tailLost segment 1", "indexDamaged segment 1"]
      },
    ]

  /// What does not verify, and where reading goes on.
  static let holes = [
    Place("a CATALOG frame there that does not verify is a hole like any other", "a flipped bit in both") { forgery in
      let name = forgery.segments[1]
      forgery[name][30] ^= 1
      forgery[name][Format.segmentHeaderSize + 20] ^= 1
      return ["indexDamaged segment 2", "indexDamaged segment 2"]
    },
    Place("the last event before the hole, even one of a batch that the hole cuts", "its number again", .batches) {
      forgery in
      let name = forgery.segments[0]
      let events = forgery.frames(name).filter { $0.type == .event }
      forgery[name][events[6].offset + 20] ^= 1
      let seed = Checksum.segmentSeed(sampleID, ordinal: 1)
      forgery.replace(events[7], of: name, sequence: 6, previous: 5, seed: seed)
      forgery.lost = [7...8]
      return ["damaged segment 1"]
    },
    Place("An event that would end a hole does not count, although it verifies", "one that ends none", .batches) {
      forgery in
      let name = forgery.segments[0]
      let frames = forgery.frames(name)
      let place = try #require(frames.lastIndex { $0.type == .event })
      let seed = Checksum.segmentSeed(sampleID, ordinal: 1)
      // The check of the last event is right 512 bytes earlier, too, with the value that the frame after it begins with.
      let (event, anchor) = (frames[place], frames[place + 1])
      let header = forgery[name].withUnsafeBytes { bytes in bytes.baseAddress.map { FrameHeader($0 + event.offset) } }
      let position = try #require(header).position
      let chain = forgery[name].withUnsafeBytes { bytes in
        bytes.baseAddress.map { FrameHeader($0 + anchor.offset).previous } ?? 0
      }
      func check(_ offset: Int, _ chain: UInt32) -> UInt32 {
        Checksum.frameCheck(seed: seed, offset: UInt64(offset), position: position, chain: chain)
      }
      let moved = chain ^ difference(event.offset, position, seed)
      #expect(check(event.offset, chain) == check(event.offset - 512, moved) && moved != chain)
      forgery.replace(anchor, of: name, sequence: 10, previous: moved, seed: seed)
      return ["damaged segment 1", "indexDamaged segment 1"]
    },
  ]

  /// How two chain values differ with which a check is right at a place, and 512 bytes before it.
  private static func difference(_ offset: Int, _ position: UInt32, _ seed: UInt32) -> UInt32 {
    func state(_ offset: Int) -> UInt32 {
      var record = FixedRecord(size: 12)
      record.set(UInt64(offset), at: 0)
      record.set(position, at: 8)
      return Checksum.crc32(seed, record.bytes)
    }
    return state(offset) ^ state(offset - 512)
  }
}
