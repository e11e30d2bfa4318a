/// Which pages of a file are in use: by what the last sync made durable, or by what was written since.
struct PageMap {
  /// A bit for each page.
  private var words: [UInt64] = []
  /// No page before it is free: where the search for a run of one page, or of several, begins.
  private var firstFree = [0, 0]
  /// In use until the next sync is durable.
  private var released: [(page: UInt64, count: Int)] = []

  init() {
    mark(0, Layout.headerPages, true)
  }

  /// The number of pages up to the last one in use.
  var end: UInt64 {
    guard let last = words.lastIndex(where: { $0 != 0 }) else { return 0 }
    return UInt64(last * 64 + 64 - words[last].leadingZeroBitCount)
  }

  /// Marks the pages of a block as in use. `false` if its pages cannot be a block's, or another block has one of them.
  mutating func use(_ reference: BlockReference, limit: UInt64) -> Bool {
    let count = reference.pageCount
    guard reference.page >= UInt64(Layout.headerPages), reference.page <= limit else { return false }
    let page = Int(reference.page)
    for place in page..<(page + count) where isUsed(place) { return false }
    mark(page, count, true)
    return true
  }

  /// Gives out free pages in a row.
  mutating func allocate(_ count: Int) -> UInt64 {
    let kind = count == 1 ? 0 : 1
    var start = firstFree[kind]
    var place = start
    while place - start < count {
      if place % 64 == 0, place == start, place / 64 < words.count, words[place / 64] == .max {
        place += 64
        start = place
      } else if isUsed(place) {
        place += 1
        start = place
      } else {
        place += 1
      }
    }
    mark(start, count, true)
    firstFree[kind] = start + count
    checkInvariants()
    return UInt64(start)
  }

  /// Gives back a block that nothing durable refers to.
  mutating func giveBack(_ reference: BlockReference) {
    mark(Int(reference.page), reference.pageCount, false)
    for kind in 0..<2 { firstFree[kind] = min(firstFree[kind], Int(reference.page)) }
    checkInvariants()
  }

  /// Gives back a block at the next ``freeReleased()``.
  mutating func release(_ reference: BlockReference) {
    released.append((reference.page, reference.pageCount))
  }

  /// The last sync is durable: nothing refers to the blocks that it replaced.
  mutating func freeReleased() {
    for (page, count) in released { mark(Int(page), count, false) }
    released = []
    firstFree = [0, 0]
  }

  /// Whether the pages of a block are in use.
  func holds(_ reference: BlockReference) -> Bool {
    let page = Int(reference.page)
    return (page..<(page + reference.pageCount)).allSatisfy(isUsed)
  }

  /// What holds after each change.
  private func checkInvariants() {
    assert((0..<Layout.headerPages).allSatisfy(isUsed), "a page of the headers is free")
    let start = firstFree[0]
    assert(
      words.prefix(start / 64).allSatisfy { $0 == .max } && (start / 64 * 64..<start).allSatisfy(isUsed),
      "a page before the first free one is free")
  }

  private func isUsed(_ place: Int) -> Bool {
    place / 64 < words.count && words[place / 64] & (1 << UInt64(place % 64)) != 0
  }

  private mutating func mark(_ page: Int, _ count: Int, _ isUsed: Bool) {
    let end = page + count
    if words.count * 64 < end { words += [UInt64](repeating: 0, count: (end + 63) / 64 - words.count) }
    for place in page..<end {
      let bit: UInt64 = 1 << UInt64(place % 64)
      assert(self.isUsed(place) != isUsed, "page \(place) is \(isUsed ? "given out" : "given back") twice")
      if isUsed { words[place / 64] |= bit } else { words[place / 64] &= ~bit }
    }
  }
}
