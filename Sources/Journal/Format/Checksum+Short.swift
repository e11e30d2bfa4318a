extension Checksum {
  /// Up to this many bytes, ``short(_:_:count:)`` takes less time than zlib.
  ///
  /// zlib 1.2.13 takes five words at a time from aligned places and the rest byte by byte, which is most of a frame: it needs
  /// 160 ns for 56 bytes, and these tables need 35.
  static let shortLength = 512

  /// For each of sixteen places, the last one first, what a byte there adds to the checksum (in exclusive or): 16 KiB that are
  /// computed once. Each table is the one before with another zero byte behind its byte.
  ///
  /// Unsafe only as a pointer: nothing writes here after this.
  nonisolated(unsafe) private static let tables: UnsafePointer<UInt32> = {
    let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 16 << 8)
    for byte in 0..<256 {
      var sum = UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xEDB8_8320 }
      (tables + byte).initialize(to: sum)
    }
    for index in 256..<(16 << 8) {
      let sum = tables[index - 256]
      (tables + index).initialize(to: sum >> 8 ^ tables[Int(sum & 0xFF)])
    }
    return UnsafePointer(tables)
  }()

  /// What ``crc32(_:_:)`` gives, from tables ("slicing by 16": Kounavis and Berry, 2005).
  static func short(_ start: UInt32, _ bytes: UnsafeRawPointer, count: Int) -> UInt32 {
    let tables = tables
    var state = ~start
    var place = bytes
    let end = bytes + count
    if end - place >= 16 {
      // Three quarters of the bytes do not wait for the state: they are looked up one step ahead.
      var rest = sum(ofRestAt: place, tables)
      while end - place >= 32 {
        let next = sum(ofRestAt: place + 16, tables)
        state = sum(of: state ^ word(at: place), before: 12, tables) ^ rest
        rest = next
        place += 16
      }
      state = sum(of: state ^ word(at: place), before: 12, tables) ^ rest
      place += 16
    }
    while end - place >= 4 {
      state = sum(of: state ^ word(at: place), before: 0, tables)
      place += 4
    }
    while place < end {
      state = state >> 8 ^ tables[Int((state ^ UInt32(place.load(as: UInt8.self))) & 0xFF)]
      place += 1
    }
    return ~state
  }

  @inline(__always)
  private static func word(at place: UnsafeRawPointer) -> UInt32 {
    UInt32(littleEndian: place.loadUnaligned(as: UInt32.self))
  }

  /// What the last twelve of sixteen bytes add to the checksum.
  @inline(__always)
  private static func sum(ofRestAt place: UnsafeRawPointer, _ tables: UnsafePointer<UInt32>) -> UInt32 {
    sum(of: word(at: place + 4), before: 8, tables) ^ sum(of: word(at: place + 8), before: 4, tables)
      ^ sum(of: word(at: place + 12), before: 0, tables)
  }

  /// What four bytes add to the checksum when `count` bytes follow them.
  @inline(__always)
  private static func sum(of word: UInt32, before count: Int, _ tables: UnsafePointer<UInt32>) -> UInt32 {
    @inline(__always)
    func entry(_ index: Int) -> UInt32 { tables[(count + 3 - index) << 8 + Int(word >> (8 * UInt32(index)) & 0xFF)] }
    return (entry(0) ^ entry(1)) ^ (entry(2) ^ entry(3))
  }
}
