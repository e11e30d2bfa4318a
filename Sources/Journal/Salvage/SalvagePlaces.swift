import SystemCalls

/// Where the events of a journal are, or were: which file holds each number, and which of its bytes were not
/// identified.
struct SalvagePlaces {
  private struct Stretch {
    var first: UInt64
    var last: UInt64
    var start: UInt64
    var end: UInt64
  }

  /// One that the frames of a file belong to; all that only their links identify count as one.
  private struct Segment: Hashable {
    var base: UInt64
    var seed: UInt32?

    init(_ trace: SegmentTrace) {
      seed = trace.seed
      base = seed == nil ? 0 : trace.base
    }
  }

  /// The first events of the journal's segments, in order, each with the files that are that segment.
  private var segments: [(first: UInt64, files: [Int])] = []
  /// What was found in each file, in the order of the numbers.
  private var stretches: [Int: [Stretch]] = [:]
  /// The bytes of each file that hold no event of the journal, in order: nothing that verifies, or events of another one.
  private var others: [Int: [Range<UInt64>]] = [:]
  /// Those of them that verify, as events of another place or another journal.
  private var strangers: [Int: [Range<UInt64>]] = [:]
  /// The last certain event of each file in which the next one verifies and is undecided, because the next segment is
  /// missing: later events were in that one.
  private var undecided: [Int: UInt64] = [:]
  private let salvage: Salvage
  /// The files that the device did not deliver in full.
  private let refused: Set<String>

  init(_ salvage: Salvage, of source: JournalID) {
    self.salvage = salvage
    refused = Set(salvage.obstacles.lazy.compactMap(\.file))
    var files: [UInt64: [Int]] = [:]
    // Without other evidence of a file's segment, its name counts.
    var named: [Int: UInt64] = [:]
    let segmentOfMost = Self.segmentOfMost(salvage, of: source)
    func neighbor(_ index: Int) -> SalvageNeighbor? {
      salvage.neighbors[salvage.files[index].path].flatMap { salvage.source(of: $0.id) == source ? $0 : nil }
    }
    for (index, file) in salvage.files.enumerated() {
      if let neighbor = neighbor(index) {
        files[neighbor.firstSequence, default: []].append(index)
      } else if segmentOfMost[index] != nil, let name = SegmentName(FileName.lastComponent(of: file.path)) {
        named[index] = name.firstSequence
        files[name.firstSequence, default: []].append(index)
      }
    }
    for trace in salvage.traces {
      guard let header = trace.header, salvage.source(of: header.id) == source, named[trace.file] == nil,
        neighbor(trace.file) == nil
      else { continue }
      files[header.firstSequence, default: []].append(trace.file)
    }
    segments = files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    for (index, file) in salvage.files.enumerated() where !file.unexplained.isEmpty { others[index] = file.unexplained }
    /// Bytes that came from another place of a file, or from another file, replaced other events.
    func isInPlace(_ index: Int, _ events: ClosedRange<UInt64>) -> Bool {
      let trace = salvage.traces[index]
      if let neighbor = neighbor(trace.file) {
        return trace.seed == neighbor.seed && (trace.base == 0 || salvage.isDisplaced(index))
      }
      guard let first = named[trace.file] else { return true }
      let index = segments.partitioningIndex { $0.first > first }
      return segmentOfMost[trace.file] == Segment(trace) && events.lowerBound >= first
        && (index == segments.count || events.upperBound < segments[index].first)
    }
    for (index, trace) in salvage.traces.enumerated() {
      guard let header = trace.header, !isInPlace(index, header.firstSequence...header.firstSequence) else { continue }
      strangers[trace.file, default: []].append(trace.base..<max(trace.base + UInt64(header.size), trace.end))
    }
    let lastEnds = Dictionary(salvage.fragments.map { ($0.trace, $0.end) }, uniquingKeysWith: max)
    let displaced = Self.displaced(salvage)
    for (index, fragment) in salvage.fragments.enumerated() {
      let trace = salvage.traces[fragment.trace]
      guard salvage.source(of: trace.id) == source, !displaced.contains(index),
        isInPlace(fragment.trace, fragment.first...fragment.last)
      else {
        // Bookkeeping that verifies after the last one is of the same segment.
        let end = lastEnds[fragment.trace] == fragment.end ? max(fragment.end, trace.end) : fragment.end
        strangers[fragment.file, default: []].append(fragment.start..<end)
        continue
      }
      if let segment = salvage.segment(of: fragment), salvage.withoutSuccessor.contains(segment),
        let last = salvage.lastCertain[segment], fragment.first - 1..<fragment.last ~= last
      {
        undecided[fragment.file] = last
      }
      stretches[fragment.file, default: []].append(
        Stretch(first: fragment.first, last: fragment.last, start: fragment.start, end: fragment.end))
    }
    for file in stretches.keys { stretches[file]?.sort { ($0.first, $0.start) < ($1.first, $1.start) } }
    for (file, ranges) in strangers { others[file, default: []] += ranges }
    others = others.mapValues { Self.joined($0) }
  }

