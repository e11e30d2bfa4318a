import Cryptography
import Journal

/// The contents of an encrypted file.
///
/// What the last sync made durable is never overwritten: blocks go to free pages, and a sync ends with the header that refers
/// to them. Invariants, at every call to the file system:
///
/// - One of the two headers is sound, and refers only to sound blocks.
/// - Pages that the header of the last sync refers to are not written: ``PageMap`` gives out only free ones.
/// - Before the first header is written, the second one is durable and that of the last sync.
///
/// What holds between two changes, ``checkInvariants()`` checks after each.
final class SealedContents: FileContents {
  let path: String
  let file: OpenFile
  let fileSystem: any FileSystem
  let cipher: BlockCipher
  let workers: BlockWorkers
  let protector: Protector
  let isWritable: Bool

  /// What the last sync made durable.
  var header: FileHeader
  /// A copy of that header, and whether the second place in the file holds it.
  var headerBytes: [UInt8]
  var secondHeaderIsCurrent: Bool

  // What was written since.
  var size: UInt64
  var root: BlockReference
  var height: Int
  var sealedCount: UInt64
  var isChanged = false
  /// Chunks that are not sealed yet, as long as what was written of them.
  var chunks: [UInt64: [UInt8]] = [:]
  /// The nodes that were read, and those of them that are to be written.
  var nodes: [BlockPlace: [BlockReference]] = [:]
  var changedNodes: Set<BlockPlace> = []
  /// `nil` until the first change.
  var pages: PageMap?
  /// A write failed, and what is in the file after the last sync is unknown.
  var isPoisoned = false
  /// Whether reads stay with the sync at the opening, as a copy must: one that meets a later sync fails.
  var staysWithSync = false
  /// Whether a read met a later sync.
  var wasOutrun = false
  /// The chunk that was read last, for reading in small steps.
  var recent: (index: UInt64, bytes: [UInt8])?

  /// Changed chunks that are kept before they are sealed, 4 MiB.
  static let maximumChangedChunks = 64
  /// Nodes that are kept for reading, 4 MiB.
  static let maximumKeptNodes = 1024

  init(
    _ opened: OpenedHeader, path: String, file: OpenFile, isWritable: Bool, protector: Protector
  ) {
    self.path = path
    self.file = file
    self.protector = protector
    self.isWritable = isWritable
    fileSystem = protector.fileSystem
    cipher = opened.cipher
    workers = BlockWorkers(opened.cipher, protector.fileSystem)
    header = opened.header
    headerBytes = opened.bytes
    secondHeaderIsCurrent = opened.isSecondCurrent
    size = opened.header.size
    root = opened.header.root
    height = Layout.height(opened.header.size)
    sealedCount = opened.header.sealedCount
  }

  /// Checks that the tree has the height of its size, that changed parts lie in it, and that it does not refer to free pages.
  func checkInvariants() {
    assert(height == Layout.height(size), "a tree of height \(height) for \(size) bytes")
    assert(chunks.keys.allSatisfy { $0 < Layout.chunkCount(size) }, "a changed chunk lies after the end")
    assert(changedNodes.allSatisfy { nodes[$0] != nil && $0.level <= height }, "a changed node is not in the tree")
    assert(root.isHole || pages?.holds(root) ?? true, "the root's pages are free")
    assert(sealedCount >= header.sealedCount, "fewer blocks were sealed than at the last sync")
  }

  var info: ProtectionInfo { ProtectionInfo(isEncrypted: true, owner: header.owner, keyID: header.keyID) }

  func release() { fileSystem.close(file) }

  // MARK: References

  func reference(_ place: BlockPlace) throws(ProtectionError) -> BlockReference {
    place.level == height ? try checked(root, place) : try entries(place.parent)[place.entry]
  }

  /// The references of a node.
  func entries(_ place: BlockPlace) throws(ProtectionError) -> [BlockReference] {
    if let known = nodes[place] { return known }
    let reference = try reference(place)
    var entries = [BlockReference](repeating: .hole, count: Layout.fanOut)
    if !reference.isHole {
      let bytes = try contents(place, reference)
      guard bytes.count % Layout.reference == 0, bytes.count <= Layout.fanOut * Layout.reference else {
        throw BlockDamage.tampered.error(path, place, reference)
      }
      for number in 0..<(bytes.count / Layout.reference) {
        entries[number] = try checked(BlockReference(bytes, at: number * Layout.reference), place.child(number))
      }
    }
    if nodes.count >= Self.maximumKeptNodes, !isChanged { nodes = [:] }
    nodes[place] = entries
    return entries
  }

  /// Only the holder of the key can write a reference that is out of bounds, and a program of the holder may be wrong.
  private func checked(
    _ reference: BlockReference, _ place: BlockPlace
  ) throws(ProtectionError) -> BlockReference {
    let longest = place.level == 0 ? Layout.chunk : Layout.page - Layout.label
    let isRight =
      reference.isHole
      || (reference.page >= UInt64(Layout.headerPages) && reference.page < 1 << 50 && reference.length <= longest
        && reference.generation <= header.generation + (isChanged ? 1 : 0))
    guard isRight else { throw BlockDamage.tampered.error(path, place, reference) }
    return reference
  }

  /// The contents of a block.
  func contents(_ place: BlockPlace, _ reference: BlockReference) throws(ProtectionError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(reference.length))
    try bytes.withUnsafeMutableBufferPointer { (bytes) throws(ProtectionError) in
      let read = BlockRead(place: place, reference: reference, target: UnsafeMutableRawBufferPointer(bytes))
      try blockReader.read(read, workers.own)
    }
    return bytes
  }

  var blockReader: BlockReader { BlockReader(path: path, file: file, fileSystem: fileSystem) }
}

/// A block to be read.
struct BlockRead {
  var place: BlockPlace
  var reference: BlockReference
  /// Where its contents go; zeros fill what it does not have.
  var target: UnsafeMutableRawBufferPointer
}

/// Reads blocks of a file, on any thread.
struct BlockReader: Sendable {
  var path: String
  var file: OpenFile
  var fileSystem: any FileSystem

  func read(_ read: BlockRead, _ worker: BlockWorkers.Worker) throws(ProtectionError) {
    let length = Layout.label + Int(read.reference.length)
    let block = UnsafeMutableRawBufferPointer(rebasing: worker.block[..<length])
    let count = try atFile(path) { () throws(FileSystemError) in
      try fileSystem.readAll(file, into: block, at: read.reference.page * UInt64(Layout.page))
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: read.target[..<Int(read.reference.length)])
    do throws(BlockDamage) {
      try worker.cipher.open(
        UnsafeRawBufferPointer(rebasing: block[..<count]), into: target, read.place, read.reference)
    } catch {
      // Text that was not authenticated leaves nothing behind.
      read.target.initializeMemory(as: UInt8.self, repeating: 0)
      throw error.error(path, read.place, read.reference)
    }
    let rest = UnsafeMutableRawBufferPointer(rebasing: read.target[target.count...])
    rest.initializeMemory(as: UInt8.self, repeating: 0)
  }
}
