/// Executables with a signature and no code, written from the descriptions of their formats (`mach-o/loader.h`,
/// `mach-o/fat.h`, `kern/cs_blobs.h`).
package enum SignedExecutable {
  /// For one processor: the load commands of a segment and of the signature, room for code, and the signature.
  ///
  /// - Parameters:
  ///   - entitlements: What the signature has in XML; `nil` for one without entitlements.
  ///   - isLong: Whether the processor has 64 bits.
  package static func thin(_ entitlements: String?, isLong: Bool = true) -> [UInt8] {
    let signature = signature(entitlements)
    let segment = little(0x19) + little(72) + [UInt8](repeating: 0, count: 64)
    let start = (isLong ? 32 : 28) + segment.count + 16 + 64
    let commands = segment + little(0x1D) + little(16) + little(start) + little(signature.count)
    var file = little(isLong ? 0xFEED_FACF : 0xFEED_FACE) + little(0x0100_000C) + little(0) + little(2)
    file += little(2) + little(commands.count) + little(0) + (isLong ? little(0) : [])
    return file + commands + [UInt8](repeating: 0xD5, count: 64) + signature
  }

  /// For several processors.
  package static func fat(_ slices: [[UInt8]], isLong: Bool = false) -> [UInt8] {
    var offset = 8 + slices.count * (isLong ? 32 : 20)
    var (table, code): ([UInt8], [UInt8]) = ([], [])
    for slice in slices {
      let numbers = [offset, slice.count].flatMap { isLong ? big(0) + big($0) : big($0) }
      table += big(0x0100_000C) + big(0) + numbers + big(14) + (isLong ? big(0) : [])
      code += slice
      offset += slice.count
    }
    return big(isLong ? 0xCAFE_BABF : 0xCAFE_BABE) + big(slices.count) + table + code
  }

  private static func signature(_ entitlements: String?) -> [UInt8] {
    var blobs: [(slot: Int, bytes: [UInt8])] = [(0, big(0xFADE_0C02) + big(16) + big(0x20400) + big(0))]
    if let entitlements {
      let text = Array(entitlements.utf8)
      blobs += [(5, big(0xFADE_7171) + big(8 + text.count) + text), (7, big(0xFADE_7172) + big(10) + [0x70, 0])]
    }
    var offset = 12 + 8 * blobs.count
    var (index, content): ([UInt8], [UInt8]) = ([], [])
    for blob in blobs {
      index += big(blob.slot) + big(offset)
      content += blob.bytes
      offset += blob.bytes.count
    }
    return big(0xFADE_0CC0) + big(offset) + big(blobs.count) + index + content
  }

  private static func big(_ number: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
  }

  private static func little(_ number: Int) -> [UInt8] { big(number).reversed() }
}
