import Journal

/// Archives with stored files, written from the descriptions of their formats (POSIX ustar, APPNOTE.TXT).
enum ArchiveSamples {
  typealias File = (name: String, bytes: [UInt8])

  static func tar(_ files: [File]) -> [UInt8] {
    var tar: [UInt8] = []
    for file in files {
      var header = [UInt8](repeating: 0, count: 512)
      func put(_ text: String, at place: Int) {
        for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
      }
      func octal(_ number: Int) -> String {
        let digits = String(number, radix: 8)
        return String(repeating: "0", count: 11 - digits.count) + digits
      }
      put(String(file.name.prefix(99)), at: 0)
      put("0000644", at: 100)
      put(octal(file.bytes.count), at: 124)
      put("        0", at: 148)
      put("ustar\u{0}00", at: 257)
      put("\(octal(header.reduce(0) { $0 + Int($1) }).suffix(6))\u{0} ", at: 148)
      tar += header + file.bytes + [UInt8](repeating: 0, count: (512 - file.bytes.count % 512) % 512)
    }
    return tar + [UInt8](repeating: 0, count: 1024)
  }

  /// With a directory at its end.
  static func zip(_ files: [File]) -> [UInt8] {
    var (zip, directory): ([UInt8], [UInt8]) = ([], [])
    for file in files {
      let fields = fields(of: file, flags: 0, sizes: true) + little(UInt16(0))
      directory += [0x50, 0x4B, 1, 2, 20, 3] + fields
      directory += [UInt8](repeating: 0, count: 6) + little(UInt32(0o100644) << 16) + little(UInt32(zip.count))
      directory += Array(file.name.utf8)
      zip += [0x50, 0x4B, 3, 4] + fields + Array(file.name.utf8) + file.bytes
    }
    let count = little(UInt16(files.count))
    return zip + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count + little(UInt32(directory.count))
      + little(UInt32(zip.count)) + [0, 0]
  }

  /// Without a directory, and with the lengths after the files, which are deflated in one stored block.
  static func streamedZip(_ files: [File]) -> [UInt8] {
    var zip: [UInt8] = []
    for file in files {
      let length = UInt16(truncatingIfNeeded: file.bytes.count)
      let packed = [1] + little(length) + little(~length) + file.bytes
      var fields = fields(of: file, flags: 8, sizes: false)
      fields[4] = 8
      zip += [0x50, 0x4B, 3, 4] + fields + little(UInt16(0)) + Array(file.name.utf8) + packed
      zip += [0x50, 0x4B, 7, 8] + little(ChecksumRepair.crc(0, file.bytes)) + little(UInt32(packed.count))
      zip += little(UInt32(file.bytes.count))
    }
    return zip + [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 24)
  }

  /// From the version that is needed to the length of the name.
  private static func fields(of file: File, flags: UInt16, sizes: Bool) -> [UInt8] {
    let size = sizes ? UInt32(file.bytes.count) : 0
    var fields = little(UInt16(20)) + little(flags) + little(UInt16(0)) + [0, 0, 0x21, 0]
    fields += little(sizes ? ChecksumRepair.crc(0, file.bytes) : 0) + little(size) + little(size)
    return fields + little(UInt16(file.name.utf8.count))
  }

  private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<MemoryLayout<Value>.size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
