import CZlib

/// Puts right checksums into bytes that were changed, so that readers look at what the checksums cover.
///
/// Written from the description of the file format, and not with the code that is tested.
struct ChecksumRepair: OptionSet {
  let rawValue: UInt8

  /// Headers of segments, JOURNAL, HEAD's slots, KEPT, checkpoints, pages of KEYFRAMES.
  static let records = ChecksumRepair(rawValue: 1)
  /// The checks of frames that keep their length and type, and of trailers.
  static let frames = ChecksumRepair(rawValue: 2)
  /// What frames say of the frame before them: chain values and numbers. Needs `frames`.
  static let continuity = ChecksumRepair(rawValue: 4)
  /// What anchors say of their blocks. Needs `continuity`: frames in a block whose checksum is right are believed.
  static let blocks = ChecksumRepair(rawValue: 8)

  static func crc(_ start: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.withUnsafeBytes { buffer in
      UInt32(
        truncatingIfNeeded: crc32(
          UInt(start), buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(buffer.count)))
    }
  }

  static func crc(_ start: UInt32, _ bytes: [UInt8]) -> UInt32 { crc(start, bytes[...]) }

  /// Repairs the files of a directory.
  func apply(to files: inout [String: [UInt8]]) {
    let id = Array((files["JOURNAL"] ?? []).dropFirst(24).prefix(16))
    for name in files.keys.sorted() {
      guard var bytes = files[name] else { continue }
      if contains(.records) { repairRecord(&bytes, name, id) }
      if contains(.frames), name.hasSuffix(".seg") { repairFrames(&bytes) }
      files[name] = bytes
    }
  }

  private func repairRecord(_ bytes: inout [UInt8], _ name: String, _ id: [UInt8]) {
    switch name {
    case "HEAD":
      for start in [0, 512] where bytes.count >= start + 64 {
        bytes.put(Self.crc(Self.crc(0, id), bytes[start..<start + 60]), at: start + 60)
      }
    case "KEPT" where bytes.count >= 72: bytes.put(Self.crc(0, bytes[..<68]), at: 68)
    case "KEYFRAMES": repairKeyframes(&bytes)
    case _ where name.hasSuffix(".ckpt"):
      guard bytes.count >= 72 else { return }
      bytes.put(UInt64(bytes.count - 72), at: 48)
      bytes.put(Self.crc(0, bytes[72...]), at: 60)
      bytes.put(Self.crc(0, bytes[..<68]), at: 68)
    case _ where name == "JOURNAL" || name.hasSuffix(".seg"):
      guard bytes.count >= 24 else { return }
      let size = Int(bytes.word(at: 12))
      guard size >= 24, size <= bytes.count, size <= 4096 else { return }
      bytes.put(Self.crc(0, bytes[..<(size - 4)]), at: size - 4)
    default: return
    }
  }

  private func repairKeyframes(_ bytes: inout [UInt8]) {
    let pages = bytes.count / 4096
    for page in 0..<pages {
      let start = page * 4096
      let length = Int(bytes.word(at: start + 56))
      let count = (length + 4015) / 4016
      if Int(bytes.word(at: start + 40)) == page, page + count <= pages {
        let parts = (page..<page + count).map { (page: Int) -> ArraySlice<UInt8> in
          let start = page * 4096
          return bytes[(start + 80)..<(start + 4096)]
        }
        let body = Array(parts.joined().prefix(length))
        for other in page..<page + count { bytes.put(Self.crc(0, body), at: other * 4096 + 64) }
      }
      bytes.put(Self.crc(0, bytes[start..<start + 76]), at: start + 76)
    }
  }

  private func repairFrames(_ bytes: inout [UInt8]) {
    guard bytes.count >= 128 else { return }
    let size = Int(bytes.word(at: 12))
    guard size % 8 == 0, size >= 128, size <= min(4096, bytes.count) else { return }
    let seed = Self.crc(Self.crc(0, bytes[24..<40]), bytes[40..<48])
    var offset = size
    var chain = bytes.word(at: 56)
    var sequence = bytes.word(at: 48) &- 1
    var block = (start: offset, count: UInt32(0))
    while offset + 16 <= bytes.count {
      let kind = bytes.word(at: offset + 12)
      let length = Int(kind & 0xFF_FFFF)
      let type = kind >> 24
      let end = (offset + 16 + length + 7) & ~7
      guard type > 0, type < 64, length <= 8 << 20, end <= bytes.count else {
        // A trailer, or nothing that can be helped.
        if offset + 24 <= bytes.count { bytes.put(Self.crc(seed, bytes[offset..<offset + 20]), at: offset + 20) }
        return
      }
      for place in offset + 16 + length..<end { bytes[place] = 0 }
      if type == 1 { sequence &+= 1 }
      if contains(.continuity) {
        let flags = bytes.word(at: offset + 4) & 0xC000_0000
        bytes.put(sequence & 0x3FFF_FFFF | (type == 1 ? flags : 0x4000_0000), at: offset + 4)
        bytes.put(chain, at: offset + 8)
      }
      if type == 2, length >= 72, contains([.blocks, .continuity]) {
        bytes.put(UInt64(block.start), at: offset + 16)
        bytes.put(block.count, at: offset + 24)
        bytes.put(Self.crc(0, bytes[block.start..<offset]), at: offset + 28)
        bytes.put(chain, at: offset + 32)
      }
      let after = Self.crc(bytes.word(at: offset + 8), bytes[offset + 12..<offset + 16 + length])
      var covered = [UInt8](repeating: 0, count: 16)
      covered.put(UInt64(offset), at: 0)
      covered.put(bytes.word(at: offset + 4), at: 8)
      covered.put(after, at: 12)
      bytes.put(Self.crc(seed, covered), at: offset)
      if type == 1 {
        chain = after
        block.count += 1
      }
      if type == 2 { block = (end, 0) }
      offset = end
    }
  }
}

extension [UInt8] {
  /// Four bytes, little endian. The caller has made sure that they are there.
  func word(at offset: Int) -> UInt32 {
    UInt32(self[offset]) | UInt32(self[offset + 1]) << 8 | UInt32(self[offset + 2]) << 16 | UInt32(self[offset + 3])
      << 24
  }

  /// Overwrites bytes with a number, little endian. The caller has made sure that they are there.
  mutating func put<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
    for index in 0..<MemoryLayout<Value>.size {
      self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index))
    }
  }
}
