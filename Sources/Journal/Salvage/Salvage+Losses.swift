extension Salvage {
  /// The last event of a journal that any evidence calls durable, unless a later segment begins at or before it.
  func claimedEnd(of source: JournalID) -> UInt64 { claim(of: source)?.sequence ?? 0 }

  private func claim(of source: JournalID) -> (sequence: UInt64, witness: String)? {
    let headers = traces.compactMap { trace in trace.header.map { ($0, trace.file) } }
      .filter { self.source(of: $0.0.id) == source }
    let starts = segmentStarts()
    var best: (sequence: UInt64, witness: String)?
    func claim(_ sequence: UInt64, _ id: JournalID, ordinal: UInt64, _ witness: String) {
      guard sequence > best?.sequence ?? 0,
        starts[id]?.overrule(ordinal: ordinal, sequence: sequence) != true
      else { return }
      best = (sequence, witness)
    }
    for (receipt, id, file) in receipts where self.source(of: id) == source && receipt.ordinal > 0 {
      claim(receipt.sequence, id, ordinal: receipt.ordinal, file)
    }
    for (checkpoint, id, file) in checkpoints where self.source(of: id) == source {
      claim(checkpoint.sequence, id, ordinal: checkpoint.ordinal, files[file].path)
    }
    for (header, file) in headers.sorted(by: { $0.0.firstSequence > $1.0.firstSequence }).prefix(64) {
      claim(
        header.firstSequence - 1, header.id, ordinal: header.ordinal - 1,
        "the segment header in \(files[file].path)")
    }
    for (sequence, id, ordinal, file) in claimsOfNames where self.source(of: id) == source {
      claim(sequence, id, ordinal: ordinal, "the name of \(file)")
    }
    // The salvage that kept the place of an event knew that it had existed.
    for place in placeholders {
      let trace = traces[place.trace]
      guard self.source(of: trace.id) == source else { continue }
      claim(
        place.events.upperBound, trace.id ?? .none, ordinal: trace.ordinal ?? .max,
        "an event without a payload in \(files[place.file].path)")
    }
    return best
  }

  /// Where the segments of each journal begin: only those of the same journal overrule each other.
  private func segmentStarts() -> [JournalID: SegmentStarts] {
    Dictionary(grouping: traces.lazy.compactMap(\.header), by: \.id).mapValues { SegmentStarts($0) }
  }

  /// Why no receipt says how far the history of a route reached; `nil` where one does. A salvaged journal's receipt
  /// does if its salvage knew the end, or if that journal was continued and the route ends in it: later events are its
  /// own. One under another name than `HEAD` in the directory of a journal may be older than the journal's end.
  func unknownEnd(of source: JournalID, _ route: SalvageRoute) -> SalvageReport.UnknownEnd? {
    let last = route.ways.last.flatMap { traces[fragments[$0.fragment].trace].id }
    let doubts = Dictionary(
      identities.compactMap { identity in identity.lastKnownOfParent.map { (identity.id, $0) } }, uniquingKeysWith: max)
    let unfinished = Set(identities.lazy.filter(\.isUnfinished).map(\.id))
    let starts = segmentStarts()
    var reason = SalvageReport.UnknownEnd.noHead
    func raise(_ other: SalvageReport.UnknownEnd) { if other.rawValue > reason.rawValue { reason = other } }
    if unfinished.contains(where: { self.source(of: $0) == source }) { raise(.unfinishedCopy) }
    for (receipt, id, file) in receipts where self.source(of: id) == source && !isMisnamed(file, Format.headName) {
      if unfinished.contains(id) || receipt.isUnfinished {
        raise(.unfinishedCopy)
      } else if let doubt = doubts[id], receipt.sequence <= doubt || id != last {
        raise(.earlierSalvage)
      } else if starts[id]?.overrule(ordinal: receipt.ordinal, sequence: receipt.sequence) == true {
        raise(.oldHead)
      } else {
        return nil
      }
    }
    return reason
  }

  /// The losses before, in and after a route.
  func losses(_ route: SalvageRoute, _ source: JournalID, _ report: SalvageReport) -> [SalvageLoss] {
    var losses = losses(in: beginning(of: source, before: report.events.lowerBound))
    let refused = Dictionary(grouping: obstacles, by: \.file)
    let places = placeholders.filter { self.source(of: traces[$0.trace].id) == source }
      .sorted { $0.events.lowerBound < $1.events.lowerBound }
    for (before, after) in zip(route.ways, route.ways.dropFirst()) where before.to.sequence < after.from.sequence {
      losses += self.losses(between: before, and: after, places, refused)
    }
    let last = report.events.upperBound
    if let claim = claim(of: source), claim.sequence > last {
      var loss = SalvageLoss(
        events: (last + 1)...claim.sequence, file: nil, byteRange: nil,
        cause: "\(claim.witness) says that they were durable, and no file holds them\(inKnownFormat)",
        certainty: .claimed)
      if let way = route.ways.last, let hole = hole(after: way) {
        loss.file = files[fragments[way.fragment].file].path
        loss.byteRange = hole
        loss.cause = "these bytes do not verify, and \(claim.witness) says that the events were durable"
      }
      losses.append(loss)
    }
    // A page that the device did not deliver is reported once: with the events that it held, where those are known.
    let segments = SalvagePlaces(self, of: source)
    let known = Dictionary(grouping: losses, by: \.file)
    return losses.flatMap { Self.isEarlier($0) ? [$0] : segments.divided($0) }
      .map { explained($0, refused[$0.file] ?? []) }
      + obstacles.filter { obstacle in !(known[obstacle.file] ?? []).contains { Self.loss($0, covers: obstacle) } }
  }

  private static func loss(_ loss: SalvageLoss, covers obstacle: SalvageLoss) -> Bool {
    guard let range = loss.byteRange, let part = obstacle.byteRange, loss.file == obstacle.file else { return false }
    return !part.isEmpty && range.lowerBound <= part.lowerBound && part.upperBound <= range.upperBound
  }

  /// A loss with the device's error, where the device is the cause.
  ///
  /// - Parameter obstacles: the obstacles of the file.
  private func explained(_ loss: SalvageLoss, _ obstacles: [SalvageLoss]) -> SalvageLoss {
    guard let obstacle = obstacles.first(where: { Self.loss(loss, covers: $0) }), let part = obstacle.byteRange else {
      return loss
    }
    var loss = loss
    loss.cause = "of these, bytes \(part.lowerBound) to \(part.upperBound - 1) are not to be had: \(obstacle.cause)"
    loss.needsNewerProgram = obstacle.needsNewerProgram
    return loss
  }

  /// - Parameters:
  ///   - places: the places that an earlier salvage kept, in order.
  ///   - refused: the obstacles of each file.
  private func losses(
    between before: SalvageRoute.Way, and after: SalvageRoute.Way, _ places: [LostPlace],
    _ refused: [String?: [SalvageLoss]]
  ) -> [SalvageLoss] {
    var losses: [SalvageLoss] = []
    var next = before.to.sequence + 1
    let last = after.from.sequence
    let start = places.partitioningIndex { $0.events.lowerBound >= next }
    for place in places[max(start - 1, 0)...] {
      guard next <= last, place.events.lowerBound <= last else { break }
      guard place.events.upperBound >= next else { continue }
      if place.events.lowerBound > next {
        losses.append(loss(of: next...(place.events.lowerBound - 1), between: before, and: after, refused))
      }
      let isSalvaged = identities.contains { $0.id == traces[place.trace].id && $0.isSalvaged }
      let end = min(place.events.upperBound, last)
      losses.append(
        SalvageLoss(
          events: max(next, place.events.lowerBound)...end, file: files[place.file].path, byteRange: place.byteRange,
          cause: "lost\(isSalvaged ? " before this journal was salvaged" : ""); \(Self.lostEarlier)",
          certainty: .certain))
      next = end + 1
    }
    if next <= last { losses.append(loss(of: next...last, between: before, and: after, refused)) }
    return losses
  }

  private func loss(
    of events: ClosedRange<UInt64>, between before: SalvageRoute.Way, and after: SalvageRoute.Way,
    _ refused: [String?: [SalvageLoss]]
  ) -> SalvageLoss {
    let one = fragments[before.fragment]
    let other = fragments[after.fragment]
    let (left, right) = (traces[one.trace], traces[other.trace])
    let isOneSegment = left.ordinal != nil && left.ordinal == right.ordinal && left.seed == right.seed
    var loss = SalvageLoss(
      events: events, file: nil, byteRange: nil, cause: "no file of the pile holds them\(inKnownFormat)",
      certainty: isOneSegment ? .certain : .byNumbers)
    if one.file == other.file, isOneSegment, one.end < other.start {
      loss.file = files[one.file].path
      // The search did not cover the bytes that the device did not deliver.
      let range = one.end..<other.start
      loss.byteRange = refused[files[one.file].path] == nil ? damage(range, inFile: one.file) : range
      loss.cause = SalvagePlaces.unverified
    } else if let hole = hole(after: before) {
      loss.file = files[one.file].path
      loss.byteRange = hole
      loss.cause = SalvagePlaces.unverified
    } else if let hole = hole(before: other) {
      loss.file = files[other.file].path
      loss.byteRange = hole
      loss.cause = SalvagePlaces.unverified
    }
    return loss
  }

  /// Missing events may be in a file that only a newer program can read.
  var inKnownFormat: String {
    obstacles.contains(where: \.needsNewerProgram) ? " in a format that this program knows" : ""
  }

  /// Why events are lost whose places were kept; only their own journal knows whether a salvage kept them.
  private static let lostEarlier = "events without a payload keep the place"

  /// Whether a loss was recorded by an earlier salvage, so that no file of the pile held the events.
  private static func isEarlier(_ loss: SalvageLoss) -> Bool {
    loss.cause.hasSuffix(lostEarlier) || loss.cause.hasSuffix(SalvageBeginning.recordedBySalvage)
  }

  /// The stretch directly after a way in which nothing was found. Where verified events follow it and were left out,
  /// the lost ones were not after those.
  private func hole(after way: SalvageRoute.Way) -> Range<UInt64>? {
    let fragment = fragments[way.fragment]
    guard way.to.sequence == fragment.last else { return nil }
    let holes = files[fragment.file].unexplained
    let index = holes.partitioningIndex { $0.lowerBound >= fragment.end }
    return index < holes.count && holes[index].lowerBound == fragment.end ? holes[index] : nil
  }

  /// The last stretch before a fragment in which nothing was found.
  private func hole(before fragment: SalvageFragment) -> Range<UInt64>? {
    let holes = files[fragment.file].unexplained
    let index = holes.partitioningIndex { $0.upperBound > fragment.start }
    return index > 0 ? holes[index - 1] : nil
  }

  /// The part of a range of bytes that does not verify: it excludes sound elements at its ends, such as an anchor.
  private func damage(_ range: Range<UInt64>, inFile index: Int) -> Range<UInt64> {
    let file = files[index]
    let first = file.unexplained.partitioningIndex { $0.lowerBound >= range.lowerBound }
    let last = file.unexplained.partitioningIndex { $0.upperBound > range.upperBound }
    return first < last ? file.unexplained[first].lowerBound..<file.unexplained[last - 1].upperBound : range
  }

  /// Why a way was not taken.
  ///
  /// - Parameter taken: the way of the route that begins at the same place, if one does.
  func aside(_ way: SalvageRoute.Way, _ route: SalvageRoute, taken: SalvageRoute.Way?) -> ExcludedEvents {
    let fragment = fragments[way.fragment]
    var reason = ExcludedEvents.Reason.otherHistory
    if way.fate == .givenUp {
      reason = .givenUp
    } else if way.fate == .undecided {
      reason = .undecided
    } else if let first = route.ways.first, let last = route.ways.last,
      max(way.from.sequence, last.to.sequence) - last.to.sequence > SalvageRoute.maximumGap
        || first.from.sequence - min(first.from.sequence, way.to.sequence) > SalvageRoute.maximumGap
    {
      reason = .tooFar
    }
    var events = way.events
    if let taken {
      // Both may agree for a while before they diverge.
      let common = (try? lastCommon(way, taken)) ?? way.from.sequence
      events = min(common + 1, events.upperBound)...events.upperBound
    }
    return ExcludedEvents(
      events: events, file: files[fragment.file].path, byteRange: fragment.start..<fragment.end, reason: reason)
  }

  /// The last event after which two ways that begin at one place have the same chain value.
  private func lastCommon(_ one: SalvageRoute.Way, _ other: SalvageRoute.Way) throws(JournalError) -> UInt64 {
    var opened: [OpenFile] = []
    defer { for file in opened { fileSystem.close(file) } }
    func cursor(_ way: SalvageRoute.Way) throws(JournalError) -> FragmentCursor {
      let fragment = fragments[way.fragment]
      let path = files[fragment.file].path
      do throws(FileSystemError) {
        opened.append(try fileSystem.open(path, .read))
      } catch {
        throw JournalError.system(error, file: path)
      }
      let window = FileWindow(fileSystem: fileSystem, file: opened[opened.count - 1], name: path)
      return FragmentCursor(fragment, at: way.from.sequence + 1, window, inHistory: true)
    }
    var first = try cursor(one)
    var second = try cursor(other)
    var common = one.from.sequence
    while let event = try first.next() {
      guard event.sequence > one.from.sequence else { continue }
      while let twin = try second.next(), twin.sequence < event.sequence {}
      guard event.sequence <= min(one.to.sequence, other.to.sequence), first.chain == second.chain else { break }
      common = event.sequence
    }
    return common
  }

  /// Adds events that were set aside, joined to the previous ones if they continue them.
  func add(_ aside: ExcludedEvents, to list: inout [ExcludedEvents]) {
    if var last = list.last, last.file == aside.file, last.reason == aside.reason, last.byteRange == aside.byteRange,
      last.events.upperBound + 1 == aside.events.lowerBound
    {
      last.events = last.events.lowerBound...aside.events.upperBound
      list[list.count - 1] = last
    } else {
      list.append(aside)
    }
  }

  /// The chain values after some events of a way.
  func chains(of way: SalvageRoute.Way, at cuts: [UInt64]) throws(JournalError) -> [UInt32] {
    var chains: [UInt32] = []
    let inner = cuts.filter { $0 < way.to.sequence }
    if !inner.isEmpty { chains = try self.chains(of: fragments[way.fragment], at: inner[...], inHistory: true) }
    if inner.count < cuts.count { chains.append(way.to.chain) }
    return chains
  }

  /// A checkpoint's body, if it matches its header.
  func body(of checkpoint: Checkpoint, inFile index: Int) throws(JournalError) -> [UInt8] {
    let path = files[index].path
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return try JournalDirectory(path: folder.isEmpty ? "/" : folder, fileSystem: fileSystem).body(of: checkpoint)
  }
}
