import Journal

extension SealedContents {
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ProtectionError) -> Int {
    while true {
      do throws(ProtectionError) {
        return try readOnce(into: buffer, at: offset)
      } catch {
        // Another process may have synced the file since it was opened, and used the pages again.
        guard !isWritable, try hasNewHeader() else { throw error }
        wasOutrun = true
        if staysWithSync { throw error }
      }
    }
  }

  private func readOnce(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ProtectionError) -> Int {
    guard offset < size else { return 0 }
    let count = Int(min(UInt64(buffer.count), size - offset))
    var whole: [BlockRead] = []
    var done = 0
    while done < count {
      let place = offset + UInt64(done)
      let index = place / UInt64(Layout.chunk)
      let start = Int(place % UInt64(Layout.chunk))
      let length = min(Layout.chunk - start, count - done)
      let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<(done + length)])
      done += length
      if let changed = chunks[index] ?? (recent?.index == index ? recent?.bytes : nil) {
        copy(changed, from: start, to: target)
        continue
      }
      let chunk = BlockPlace(level: 0, index: index)
      let reference = try reference(chunk)
      if reference.isHole {
        copy([], from: start, to: target)
      } else if start == 0, length == Layout.chunk {
        whole.append(BlockRead(place: chunk, reference: reference, target: target))
      } else {
        let bytes = try contents(chunk, reference)
        recent = (index, bytes)
        copy(bytes, from: start, to: target)
      }
    }
    guard !whole.isEmpty else { return count }
    // The buffers of different blocks do not overlap.
    nonisolated(unsafe) let reads = whole
    let reader = blockReader
    try workers.forEach(whole.count) { (number, worker) throws(ProtectionError) in
      try reader.read(reads[number], worker)
    }
    return count
  }

  /// Copies what a chunk has from a place on; zeros stand for the rest.
  private func copy(_ bytes: [UInt8], from start: Int, to target: UnsafeMutableRawBufferPointer) {
    let count = max(0, min(target.count, bytes.count - start))
    if count > 0 {
      bytes.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
    }
    UnsafeMutableRawBufferPointer(rebasing: target[count...]).initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// Takes over the headers of a later sync, if another process made one.
  private func hasNewHeader() throws(ProtectionError) -> Bool {
    let copies = try OpenedHeader.copies(file, path, fileSystem)
    let found = copies.compactMap { bytes in
      FileHeader(bytes, keyID: header.keyID, cipher.cipher).map { (header: $0, bytes: bytes) }
    }
    guard let new = found.max(by: { $0.header.generation < $1.header.generation }),
      new.header.generation > header.generation
    else { return false }
    header = new.header
    headerBytes = new.bytes
    size = header.size
    root = header.root
    height = Layout.height(size)
    nodes = [:]
    recent = nil
    return true
  }
}
