/// The sizes of the format, which the page ProtectedFileFormat explains.
enum Layout {
  static let magic: [UInt8] = [0x8A, 0x50, 0x4A, 0x50, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 1
  /// The unit in which room in the file is given out.
  static let page = 4096
  /// The two copies of the header.
  static let headerPages = 2
  /// What stands before the ciphertext of a block.
  static let label = 64
  /// A block is at most this long, label included.
  static let maximumBlock = 16 * page
  /// The contents of a chunk.
  static let chunk = maximumBlock - label
  static let reference = 36
  /// References in a node, which with its label fills a page.
  static let fanOut = (page - label) / reference
  /// The most chunks: as many as four levels of nodes lead to.
  static let maximumChunkCount = UInt64(fanOut * fanOut * fanOut * fanOut)
  static let maximumSize = maximumChunkCount * UInt64(chunk)
  /// NIST SP 800-38D allows 2³² random nonces for a key; blocks that a crash cut off are not counted.
  static let maximumSealedCount: UInt64 = 1 << 31

  static func chunkCount(_ size: UInt64) -> UInt64 { size / UInt64(chunk) + (size % UInt64(chunk) == 0 ? 0 : 1) }

  /// The chunks below a node of a level; one for a chunk itself, which is level 0.
  static func span(_ level: Int) -> UInt64 {
    var span: UInt64 = 1
    for _ in 0..<level { span *= UInt64(fanOut) }
    return span
  }

  /// The levels of nodes that contents of this size need.
  static func height(_ size: UInt64) -> Int {
    let count = chunkCount(size)
    var height = 0
    while span(height) < count { height += 1 }
    return height
  }

  /// The pages of a block whose contents have this length.
  static func pages(_ length: Int) -> Int { (label + length + page - 1) / page }
}