  /// Shifted frames that replaced others: those after later events or before earlier ones, and those before frames of
  /// their segment that stand where they were written.
  private static func displaced(_ salvage: Salvage) -> Set<Int> {
    struct Place: Hashable {
      var file: Int
      var seed: UInt32?
    }
    let fragments = salvage.fragments
    guard salvage.traces.contains(where: { $0.shift != 0 }) else { return [] }
    let sorted = fragments.indices.sorted {
      (fragments[$0].file, fragments[$0].start) < (fragments[$1].file, fragments[$1].start)
    }
    var result: Set<Int> = []
    var last: [Int: UInt64] = [:]
    for index in sorted {
      let fragment = fragments[index]
      if salvage.traces[fragment.trace].shift != 0, last[fragment.file, default: 0] >= fragment.first {
        result.insert(index)
      }
      last[fragment.file] = max(last[fragment.file, default: 0], fragment.last)
    }
    var inPlace: Set<Place> = []
    var first: [Int: UInt64] = [:]
    for index in sorted.reversed() {
      let fragment = fragments[index]
      let trace = salvage.traces[fragment.trace]
      let place = Place(file: fragment.file, seed: trace.seed)
      if trace.shift == 0 {
        inPlace.insert(place)
      } else if inPlace.contains(place) || first[fragment.file, default: .max] <= fragment.last {
        result.insert(index)
      }
      first[fragment.file] = min(first[fragment.file, default: .max], fragment.first)
    }
    return result
  }

  /// Stretches of bytes in order, with those that overlap as one.
  private static func joined(_ ranges: [Range<UInt64>]) -> [Range<UInt64>] {
    var result: [Range<UInt64>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = result.last, range.lowerBound < last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// The segment of which each file holds the most events of a journal.
  private static func segmentOfMost(_ salvage: Salvage, of source: JournalID) -> [Int: Segment] {
    var counts: [Int: [Segment: UInt64]] = [:]
    var result: [Int: (segment: Segment, count: UInt64)] = [:]
    for fragment in salvage.fragments {
      let trace = salvage.traces[fragment.trace]
      guard salvage.source(of: trace.id) == source else { continue }
      let segment = Segment(trace)
      let count = counts[fragment.file]?[segment, default: 0] ?? 0
      counts[fragment.file, default: [:]][segment] = count + fragment.count
      if result[fragment.file].map({ $0.count < count + fragment.count }) ?? true {
        result[fragment.file] = (segment, count + fragment.count)
      }
    }
    return result.mapValues(\.segment)
  }

  /// A loss, divided among the segments that held the events, each part with the bytes in its place that do not verify.
  func divided(_ loss: SalvageLoss) -> [SalvageLoss] {
    guard let events = loss.events else { return [loss] }
    var result: [SalvageLoss] = []
    var first = events.lowerBound
    var index = segments.partitioningIndex { $0.first > first } - 1
    while first <= events.upperBound {
      let next = index + 1 < segments.count ? segments[index + 1].first : .max
      let last = min(next - 1, events.upperBound)
      var part = loss
      part.events = first...last
      if index >= 0, let (file, range) = place(of: first...last, in: segments[index].files) {
        part.file = salvage.files[file].path
        part.byteRange = range
        if loss.file == nil || loss.cause == Self.unverified { part.cause = cause(file, range) }
      } else if index >= 0, segments[index].first == first,
        let file = segments[index].files.first(where: { isCutShort($0) })
      {
        part.file = salvage.files[file].path
        part.byteRange = 0..<salvage.files[file].length
        part.cause = "the file is cut short"
      } else if last < events.upperBound || first > events.lowerBound {
        part.file = nil
        part.byteRange = nil
        if loss.file != nil { part.cause = "no file of the pile holds them" }
      }
      if let before = result.last, before.file == nil, part.file == nil, let range = before.events {
        result[result.count - 1].events = range.lowerBound...last
      } else {
        result.append(part)
      }
      guard last < events.upperBound else { break }
      first = last + 1
      index += 1
    }
    return result
  }

  /// Why events are lost whose place holds only bytes in which nothing was found.
  static let unverified = "these bytes do not verify"

  /// Why events are lost that were in some bytes of a file.
  private func cause(_ file: Int, _ range: Range<UInt64>) -> String {
    guard strangers[file]?.contains(where: { $0.overlaps(range) }) ?? false else { return Self.unverified }
    let isDamaged = salvage.files[file].unexplained.contains { $0.overlaps(range) }
    return isDamaged ? "these bytes do not verify, or are other events" : "these bytes are other events"
  }

  /// Whether a file with a segment's name has no room for an event.
  private func isCutShort(_ file: Int) -> Bool { salvage.files[file].length <= UInt64(Format.segmentHeaderSize) }

  /// The bytes of a file between the events around some numbers that do not verify.
  private func place(of events: ClosedRange<UInt64>, in files: [Int]) -> (file: Int, range: Range<UInt64>)? {
    for file in files where !refused.contains(salvage.files[file].path) {
      if let last = undecided[file], last < events.lowerBound { continue }
      let found = stretches[file] ?? []
      let index = found.partitioningIndex { $0.last >= events.lowerBound }
      let start = index > 0 ? found[index - 1].end : 0
      let behind = found[index...].first { $0.first > events.upperBound }
      let end = behind?.start ?? salvage.files[file].length
      // In an image, later events may lie before earlier ones: the bytes between them are not those of the lost.
      guard start <= end else { continue }
      let holes = others[file] ?? []
      let low = holes.partitioningIndex { $0.upperBound > start }
      let high = holes.partitioningIndex { $0.lowerBound >= end }
      guard low < high else { continue }
      return (file, max(holes[low].lowerBound, start)..<min(holes[high - 1].upperBound, end))
    }
    return nil
  }
}
