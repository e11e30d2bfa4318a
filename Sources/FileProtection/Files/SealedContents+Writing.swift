import Journal
import Synchronization

extension SealedContents {
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(ProtectionError) {
    guard !bytes.isEmpty else { return }
    try prepareForChanges()
    guard offset <= Layout.maximumSize, UInt64(bytes.count) <= Layout.maximumSize - offset else {
      throw tooLarge(offset)
    }
    let end = offset + UInt64(bytes.count)
    // What is changed in part is read first: if it is damaged, nothing was changed.
    var ends: [UInt64: [UInt8]] = [:]
    for place in [offset, end] where place % UInt64(Layout.chunk) > 0 {
      let index = place / UInt64(Layout.chunk)
      if chunks[index] == nil, ends[index] == nil { ends[index] = try changed(index) }
    }
    try changing { () throws(ProtectionError) in
      if end > size { try setSize(end) }
      var whole: [(index: UInt64, contents: BlockContents)] = []
      var done = 0
      while done < bytes.count {
        let place = offset + UInt64(done)
        let index = place / UInt64(Layout.chunk)
        let start = Int(place % UInt64(Layout.chunk))
        let length = min(Layout.chunk - start, bytes.count - done)
        let part = UnsafeRawBufferPointer(rebasing: bytes[done..<(done + length)])
        done += length
        if length == Layout.chunk {
          chunks[index] = nil
          whole.append((index, .buffer(part)))
        } else {
          change(index, start, part, ends.removeValue(forKey: index))
        }
        if recent?.index == index { recent = nil }
      }
      try seal(whole)
      if chunks.count > Self.maximumChangedChunks { try sealChangedChunks() }
    }
  }

  func truncate(to size: UInt64) throws(ProtectionError) {
    guard size <= Layout.maximumSize else { throw tooLarge(size) }
    try prepareForChanges()
    guard size != self.size else { return }
    let count = Layout.chunkCount(size)
    let rest = Int(size % UInt64(Layout.chunk))
    let kept = try size < self.size && rest > 0 ? changed(count - 1) : []
    try changing { () throws(ProtectionError) in
      if size < self.size {
        recent = nil
        for index in chunks.keys where index >= count { chunks[index] = nil }
        // What is cut off must read as zeros if the file grows again.
        if kept.count > rest { chunks[count - 1] = Array(kept[..<rest]) }
        try cut(BlockPlace(level: height, index: 0), to: count)
      }
      try setSize(size)
    }
  }

  /// Carries out a change as a whole: if it fails within, nothing of what changed since the last sync is written any more.
  private func changing(_ body: () throws(ProtectionError) -> Void) throws(ProtectionError) {
    isChanged = true
    isPoisoned = true
    try body()
    isPoisoned = false
    checkInvariants()
  }

  /// Checks that the file can be changed, and finds its free pages.
  private func prepareForChanges() throws(ProtectionError) {
    guard isWritable else {
      throw ProtectionError(
        .readOnly, "the file is open for reading only", remedy: "Open it for writing", file: path)
    }
    guard !isPoisoned else {
      throw ProtectionError(
        .poisoned, "a write failed before, and only the contents of the last sync are certain",
        remedy: "Close the file, and open it again", file: path)
    }
    try completeHeaders()
    guard pages == nil else { return }
    let limit = try atFile(path) { () throws(FileSystemError) in try fileSystem.size(of: file) } / UInt64(Layout.page)
    var pages = PageMap()
    var open = [BlockPlace(level: height, index: 0)]
    while let place = open.popLast() {
      let reference = try reference(place)
      guard !reference.isHole else { continue }
      guard pages.use(reference, limit: limit) else { throw BlockDamage.truncated.error(path, place, reference) }
      guard place.level > 0 else { continue }
      open += (0..<Layout.fanOut).map { place.child($0) }
    }
    self.pages = pages
  }

  /// Writes the second header where it is not the current one: a process died, or a write failed, between the two.
  private func completeHeaders() throws(ProtectionError) {
    guard !secondHeaderIsCurrent else { return }
    // The first one may not be durable yet; only then may the second one go.
    try atFile(path) { () throws(FileSystemError) in
      try fileSystem.sync(file)
      try fileSystem.writeAll(file, headerBytes, at: UInt64(Layout.page))
    }
    secondHeaderIsCurrent = true
  }

  private func tooLarge(_ size: UInt64) -> ProtectionError {
    ProtectionError(
      .tooLarge, "the format ends at \(Layout.maximumSize) bytes", remedy: "Use several files", file: path,
      offset: size)
  }

