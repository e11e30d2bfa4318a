import CZlib

/// A zip file as it is written where nothing can be sought in: lengths follow the entries, and it has no directory.
/// Written from the description of the format (APPNOTE.TXT), so that it can say what no writer would.
struct StreamedZip {
  /// What a header says of an entry, whatever is true.
  struct Entry {
    var name: String
    /// The bytes before compression.
    var content: [UInt8]
    /// The sizes in the header. Those of an entry whose length follows it are 0.
    var stated: (compressed: UInt32, plain: UInt32) = (0, 0)
    /// The type of file and its mode, in the extra field with which libarchive says so in front of an entry.
    var mode: UInt16?
  }

  private(set) var bytes: [UInt8] = []

  init(_ entries: [Entry]) {
    for entry in entries { add(entry) }
    // libarchive expects 24 bytes after an entry: here, the beginning of a directory that was cut.
    bytes += [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 24)
  }

  private mutating func add(_ entry: Entry) {
    let packed = Self.deflated(entry.content)
    let checksum = UInt32(truncatingIfNeeded: crc32(0, entry.content, UInt32(entry.content.count)))
    var extra: [UInt8] = []
    if let mode = entry.mode {
      // 0x6c78: which fields follow (2: version, 4: external attributes), the system (3: Unix), and the attributes.
      let body: [UInt8] = [5] + Self.little(UInt16(3 << 8)) + Self.little(UInt32(mode) << 16)
      extra = Self.little(UInt16(0x6C78)) + Self.little(UInt16(body.count)) + body
    }
    bytes += [0x50, 0x4B, 3, 4] + Self.little(UInt16(20)) + Self.little(UInt16(8)) + Self.little(UInt16(8))
    bytes += [0, 0, 0x21, 0] + Self.little(UInt32(0))
    bytes += Self.little(entry.stated.compressed) + Self.little(entry.stated.plain)
    bytes +=
      Self.little(UInt16(entry.name.utf8.count)) + Self.little(UInt16(extra.count)) + Array(entry.name.utf8) + extra
    bytes += packed
    bytes += [0x50, 0x4B, 7, 8] + Self.little(checksum) + Self.little(UInt32(packed.count))
    bytes += Self.little(UInt32(truncatingIfNeeded: entry.content.count))
  }

  private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func deflated(_ content: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    deflateInit2_(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    var (content, packed) = (content, [UInt8](repeating: 0, count: content.count / 500 + content.count + 64))
    content.withUnsafeMutableBufferPointer { input in
      packed.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        _ = deflate(&stream, Z_FINISH)
      }
    }
    packed.removeLast(Int(stream.avail_out))
    deflateEnd(&stream)
    return packed
  }
}
