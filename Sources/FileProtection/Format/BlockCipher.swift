import Cryptography

/// Seals and opens the blocks of one file, with the key that only this file has.
///
/// Not for use by several threads at a time: each takes one of its own.
final class BlockCipher {
  let cipher: AES256GCM
  private let file: [UInt8]
  private let key: KeyBytes

  private init?(key: KeyBytes, file: [UInt8]) {
    guard let cipher = AES256GCM(key: key) else { return nil }
    self.cipher = cipher
    self.key = key
    self.file = file
  }

  /// The cipher of the file with an id, whose account has this key; `nil` if the library failed.
  convenience init?(_ key: SecretKey, fileID: [UInt8]) {
    guard let derived = key.derived(salt: fileID, purpose: "policyjournal protected file") else { return nil }
    self.init(key: derived, file: Array(fileID.prefix(16)))
  }

  /// The same, for another thread.
  func copy() -> BlockCipher? { BlockCipher(key: key, file: file) }

  /// Seals contents into a block, which is ``Layout/label`` bytes longer, and returns the tag; `nil` if the library failed.
  func seal(
    _ contents: UnsafeRawBufferPointer, into block: UnsafeMutableRawBufferPointer, _ place: BlockPlace,
    generation: UInt64, nonce: ArraySlice<UInt8>
  ) -> BlockReference.Tag? {
    let label = BlockLabel(file: file, generation: generation, place: place, length: UInt32(contents.count)).bytes
    block.copyBytes(from: label)
    UnsafeMutableRawBufferPointer(rebasing: block[36...]).copyBytes(from: nonce)
    let tag = UnsafeMutableRawBufferPointer(rebasing: block[48..<64])
    let isDone = nonce.withUnsafeBytes { nonce in
      label.withUnsafeBytes { label in
        cipher.seal(
          contents, into: UnsafeMutableRawBufferPointer(rebasing: block[Layout.label...]), tag: tag, nonce: nonce,
          context: label)
      }
    }
    return isDone ? Self.tag(UnsafeRawBufferPointer(tag)) : nil
  }

  /// Opens a block that a reference leads to.
  ///
  /// - Parameters:
  ///   - block: The bytes from its first page on, as far as the file has them.
  ///   - contents: Where its contents go; as long as the reference says.
  func open(
    _ block: UnsafeRawBufferPointer, into contents: UnsafeMutableRawBufferPointer, _ place: BlockPlace,
    _ reference: BlockReference
  ) throws(BlockDamage) {
    guard block.count == Layout.label + Int(reference.length) else { throw .truncated }
    let expected = BlockLabel(file: file, generation: reference.generation, place: place, length: reference.length)
    // The inline label and tag say nothing that the reference does not: they only help to name what is wrong.
    let isRight = expected.bytes.withUnsafeBytes { label in
      label.elementsEqual(block[..<BlockLabel.byteCount])
        && withUnsafeBytes(of: (reference.tag.first.littleEndian, reference.tag.second.littleEndian)) { tag in
          tag.elementsEqual(block[48..<64]) && open(block, contents, tag: tag, label: label)
        }
    }
    if !isRight { throw damage(block, contents, place, reference) }
  }

  private func open(
    _ block: UnsafeRawBufferPointer, _ contents: UnsafeMutableRawBufferPointer, tag: UnsafeRawBufferPointer,
    label: UnsafeRawBufferPointer
  ) -> Bool {
    cipher.open(
      UnsafeRawBufferPointer(rebasing: block[Layout.label...]), into: contents, tag: tag,
      nonce: UnsafeRawBufferPointer(rebasing: block[36..<48]), context: label)
  }

  /// Says what stands in the place of a block: another one that this file's key sealed, or something else.
  private func damage(
    _ block: UnsafeRawBufferPointer, _ contents: UnsafeMutableRawBufferPointer, _ place: BlockPlace,
    _ reference: BlockReference
  ) -> BlockDamage {
    let found = BlockLabel(Array(block[..<BlockLabel.byteCount]))
    guard found.file == file else {
      // A label of zeros, or one in which only the file differs, is damage.
      let differing = zip(found.file, file).count { $0 != $1 }
      return differing > 8 && found.file.contains { $0 != 0 } ? .foreign : .tampered
    }
    let length = Int(found.length)
    guard length <= block.count - Layout.label else { return .tampered }
    let genuine = UnsafeRawBufferPointer(rebasing: block[..<(Layout.label + length)])
    let isGenuine = open(
      genuine, UnsafeMutableRawBufferPointer(rebasing: contents[..<length]),
      tag: UnsafeRawBufferPointer(rebasing: block[48..<64]),
      label: UnsafeRawBufferPointer(rebasing: block[..<BlockLabel.byteCount]))
    guard isGenuine else { return .tampered }
    if found.place != place { return .swapped(with: found.place) }
    return found.generation > reference.generation ? .newer : .old
  }

  private static func tag(_ bytes: UnsafeRawBufferPointer) -> BlockReference.Tag {
    BlockReference.Tag(
      first: UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)),
      second: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}

/// What is wrong with a block.
enum BlockDamage: Error, Equatable {
  /// The file ends before it does.
  case truncated
  /// It is not as the holder of the key wrote it.
  case tampered
  /// Another block of the file stands there.
  case swapped(with: BlockPlace)
  /// An earlier write of the same block stands there.
  case old
  /// A later write of the same block stands there.
  case newer
  /// A block with the label of another file stands there.
  case foreign

  func error(_ path: String, _ place: BlockPlace, _ reference: BlockReference) -> ProtectionError {
    let name = Self.name(place)
    let copy = "Take the file from a copy"
    let (code, message, remedy): (ProtectionError.Code, String, String) =
      switch self {
      case .truncated: (.truncated, "the file ends before \(name) does", copy)
      case .tampered: (.tamperedChunk, "\(name) is not as the holder of the key wrote it", copy)
      case .swapped(let other): (.swappedChunk, "\(Self.name(other)) stands in the place of \(name)", copy)
      case .old: (.oldChunk, "an older write of \(name) stands in its place", copy)
      case .newer:
        (.oldHeader, "\(name) is newer than the header, which was set back", "Take the file or its headers from a copy")
      case .foreign: (.foreignChunk, "a block of another file stands in the place of \(name)", copy)
      }
    return ProtectionError(
      code, message, remedy: remedy, file: path, chunk: place.index * Layout.span(place.level),
      offset: reference.page.multipliedReportingOverflow(by: UInt64(Layout.page)).partialValue)
  }

  private static func name(_ place: BlockPlace) -> String {
    place.level == 0 ? "chunk \(place.index)" : "the tree's node \(place.index) of level \(place.level)"
  }
}