  /// A chunk as it is now.
  private func changed(_ index: UInt64) throws(ProtectionError) -> [UInt8] {
    if let known = chunks[index] { return known }
    let place = BlockPlace(level: 0, index: index)
    guard index < Layout.span(height) else { return [] }
    let reference = try reference(place)
    return reference.isHole ? [] : try contents(place, reference)
  }

  private func change(_ index: UInt64, _ start: Int, _ part: UnsafeRawBufferPointer, _ read: [UInt8]?) {
    // Taken out of the table, so that it is changed in place.
    var bytes = chunks.removeValue(forKey: index) ?? read ?? []
    let end = start + part.count
    if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[start..<end]).copyMemory(from: part) }
    chunks[index] = bytes
  }

  // MARK: The tree

  /// Gives the tree the height for a size. Chunks beyond it must be gone.
  private func setSize(_ size: UInt64) throws(ProtectionError) {
    self.size = size
    let needed = Layout.height(size)
    while height < needed {
      let above = BlockPlace(level: height + 1, index: 0)
      var entries = [BlockReference](repeating: .hole, count: Layout.fanOut)
      entries[0] = root
      nodes[above] = entries
      changedNodes.insert(above)
      root = .hole
      height += 1
    }
    while height > needed {
      let top = BlockPlace(level: height, index: 0)
      let first = try entries(top)[0]
      free(root)
      nodes[top] = nil
      changedNodes.remove(top)
      root = first
      height -= 1
    }
  }

  private func set(_ place: BlockPlace, _ reference: BlockReference) throws(ProtectionError) {
    guard place.level < height else {
      root = reference
      return
    }
    var entries = try entries(place.parent)
    nodes[place.parent] = nil
    entries[place.entry] = reference
    nodes[place.parent] = entries
    changedNodes.insert(place.parent)
  }

  private func free(_ reference: BlockReference) {
    guard !reference.isHole else { return }
    if reference.generation > header.generation {
      pages?.giveBack(reference)
    } else {
      pages?.release(reference)
    }
  }

  /// Removes the chunks from a number on, below a node.
  private func cut(_ place: BlockPlace, to count: UInt64) throws(ProtectionError) {
    let first = place.index * Layout.span(place.level)
    if first >= count {
      let reference = try reference(place)
      if place.level > 0, !reference.isHole || nodes[place] != nil {
        for entry in 0..<Layout.fanOut { try cut(place.child(entry), to: count) }
        nodes[place] = nil
        changedNodes.remove(place)
      }
      guard !reference.isHole else { return }
      free(reference)
      try set(place, .hole)
    } else if place.level > 0, first + Layout.span(place.level) > count {
      guard try !reference(place).isHole || nodes[place] != nil else { return }
      for entry in 0..<Layout.fanOut { try cut(place.child(entry), to: count) }
    }
  }

  // MARK: Blocks

  /// The contents of a block to be sealed.
  enum BlockContents {
    case bytes([UInt8])
    case buffer(UnsafeRawBufferPointer)

    var count: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .buffer(let buffer): buffer.count
      }
    }

    func withBytes<Result, Failure: Error>(
      _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      switch self {
      case .bytes(let bytes):
        try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in try body(UnsafeRawBufferPointer(bytes)) }
      case .buffer(let buffer): try body(buffer)
      }
    }
  }

  func sealChangedChunks() throws(ProtectionError) {
    let changed = chunks.sorted { $0.key < $1.key }.map { (index: $0.key, contents: BlockContents.bytes($0.value)) }
    try seal(changed)
    chunks = [:]
  }

  private func seal(_ chunks: [(index: UInt64, contents: BlockContents)]) throws(ProtectionError) {
    try write(chunks.map { (BlockPlace(level: 0, index: $0.index), $0.contents) })
  }

  /// Writes blocks to free pages, and refers to them.
  private func write(_ blocks: [(place: BlockPlace, contents: BlockContents)]) throws(ProtectionError) {
    guard !blocks.isEmpty else { return }
    let generation = header.generation + 1
    let nonceLength = 12
    let nonces = protector.randomBytes(blocks.count * nonceLength)
    sealedCount += UInt64(blocks.count)
    guard nonces.count == blocks.count * nonceLength else { throw .encryptionFailed }
    guard sealedCount < Layout.maximumSealedCount else {
      throw ProtectionError(
        .keyExhausted, "the file's key has sealed as many blocks as is safe",
        remedy: "Copy the contents to a new protected file", file: path)
    }
    var pagesOfBlocks: [UInt64] = []
    for block in blocks { pagesOfBlocks.append(pages?.allocate(Layout.pages(block.contents.count)) ?? 0) }
    // The buffers outlive the call, and each block has pages of its own.
    nonisolated(unsafe) let work = blocks
    let (path, file, fileSystem, starts) = (path, file, fileSystem, pagesOfBlocks)
    let sealed = SealedTags(count: blocks.count)
    try workers.forEach(blocks.count) { (number, worker) throws(ProtectionError) in
      let block = work[number]
      let length = Layout.label + block.contents.count
      let target = UnsafeMutableRawBufferPointer(rebasing: worker.block[..<length])
      let nonce = nonces[(number * nonceLength)..<((number + 1) * nonceLength)]
      let tag = block.contents.withBytes {
        worker.cipher.seal($0, into: target, block.place, generation: generation, nonce: nonce)
      }
      guard let tag else { throw ProtectionError.encryptionFailed.within(path) }
      try atFile(path) { () throws(FileSystemError) in
        try fileSystem.writeAll(file, UnsafeRawBufferPointer(target), at: starts[number] * UInt64(Layout.page))
      }
      sealed.set(number, tag)
    }
    for (number, block) in blocks.enumerated() {
      free(try reference(block.place))
      let reference = BlockReference(
        page: starts[number], generation: generation, length: block.contents.count, tag: sealed.tags[number])
      try set(block.place, reference)
    }
  }

  // MARK: Syncing

  func sync() throws(ProtectionError) {
    guard isWritable else { return }
    guard !isPoisoned else { return try prepareForChanges() }
    guard isChanged else { return try completeHeaders() }
    // A wipe may have destroyed the key since the file was opened. What is written now could not be read again.
    do throws(ProtectionError) { try protector.checkNotDestroyed(header.keyID) } catch { throw error.within(path) }
    var bytes: [UInt8] = []
    try changing { () throws(ProtectionError) in bytes = try commit() }
    isChanged = false
    assert(chunks.isEmpty && changedNodes.isEmpty, "a sync left something unwritten")
    // Durable from here on. What fails now is made good by the next change.
    secondHeaderIsCurrent = (try? fileSystem.writeAll(file, bytes, at: UInt64(Layout.page))) != nil
    pages?.freeReleased()
    let end = (pages?.end ?? 0) * UInt64(Layout.page)
    if let length = try? fileSystem.size(of: file), length > end { try? fileSystem.setSize(of: file, to: end) }
    if nodes.count > Self.maximumKeptNodes { nodes = [:] }
  }

  /// Writes what changed, and then the first header, durably; returns the header.
  private func commit() throws(ProtectionError) -> [UInt8] {
    try sealChangedChunks()
    for level in 1...max(1, height) {
      var written: [(place: BlockPlace, contents: BlockContents)] = []
      for place in changedNodes.sorted() where place.level == level {
        var bytes: [UInt8] = []
        let entries = try entries(place)
        let count = entries.lastIndex { !$0.isHole }.map { $0 + 1 } ?? 0
        guard count > 0 else {
          free(try reference(place))
          try set(place, .hole)
          continue
        }
        for entry in entries[..<count] { entry.append(to: &bytes) }
        written.append((place, .bytes(bytes)))
      }
      changedNodes = changedNodes.filter { $0.level != level }
      try write(written)
    }
    var next = header
    next.generation += 1
    next.size = size
    next.root = root
    sealedCount += 1
    next.sealedCount = sealedCount
    let nonce = protector.randomBytes(12)
    guard nonce.count == 12, let bytes = next.encoded(cipher.cipher, nonce: nonce) else {
      throw ProtectionError.encryptionFailed.within(path)
    }
    try atFile(path) { () throws(FileSystemError) in
      try fileSystem.sync(file)
      try fileSystem.writeAll(file, bytes, at: 0)
      try fileSystem.sync(file)
    }
    header = next
    headerBytes = bytes
    return bytes
  }
}

/// The tags that threads computed, each at its own place.
private final class SealedTags: Sendable {
  private let lock: Mutex<[BlockReference.Tag]>

  init(count: Int) {
    lock = Mutex([BlockReference.Tag](repeating: BlockReference.Tag(), count: count))
  }

  func set(_ number: Int, _ tag: BlockReference.Tag) { lock.withLock { $0[number] = tag } }
  var tags: [BlockReference.Tag] { lock.withLock { $0 } }
}
