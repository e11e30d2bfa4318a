import SystemCalls

/// The statements of its directory's other files about a segment file.
struct SalvageNeighbor {
  var id: JournalID
  var ordinal: UInt64
  var firstSequence: UInt64
  var seed: UInt32
}

/// A segment of the journal in a directory.
struct SalvageSegment: Hashable {
  var folder: String
  var id: JournalID
  var ordinal: UInt64
}

extension Salvage {
  /// The directory of a file, with the slash after it.
  static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// Reads the small files, the names and the headers beside each segment, as a reader of that journal does: events
  /// that it would not show, because it cannot know whether the writer gave them up, are not part of the history here
  /// either.
  mutating func readNeighbors() {
    var folders: [String] = []
    for file in files where SegmentName(FileName.lastComponent(of: file.path)) != nil || file.kind == .identity {
      let folder = Self.folder(of: file.path)
      // The files of a directory are consecutive.
      if folders.last != folder { folders.append(folder) }
    }
    let searched = Set(files.lazy.map(\.path))
    for folder in Set(folders) {
      let path = folder.utf8.count > 1 ? String(folder.dropLast()) : folder
      let directory = JournalDirectory(path: path.isEmpty ? "." : path, fileSystem: fileSystem)
      guard let catalog = try? JournalCatalog(directory) else { continue }
      journalsOfFolders[folder] = catalog.identity.id
      for claim in catalog.claimsOfNames where searched.contains(folder + claim.file) {
        claimsOfNames.append((claim.sequence, catalog.identity.id, claim.ordinal, folder + claim.file))
      }
      for (index, entry) in catalog.segments.enumerated() {
        neighbors[folder + entry.file] = SalvageNeighbor(
          id: entry.header.id, ordinal: entry.header.ordinal, firstSequence: entry.header.firstSequence,
          seed: entry.header.seed)
        let segment = SalvageSegment(folder: folder, id: entry.header.id, ordinal: entry.header.ordinal)
        lastCertain[segment] = Self.lastCertain(index, catalog, directory)
        let next = index + 1 < catalog.segments.count ? catalog.segments[index + 1] : nil
        if next?.header.ordinal != entry.header.ordinal + 1 { withoutSuccessor.insert(segment) }
      }
    }
  }

  /// Whether a segment begins inside another one of the same journal: in the payload of an event.
  func isEmbedded(_ index: Int) -> Bool {
    let trace = traces[index]
    if trace.isContradicted { return true }
    guard trace.base > 0, trace.evidence != .link, !isDisplaced(index) else { return false }
    // A journal's segments begin at the start of its files.
    if let id = journalsOfFolders[Self.folder(of: files[trace.file].path)], id == trace.id { return true }
    // Under another name, such as that of another of the journal's files, only the bytes before it in the file say so.
    return firstBases[trace.file]?[trace.seed ?? 0] == 0
  }

  /// Whether a segment is the one that its file should begin with, and only other bytes stand before it.
  func isDisplaced(_ index: Int) -> Bool {
    let trace = traces[index]
    guard trace.base > 0, let seed = trace.seed, neighbors[files[trace.file].path]?.seed == seed else { return false }
    return firstBases[trace.file]?[seed] == trace.base
  }

  /// The last event that certainly belongs to the history, where the next segment's header does not state it; `nil`
  /// where it does, or for the last segment.
  private static func lastCertain(_ index: Int, _ catalog: JournalCatalog, _ directory: JournalDirectory) -> UInt64? {
    let entry = catalog.segments[index]
    let next = index + 1 < catalog.segments.count ? catalog.segments[index + 1] : nil
    guard next.map({ $0.headerFault != nil || $0.header.ordinal != entry.header.ordinal + 1 }) ?? true,
      let extent = try? catalog.extent(of: index, directory), next != nil || extent.missing != nil
    else { return nil }
    return extent.lastSequence
  }
}
