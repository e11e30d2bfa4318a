/// A stretch of events, and between which labels theirs lie.
package struct LabelledEvents: Equatable, Sendable {
  /// The first and the last event.
  package let events: ClosedRange<UInt64>
  /// The smallest and the largest label; `nil` where none were recorded.
  package let labels: ClosedRange<Int64>?
}

extension JournalReader {
  /// All events of an outlined journal in stretches with their labels, as footers state them and, in the last segment,
  /// anchors. Events that none of them describes form stretches without labels.
  ///
  /// A caller that reads a stretch finds out whether the labels are right. One footer is read for each segment, and one
  /// anchor for each block of the last.
  package func labelledEvents(in outline: JournalOutline) throws(JournalError) -> [LabelledEvents] {
    var stretches: [LabelledEvents] = []
    var next = outline.events.lowerBound
    for (place, entry) in catalog.segments.enumerated() {
      let following = place + 1 < catalog.segments.count ? catalog.segments[place + 1].header.firstSequence : nil
      let last = following.map { $0 - 1 } ?? outline.events.upperBound
      for block in try IndexedSegment(entry, in: directory)?.blocks(of: entry, before: catalog.head) ?? [] {
        guard block.firstSequence == next, block.eventCount > 0, UInt64(block.eventCount) <= last - next + 1 else {
          break
        }
        let end = next + UInt64(block.eventCount) - 1
        stretches.append(LabelledEvents(events: next...end, labels: block.labels.known))
        next = end + 1
        if next > last { break }
      }
      guard next <= last else { continue }
      stretches.append(LabelledEvents(events: next...last, labels: nil))
      next = last + 1
    }
    return stretches
  }
}

extension LabelRange {
  /// The range; `nil` where no labels were recorded.
  fileprivate var known: ClosedRange<Int64>? {
    self == .unknown || minimum > maximum ? nil : minimum...maximum
  }
}
