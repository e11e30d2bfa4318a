/// Reads a fuzzer's input as a choice of a journal and a list of changes to its files.
///
/// Short inputs mean small changes, so that the fuzzer's own mutations are changes to a sound journal, and not to noise.
struct EditScript {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }
  mutating func number() -> Int { byte() << 8 | byte() }

  /// Applies the changes. Returns which checksums are to be put right afterwards.
  mutating func run(on files: inout [String: [UInt8]]) -> ChecksumRepair {
    let repair = ChecksumRepair(rawValue: UInt8(byte() & 15))
    var changes = 0
    while !bytes.isEmpty, changes < 24 {
      change(&files)
      changes += 1
    }
    return repair
  }

  private mutating func change(_ files: inout [String: [UInt8]]) {
    let kind = byte()
    let names = files.keys.sorted()
    guard !names.isEmpty else { return }
    let name = names[byte() % names.count]
    var file = files[name] ?? []
    // Places are counted from the end too, where the interesting things are.
    let offset =
      file.isEmpty ? 0 : (kind & 0x80 == 0 ? number() : file.count - number() % (file.count + 1)) % (file.count + 1)
    switch kind % 12 {
    case 0: if offset < file.count { file[offset] ^= 1 << UInt8(byte() & 7) }
    case 1: if offset < file.count { file[offset] = UInt8(byte()) }
    case 2:
      for place in offset..<min(offset + byte() % 9, file.count) { file[place] = UInt8(byte()) }
    case 3: file.removeLast(file.count - offset)
    case 4: file.removeSubrange(offset..<min(offset + number() % 2048, file.count))
    case 5: file.insert(contentsOf: (0..<byte() % 64).map { _ in 0 }, at: offset)
    case 6:
      let source = files[names[byte() % names.count]] ?? []
      let start = min(number(), source.count)
      let part = source[start..<min(start + number() % 1024, source.count)]
      let end = min(offset + part.count, file.count)
      file.replaceSubrange(offset..<end, with: part)
    case 7: for place in offset..<min(offset + number() % 4096, file.count) { file[place] = 0 }
    case 8:
      files[name] = nil
      return
    case 9:
      // A copy or a move under another segment's or checkpoint's name.
      let digits = String(number() % 64)
      let copy = String(repeating: "0", count: 20 - digits.count) + digits + (byte() & 1 == 0 ? ".seg" : ".ckpt")
      files[copy] = file
      return
    case 10:
      let other = names[byte() % names.count]
      files[name] = files[other]
      files[other] = file
      return
    default:
      // A number in a field of eight bytes.
      let value = [0, 1, .max, 1 << 63, 1 << 62, 0xFFFF_FFFF, UInt64(byte()), UInt64(number())][byte() % 8]
      if offset + 8 <= file.count { file.put(value, at: offset & ~7) }
    }
    if file.count < 1 << 20 { files[name] = file }
  }
}
