/// The file `KEYFRAMES` of a journal, open for reading: bodies derived from its history, in the order of their
/// events, close enough together that every event is near one.
///
/// It is a cache. It may be missing, cut short or older than the journal at any time; each entry is trusted only if its
/// own checksums verify, and is not evidence that an event was durable. Finding an entry takes O(log n) reads of a
/// page's header.
public final class KeyframeFile: Sendable {
  private let directory: JournalDirectory
  private let id: JournalID
  private let file: OpenFile
  /// Whole pages; what follows is an entry that was not finished.
  private let pageCount: UInt64

  init(_ directory: JournalDirectory, _ file: OpenFile, of id: JournalID) throws(JournalError) {
    self.directory = directory
    self.id = id
    let length: UInt64
    do throws(JournalError) {
      length = try directory.size(of: file, Keyframe.fileName)
    } catch {
      directory.fileSystem.close(file)
      throw error
    }
    self.file = file
    pageCount = length / UInt64(Keyframe.pageSize)
  }

  deinit {
    directory.fileSystem.close(file)
  }

  /// The last entry that is not after an event; `nil` when none can be found.
  public func last(notAfter sequence: UInt64) throws(JournalError) -> Keyframe? {
    var low: UInt64 = 0
    var high = pageCount
    var found: Keyframe?
    while low < high {
      let middle = low + (high - low) / 2
      // The search stops at a page that does not verify: the file is not synced, and earlier entries are just as
      // useful.
      guard let entry = try entry(at: middle), entry.page >= low, entry.end <= pageCount else {
        high = middle
        continue
      }
      if entry.sequence <= sequence {
        found = entry
        low = entry.end
      } else {
        high = entry.page
      }
    }
    return found
  }

  /// The next place after an entry or after unreadable pages, or the first one; `nil` at the end.
  ///
  /// An unfinished entry at the end of the file also counts as the end: a cache may be cut short.
  public func next(after step: KeyframeStep?) -> KeyframeStep? {
    let start = step?.end ?? 0
    var page = start
    var reason: JournalError?
    while page < pageCount {
      do throws(JournalError) {
        // A later page of an entry is useless: its first page cannot be read, or another entry has overwritten it.
        if let entry = try entry(at: page), entry.page == page {
          if let reason { return .unreadable(pages: start..<page, reason) }
          return entry.end <= pageCount ? .entry(entry) : nil
        }
        // A file of format 1.0 is ignored: the next writer starts it over.
        if page == 0, try isOfFormat10() { return nil }
        if reason == nil { reason = try laterFormat(page) }
        reason = reason ?? unverified(page)
      } catch {
        reason = reason ?? error
      }
      page = nextPage(after: page)
    }
    return reason.map { .unreadable(pages: start..<pageCount, $0) }
  }

  /// The next page that may hold anything: a page of zeros never verifies, and a file that was extended without being
  /// written may have any number of them.
  private func nextPage(after page: UInt64) -> UInt64 {
    let size = UInt64(Keyframe.pageSize)
    let data = directory.fileSystem.nextData(in: file, from: (page + 1) * size)
    return data.map { max(page + 1, $0 / size) } ?? pageCount
  }

  private func unverified(_ page: UInt64) -> JournalError {
    JournalError(
      .badCheckpoint, "page \(page) does not belong to a keyframe that verifies", remedy: "rebuild the keyframes",
      file: Keyframe.fileName, offset: page * UInt64(Keyframe.pageSize))
  }

  /// Why only a newer program can read a page; `nil` for any other page.
  private func laterFormat(_ page: UInt64) throws(JournalError) -> JournalError? {
    let start = page * UInt64(Keyframe.pageSize)
    let bytes = try directory.read(file, Keyframe.fileName, at: start, count: Keyframe.headerSize)
    return Keyframe.header(bytes).unsupported(of: id).map {
      JournalError.unsupported($0, file: Keyframe.fileName, offset: start + 8)
    }
  }

  private func isOfFormat10() throws(JournalError) -> Bool {
    let bytes = try directory.read(file, Keyframe.fileName, at: 0, count: 8)
    return FixedRecord(bytes, size: 8)?.integer(at: 0, as: UInt64.self) == Format.keptMagic
  }

  /// Refuses a file that a newer program began: all pages of a file have the features of its first one.
  func requireKnownFormat() throws(JournalError) {
    if let error = try laterFormat(0) { throw error }
  }

  /// Reads an entry's body and verifies it.
  ///
  /// - Throws: `badCheckpoint` when its bytes are not what its header says; `inputOutput`.
  public func body(of entry: Keyframe) throws(JournalError) -> [UInt8] {
    let length = Int(entry.pageCount) * Keyframe.pageSize
    let start = entry.page * UInt64(Keyframe.pageSize)
    let bytes = try directory.read(file, Keyframe.fileName, at: start, count: length)
    var body: [UInt8] = []
    if bytes.count == length {
      body.reserveCapacity(entry.bodyLength)
      for page in stride(from: 0, to: length, by: Keyframe.pageSize) {
        let part = min(entry.bodyLength - body.count, Keyframe.bodySize)
        body += bytes[(page + Keyframe.headerSize)..<(page + Keyframe.headerSize + part)]
      }
    }
    guard body.count == entry.bodyLength, Checksum.crc32(0, body) == entry.bodyChecksum else {
      throw JournalError(
        .badCheckpoint, "the checksum of its body is wrong", remedy: "use an older one, or replay the events",
        file: Keyframe.fileName, offset: start, sequence: entry.sequence)
    }
    return body
  }

  private func entry(at page: UInt64) throws(JournalError) -> Keyframe? {
    let start = page * UInt64(Keyframe.pageSize)
    return Keyframe(
      try directory.read(file, Keyframe.fileName, at: start, count: Keyframe.headerSize), at: page, of: id)
  }
}

extension KeyframeFile {
  /// Opens the keyframes of a journal; `nil` when it has none.
  static func open(_ directory: JournalDirectory, of id: JournalID) throws(JournalError) -> KeyframeFile? {
    let file: OpenFile
    do {
      file = try directory.fileSystem.open(directory.path(of: Keyframe.fileName), .read)
    } catch {
      if error.code == OperatingSystem.noEntry { return nil }
      throw JournalError.system(error, file: Keyframe.fileName)
    }
    return try KeyframeFile(directory, file, of: id)
  }
}

extension JournalReader {
  /// Opens the journal's keyframes; `nil` when it has none.
  ///
  /// - Throws: `inputOutput`.
  public func keyframes() throws(JournalError) -> KeyframeFile? {
    try KeyframeFile.open(directory, of: identity.id)
  }
}

/// What is at a place in the file `KEYFRAMES`.
public enum KeyframeStep: Equatable, Sendable {
  /// An entry whose header verifies.
  case entry(Keyframe)
  /// Pages, numbered from 0, that belong to no findable entry, and what is wrong with the first of them.
  case unreadable(pages: Range<UInt64>, JournalError)

  /// The page after it.
  var end: UInt64 {
    switch self {
    case .entry(let keyframe): keyframe.end
    case .unreadable(let pages, _): pages.upperBound
    }
  }
}
