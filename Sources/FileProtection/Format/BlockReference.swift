/// Where a block is, and by which tag it is known: an entry of a node, or of the header.
struct BlockReference: Equatable {
  /// Its first page; 0 for a block that was never written and reads as zeros.
  var page: UInt64 = 0
  /// The sync that wrote it.
  var generation: UInt64 = 0
  /// The length of its contents.
  var length: UInt32 = 0
  var tag = Tag()

  struct Tag: Equatable {
    var first: UInt64 = 0
    var second: UInt64 = 0
  }

  static let hole = BlockReference()

  var isHole: Bool { page == 0 }
  var pageCount: Int { Layout.pages(Int(length)) }

  func append(to bytes: inout [UInt8]) {
    bytes.append(number: page)
    bytes.append(number: generation)
    bytes.append(number: length)
    bytes.append(number: tag.first)
    bytes.append(number: tag.second)
  }

  init() {}

  init(page: UInt64, generation: UInt64, length: Int, tag: Tag) {
    self.page = page
    self.generation = generation
    self.length = UInt32(length)
    self.tag = tag
  }

  /// The reference at a place.
  init(_ bytes: [UInt8], at place: Int) {
    page = bytes.number(at: place)
    generation = bytes.number(at: place + 8)
    length = bytes.number(at: place + 16)
    tag = Tag(first: bytes.number(at: place + 20), second: bytes.number(at: place + 28))
  }
}

/// Which block of a file: a chunk of the contents is of level 0, a node of the tree of a level above.
struct BlockPlace: Hashable, Comparable {
  var level: Int
  var index: UInt64

  /// The node that refers to it.
  var parent: BlockPlace { BlockPlace(level: level + 1, index: index / UInt64(Layout.fanOut)) }
  /// Its entry in that node.
  var entry: Int { Int(index % UInt64(Layout.fanOut)) }

  func child(_ entry: Int) -> BlockPlace {
    BlockPlace(level: level - 1, index: index * UInt64(Layout.fanOut) + UInt64(entry))
  }

  static func < (one: BlockPlace, other: BlockPlace) -> Bool { (one.level, one.index) < (other.level, other.index) }
}

/// The first 36 bytes of a block, which its tag covers.
struct BlockLabel: Equatable {
  static let byteCount = 36

  /// The first 16 bytes of the file's id.
  var file: [UInt8]
  var generation: UInt64
  var place: BlockPlace
  var length: UInt32

  var bytes: [UInt8] {
    var bytes = file
    bytes.append(number: generation)
    bytes.append(number: place.index | UInt64(place.level) << 56)
    bytes.append(number: length)
    return bytes
  }

  init(file: [UInt8], generation: UInt64, place: BlockPlace, length: UInt32) {
    self.file = file
    self.generation = generation
    self.place = place
    self.length = length
  }

  init(_ bytes: [UInt8]) {
    file = Array(bytes.prefix(16))
    generation = bytes.number(at: 16)
    let place: UInt64 = bytes.number(at: 24)
    self.place = BlockPlace(level: Int(place >> 56), index: place & (1 << 56 - 1))
    length = bytes.number(at: 32)
  }
}
