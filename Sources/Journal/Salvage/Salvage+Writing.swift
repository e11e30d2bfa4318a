import PlainText

extension Salvage {
  /// Writes the events of one journal to a new one, under the numbers that they have.
  ///
  /// The new journal has an identity that is computed from what it holds, and names the old one as its parent. Where
  /// events are missing it has events with an empty payload in their place, so that all numbers stay what others refer
  /// to. Batches stay together; one that was hit is divided.
  ///
  /// When this returns, the journal is closed and durable. After an error its directory is empty, unless it holds
  /// another process's journal or files cannot be removed, which the error says; the salvage can then be retried.
  /// What a killed process leaves is never overwritten: the next salvage reports it.
  ///
  /// - Parameters:
  ///   - journal: whose events; `nil` when the pile holds events of one journal only, or is one directory: then it is
  ///     the journal that a reader takes the directory for, and events of others are set aside. ``JournalID/none``
  ///     means events whose journal no file names. A salvaged journal's id means that of its original.
  ///   - path: the new journal's directory, which must not exist or must be empty.
  ///   - options: how to write; the sync policy is ignored.
  /// - Throws: `outOfRange` when the journal was not found, or several were and none was named; `notAJournal` when no
  ///   event was found; `otherDomain` when the files name more than one domain, and no `JOURNAL` says which is meant, or
  ///   none of its events was found; `alreadyExists`, `unsupportedFormat`, `inputOutput`, `noSpace`; `tooLarge` when more
  ///   than 16,777,216 events are missing between others.
  public func write(
    journal: JournalID? = nil, to path: String, options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> SalvageReport {
    let source = try choose(journal.map { self.source(of: $0) })
    let strange = try tracesOfOtherDomains(than: source)
    let route = try route(of: source, without: strange)
    if route.ways.isEmpty, route.others.isEmpty, let trace = strange.min() { throw ofOtherDomain(trace, source) }
    guard let first = route.ways.first, let last = route.ways.last else {
      throw route.others.isEmpty ? nothing() : nothingCertain(route.others)
    }
    let missing = zip(route.ways, route.ways.dropFirst()).reduce(UInt64(0)) {
      $0 + $1.1.from.sequence - $1.0.to.sequence
    }
    guard missing <= Self.maximumMarked else {
      throw JournalError(
        .tooLarge, "\(missing.grouped) events are missing in between, and 16,777,216 can be marked as lost",
        remedy: "salvage the files of one stretch at a time")
    }
    var identity = identity(of: source, from: first.from, to: last.to, keepsDigest: options.historyDigest)
    let unknownEnd = unknownEnd(of: source, route)
    if unknownEnd != nil { identity.lastKnownOfParent = max(last.to.sequence, claimedEnd(of: source)) }
    let beginning = beginning(of: source, before: first.from.sequence + 1)
    if first.from.sequence > 0 { identity.lostBeforeFirst = beginning.lost }
    let catalogs = try SalvageCatalogs(self, of: source, route.ways)
    identity.domain = catalogs.domain
    var report = SalvageReport(
      source: source, identity: identity,
      events: (first.from.sequence + 1)...last.to.sequence)
    report.lacksCatalog = catalogs.lacksSome
    let writer = SalvageWriter(self, options, catalogs)
    try writer.write(
      route.ways, to: path, &report, isRetired: beginning.isRetired, claimedEnd: claimedEnd(of: source),
      room: Self.maximumMarked - missing)
    report.files = files
    report.otherJournals = journals.filter { $0.id != source }
    report.losses = losses(route, source, report).map { explained($0, strange, source) }
    report.unknownEnd = unknownEnd
    let taken = Dictionary(route.ways.map { ($0.from, $0) }, uniquingKeysWith: { first, _ in first })
    for way in route.others { add(aside(way, route, taken: taken[way.from]), to: &report.aside) }
    report.aside += fragments.filter { strange.contains($0.trace) }.map { fragment in
      ExcludedEvents(
        events: fragment.first...fragment.last, file: files[fragment.file].path,
        byteRange: fragment.start..<fragment.end, reason: .otherDomain)
    }
    if journal == nil { report.aside += eventsOfOthers(than: source) }
    return report
  }

  /// How many events can be marked as lost.
  private static let maximumMarked: UInt64 = 1 << 24

  private func choose(_ wanted: JournalID?) throws(JournalError) -> JournalID {
    let list = journals.map { "\($0.id == .none ? "unknown" : "\($0.id)") (\($0.eventCount.grouped) events)" }
      .joined(separator: ", ")
    if let wanted {
      guard journals.contains(where: { $0.id == wanted }) else {
        throw JournalError(
          .outOfRange, "no event of journal \(wanted) was found",
          remedy: list.isEmpty ? "check the files" : "choose one of \(list)")
      }
      return wanted
    }
    let known = journals.filter { $0.id != .none }
    if known.count > 1, let id = journalOfFolder, known.contains(where: { $0.id == id }) { return id }
    // A directory that readers take for another journal must not silently become a copy of this one.
    let read = Set(journalsOfFolders.values.map { source(of: $0) }).sorted { "\($0)" < "\($1)" }
    if let first = read.first, known.count <= 1, let only = known.first ?? journals.first, !read.contains(only.id) {
      let durable = read.count == 1 ? claimedEnd(of: first) : 0
      throw JournalError(
        .outOfRange,
        "readers take \(read.count == 1 ? "the directory for journal \(first)" : "the directories for other journals"), of "
          + "which no event was found\(durable > 0 ? ", although those up to \(durable.grouped) were durable" : ""); the "
          + "events that were found are of \(only.id == .none ? "a journal that no file names" : "another one")",
        remedy: "choose \(list), or restore the segments from a copy")
    }
    guard known.count <= 1 else {
      throw JournalError(
        .outOfRange, "events of \(known.count) journals were found", remedy: "choose one of \(list)")
    }
    guard let only = known.first ?? journals.first else { throw nothing() }
    return only.id
  }

  /// The journal that a reader takes the pile for, when that is one directory.
  private var journalOfFolder: JournalID? {
    guard directories.count == 1, let folder = files.first.map({ Self.folder(of: $0.path) }),
      files.allSatisfy({ Self.folder(of: $0.path) == folder })
    else { return nil }
    return journalsOfFolders[folder].map { source(of: $0) }
  }

  /// The events of known journals that were not asked for.
  private func eventsOfOthers(than source: JournalID) -> [ExcludedEvents] {
    fragments.compactMap { fragment in
      let id = self.source(of: traces[fragment.trace].id)
      guard id != source, id != .none else { return nil }
      return ExcludedEvents(
        events: fragment.first...fragment.last, file: files[fragment.file].path,
        byteRange: fragment.start..<fragment.end, reason: .otherJournal, journal: id)
    }
  }

  /// Why none of the events that were found is salvaged.
  private func nothingCertain(_ ways: [SalvageRoute.Way]) -> JournalError {
    let count = ways.reduce(0) { $0 + $1.events.count }
    let isOne = count == 1
    return JournalError(
      .notAJournal,
      "\(isOne ? "the only event that was" : "all \(UInt64(count).grouped) events that were") found "
        + (ways.allSatisfy { $0.fate == .givenUp }
          ? "\(isOne ? "was" : "were") given up by the journal's own writer"
          : "may have been given up by the journal's own writer, or stand in the payload of another one"),
      remedy: "add other copies of the files", file: ways.first.map { files[fragments[$0.fragment].file].path })
  }

  private func nothing() -> JournalError {
    let remedy = "add other copies of the files"
    guard let first = obstacles.first, let file = first.file else {
      return unsupported ?? JournalError(.notAJournal, "no event that can be read was found", remedy: remedy)
    }
    let others = obstacles.count > 1 ? ", nor can \(obstacles.count - 1) others" : ""
    return unsupported
      ?? JournalError(
        .notAJournal, "no event that can be read was found, and this file cannot be read\(others): \(first.cause)",
        remedy: remedy, file: file)
  }

  /// The identity of the new journal: the same whenever the same events are salvaged.
  private func identity(
    of source: JournalID, from first: SalvageRoute.Place, to last: SalvageRoute.Place, keepsDigest: Bool
  ) -> JournalIdentity {
    let created =
      identities.first { self.source(of: $0.id) == source }?.createdNanoseconds
      ?? traces.lazy.compactMap(\.header).first { self.source(of: $0.id) == source }?.createdNanoseconds ?? 0
    let parent = JournalIdentity.Parent(
      id: source == .none ? Self.id("unknown", source, from: first, to: last) : source, sequence: first.sequence,
      chain: first.chain)
    return JournalIdentity(
      id: Self.id("salvage", source, from: first, to: last), createdNanoseconds: created, parent: parent,
      keepsHistoryDigest: keepsDigest, isSalvaged: true)
  }

  /// An id that is computed from what a new journal holds.
  private static func id(
    _ purpose: String, _ source: JournalID, from first: SalvageRoute.Place, to last: SalvageRoute.Place
  ) -> JournalID {
    let digest = HistoryDigest()
    var record = FixedRecord(size: 40)
    record.set(source.bytes, at: 0)
    for (index, place) in [first, last].enumerated() {
      record.set(place.sequence, at: 16 + 12 * index)
      record.set(place.chain, at: 24 + 12 * index)
    }
    let bytes = Array(purpose.utf8) + record.bytes
    bytes.withUnsafeBytes { digest.add($0) }
    return JournalID(bytes: Array(digest.value().prefix(16))) ?? .none
  }

  /// The id that stands for the journal of events whose journal no file named.
  static func unknownJournal(from first: SalvageRoute.Place, to last: SalvageRoute.Place) -> JournalID {
    id("unknown", .none, from: first, to: last)
  }

  // MARK: - The route

  /// Puts the fragments of a journal together.
  ///
  /// - Parameter strange: The segments whose events are left out.
  private func route(of source: JournalID, without strange: Set<Int>) throws(JournalError) -> SalvageRoute {
    let indices = fragments.indices.filter {
      self.source(of: traces[fragments[$0].trace].id) == source && !strange.contains(fragments[$0].trace)
    }
    var successors: [JournalID: [(ordinal: UInt64, lowest: SalvageRoute.Place)]] = [:]
    var limits: [UInt64?] = []
    var certain: [UInt64?] = []
    for index in indices {
      // Segments overrule each other only within their journal.
      let id = traces[fragments[index].trace].id ?? .none
      let list = successors[id] ?? self.successors(of: id, without: strange)
      successors[id] = list
      limits.append(try overruled(fragments[index], list))
      certain.append(lastCertain(of: fragments[index]))
    }
    var cuts: [UInt64] = []
    for (index, (limit, last)) in zip(indices, zip(limits, certain)) {
      cuts += [fragments[index].first - 1, fragments[index].last]
      if let limit, limit > fragments[index].first { cuts.append(limit - 1) }
      if let last, last >= fragments[index].first { cuts.append(last) }
    }
    cuts = Set(cuts).sorted()
    var ways: [SalvageRoute.Way] = []
    for (index, (limit, last)) in zip(indices, zip(limits, certain)) {
      let fragment = fragments[index]
      var from = fragment.from
      let inner = Self.slice(cuts, after: from.sequence, before: fragment.last)
      let chains = inner.isEmpty ? [] : try self.chains(of: fragment, at: inner, inHistory: true)
      let places = zip(inner, chains).map { SalvageRoute.Place(sequence: $0, chain: $1) }
      for to in places + [fragment.to] {
        var fate = SalvageRoute.Fate.kept
        if let limit, to.sequence >= limit {
          fate = .givenUp
        } else if let last, to.sequence > last {
          fate = .undecided
        } else if isEmbedded(fragment.trace) {
          fate = .embedded
        }
        ways.append(SalvageRoute.Way(from: from, to: to, fragment: index, fate: fate))
        from = to
      }
      guard ways.count <= SalvageRoute.maximumWays else {
        throw JournalError(
          .tooLarge, "the files overlap in more than \(UInt64(SalvageRoute.maximumWays).grouped) places",
          remedy: "salvage fewer copies at a time", file: files[fragment.file].path)
      }
    }
    return SalvageRoute(ways)
  }

  /// The last event of a fragment's segment that is of the history for certain; `nil` where nothing is uncertain.
  private func lastCertain(of fragment: SalvageFragment) -> UInt64? {
    segment(of: fragment).flatMap { lastCertain[$0] }
  }

  /// The segment of a directory's journal that a fragment is of.
  func segment(of fragment: SalvageFragment) -> SalvageSegment? {
    guard let id = traces[fragment.trace].id, let ordinal = ordinal(of: fragment) else { return nil }
    return SalvageSegment(folder: Self.folder(of: files[fragment.file].path), id: id, ordinal: ordinal)
  }

  /// The number of the segment that a fragment is of: that of its file where only links identify its events.
  func ordinal(of fragment: SalvageFragment) -> UInt64? {
    let trace = traces[fragment.trace]
    if let ordinal = trace.ordinal { return ordinal }
    return neighbors[files[fragment.file].path].flatMap { $0.id == trace.id ? $0.ordinal : nil }
  }

  private static func slice(_ sorted: [UInt64], after lower: UInt64, before upper: UInt64) -> ArraySlice<UInt64> {
    let start = sorted.partitioningIndex { $0 > lower }
    return sorted[start..<max(start, sorted.partitioningIndex { $0 >= upper })]
  }

  /// The first event of a fragment that a later segment overrules, when all copies of that segment agree. A segment
  /// that continues from another chain value than the fragment has there belongs to another history, and overrules
  /// nothing in this one.
  private func overruled(
    _ fragment: SalvageFragment, _ successors: [(ordinal: UInt64, lowest: SalvageRoute.Place)]
  ) throws(JournalError) -> UInt64? {
    guard let ordinal = ordinal(of: fragment),
      let later = successors.first(where: { $0.ordinal > ordinal }), later.lowest.sequence <= fragment.last
    else { return nil }
    let first = later.lowest.sequence
    if first >= fragment.first {
      let chain =
        first == fragment.first
        ? fragment.chainBefore : try chains(of: fragment, at: [first - 1], inHistory: false).first
      guard chain == later.lowest.chain else { return nil }
    }
    return first
  }

  /// The numbers of a journal's segments, and the lowest event with which one of that number or a later one begins, with
  /// the chain value before it.
  private func successors(
    of id: JournalID, without strange: Set<Int>
  ) -> [(ordinal: UInt64, lowest: SalvageRoute.Place)] {
    let headers = traces.indices.filter { !strange.contains($0) }.compactMap { traces[$0].header }
      .filter { $0.id == id }.sorted { $0.ordinal > $1.ordinal }
    var places: [UInt64: SalvageRoute.Place] = [:]
    var contested: Set<UInt64> = []
    for header in headers {
      let place = SalvageRoute.Place(sequence: header.firstSequence, chain: header.chainIn)
      if places.updateValue(place, forKey: header.ordinal).map({ $0 != place }) ?? false {
        contested.insert(header.ordinal)
      }
    }
    var result: [(ordinal: UInt64, lowest: SalvageRoute.Place)] = []
    var lowest = SalvageRoute.Place(sequence: .max, chain: 0)
    for header in headers where !contested.contains(header.ordinal) && result.last?.ordinal != header.ordinal {
      if header.firstSequence < lowest.sequence {
        lowest = SalvageRoute.Place(sequence: header.firstSequence, chain: header.chainIn)
      }
      result.append((header.ordinal, lowest))
    }
    return result.reversed()
  }

  /// The chain values after some events of a fragment, in order, of which the last is none.
  ///
  /// - Parameter inHistory: whether they are those of the history; otherwise they are the file's.
  func chains(
    of fragment: SalvageFragment, at cuts: ArraySlice<UInt64>, inHistory: Bool
  ) throws(JournalError) -> [UInt32] {
    let file: OpenFile
    do throws(FileSystemError) {
      file = try fileSystem.open(files[fragment.file].path, .read)
    } catch {
      throw JournalError.system(error, file: files[fragment.file].path)
    }
    defer { fileSystem.close(file) }
    let window = FileWindow(fileSystem: fileSystem, file: file, name: files[fragment.file].path)
    var chains: [UInt32] = []
    var cursor = FragmentCursor(fragment, at: fragment.first, window, inHistory: inHistory)
    for cut in cuts {
      // Chain values that differ from the file's are known from the first event on only.
      if !inHistory || fragment.differenceBefore == 0 { cursor = FragmentCursor(fragment, at: cut + 1, window) }
      while let event = try cursor.next() {
        guard event.sequence > cut else { continue }
        chains.append(event.chainBefore)
        break
      }
    }
    return chains
  }
}
