/// Finds the entitlements in the signature of an app's executable: a Mach-O file, thin or with code for several processors.
///
/// Layout: `mach-o/loader.h`, `mach-o/fat.h` and `kern/cs_blobs.h` of Apple's open source. Every offset and count is checked
/// before use, and only the headers, the load commands and the entitlements are read.
public struct CodeSignature {
  private let size: Int
  private let read: (_ offset: Int, _ count: Int) -> [UInt8]?

  private static let mostProcessors = 64
  private static let mostCommands = 10_000
  private static let mostCommandBytes = 4 << 20
  private static let mostBlobs = 1000
  private static let mostEntitlementBytes = 1 << 20

  /// The entitlements, as a property list in XML; `nil` if the executable has no signature, or none in it. Of code for several
  /// processors, the first that has any counts.
  ///
  /// - Parameters:
  ///   - size: The length of the file.
  ///   - read: Reads bytes of the file; `nil` where that fails.
  /// - Throws: ``CodeSignatureError`` with the place of the first error.
  public static func entitlements(
    size: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]?
  ) throws(CodeSignatureError) -> [UInt8]? {
    let file = CodeSignature(size: size, read: read)
    for slice in try file.slices() {
      guard let entitlements = try file.entitlements(in: slice) else { continue }
      return entitlements
    }
    return nil
  }

  /// The entitlements in the signature of an executable in memory.
  public static func entitlements(in bytes: [UInt8]) throws(CodeSignatureError) -> [UInt8]? {
    try entitlements(size: bytes.count) { offset, count in Array(bytes[offset..<offset + count]) }
  }

  // MARK: The file

  /// The code for each processor.
  private func slices() throws(CodeSignatureError) -> [Range<Int>] {
    let whole = 0..<size
    let header = try bytes("the header", at: 0, count: 8, in: whole)
    let magic = Self.big(header, at: 0)
    guard magic == 0xCAFE_BABE || magic == 0xCAFE_BABF else { return [whole] }
    let count = Int(Self.big(header, at: 4))
    guard count <= Self.mostProcessors else {
      throw CodeSignatureError(4, "the file claims code for \(count) processors, more than \(Self.mostProcessors)")
    }
    let isLong = magic == 0xCAFE_BABF
    let length = isLong ? 32 : 20
    let table = try bytes("the table of processors", at: 8, count: UInt64(count * length), in: whole)
    var slices: [Range<Int>] = []
    for place in stride(from: 0, to: table.count, by: length) {
      let offset = isLong ? Self.long(table, at: place + 8) : UInt64(Self.big(table, at: place + 8))
      let size = isLong ? Self.long(table, at: place + 16) : UInt64(Self.big(table, at: place + 12))
      slices.append(try part("the code for a processor", at: offset, count: size, in: whole))
    }
    return slices
  }

  private func entitlements(in slice: Range<Int>) throws(CodeSignatureError) -> [UInt8]? {
    let header = try bytes("the header", at: 0, count: 28, in: slice)
    let magic = Self.little(header, at: 0)
    guard magic == 0xFEED_FACE || magic == 0xFEED_FACF else {
      throw CodeSignatureError(slice.lowerBound, "this is not a Mach-O file")
    }
    let (count, length) = (Int(Self.little(header, at: 16)), Int(Self.little(header, at: 20)))
    guard count <= Self.mostCommands, length <= Self.mostCommandBytes else {
      throw CodeSignatureError(
        slice.lowerBound + 16, "the file claims \(count) load commands of \(length) bytes, which is too much")
    }
    let start: UInt64 = magic == 0xFEED_FACF ? 32 : 28
    let commands = try bytes("the load commands", at: start, count: UInt64(length), in: slice)
    var place = 0
    for _ in 0..<count {
      let offset = slice.lowerBound + Int(start) + place
      guard commands.count - place >= 8 else { throw CodeSignatureError(offset, "the load commands are cut short") }
      let size = Int(Self.little(commands, at: place + 4))
      guard size >= 8, size <= commands.count - place else {
        throw CodeSignatureError(offset, "a load command claims \(size) bytes")
      }
      // LC_CODE_SIGNATURE
      if Self.little(commands, at: place) == 0x1D {
        guard size >= 16 else { throw CodeSignatureError(offset, "the command of the signature is too short") }
        let signature = try part(
          "the signature", at: UInt64(Self.little(commands, at: place + 8)),
          count: UInt64(Self.little(commands, at: place + 12)), in: slice)
        return try entitlements(ofSignature: signature)
      }
      place += size
    }
    return nil
  }

  private func entitlements(ofSignature signature: Range<Int>) throws(CodeSignatureError) -> [UInt8]? {
    let header = try bytes("the header of the signature", at: 0, count: 12, in: signature)
    guard Self.big(header, at: 0) == 0xFADE_0CC0 else {
      throw CodeSignatureError(signature.lowerBound, "the signature does not begin as one")
    }
    let count = Int(Self.big(header, at: 8))
    guard count <= Self.mostBlobs else {
      throw CodeSignatureError(
        signature.lowerBound + 8,
        "the signature claims \(count) parts, more than \(Self.mostBlobs)")
    }
    let index = try bytes("the index of the signature", at: 12, count: UInt64(count * 8), in: signature)
    // The slot of entitlements is 5.
    for place in stride(from: 0, to: index.count, by: 8) where Self.big(index, at: place) == 5 {
      let offset = UInt64(Self.big(index, at: place + 4))
      let header = try bytes("the header of the entitlements", at: offset, count: 8, in: signature)
      let length = UInt64(Self.big(header, at: 4))
      guard Self.big(header, at: 0) == 0xFADE_7171, length >= 8, length <= Self.mostEntitlementBytes else {
        throw CodeSignatureError(signature.lowerBound + Int(offset), "the entitlements do not begin as such")
      }
      return try bytes("the entitlements", at: offset + 8, count: length - 8, in: signature)
    }
    return nil
  }

  // MARK: Bytes

  /// The place of a part within another one.
  private func part(
    _ what: String, at offset: UInt64, count: UInt64, in outer: Range<Int>
  ) throws(CodeSignatureError) -> Range<Int> {
    guard offset <= UInt64(outer.count), count <= UInt64(outer.count) - offset else {
      throw CodeSignatureError(
        outer.lowerBound, "\(what) should be \(count) bytes from byte \(offset) on, beyond the end")
    }
    let start = outer.lowerBound + Int(offset)
    return start..<start + Int(count)
  }

  private func bytes(
    _ what: String, at offset: UInt64, count: UInt64, in outer: Range<Int>
  ) throws(CodeSignatureError) -> [UInt8] {
    let range = try part(what, at: offset, count: count, in: outer)
    guard let bytes = read(range.lowerBound, range.count), bytes.count == range.count else {
      throw CodeSignatureError(range.lowerBound, "\(what) cannot be read")
    }
    return bytes
  }

  private static func big(_ bytes: [UInt8], at place: Int) -> UInt32 {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func little(_ bytes: [UInt8], at place: Int) -> UInt32 { big(bytes, at: place).byteSwapped }

  private static func long(_ bytes: [UInt8], at place: Int) -> UInt64 {
    UInt64(big(bytes, at: place)) << 32 | UInt64(big(bytes, at: place + 4))
  }
}

/// Why the signature of an executable cannot be read.
public struct CodeSignatureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The byte of the file.
  public let offset: Int
  /// One sentence without a full stop.
  public let reason: String

  init(_ offset: Int, _ reason: String) { (self.offset, self.reason) = (offset, reason) }

  /// `byte 16: …`
  public var description: String { "byte \(offset): \(reason)" }
}
