import Synchronization

/// Which events a reader's cursors have verified, and their findings: what was not read may still be damaged.
package final class ReadCoverage: Sendable {
  private struct State {
    /// The events read: in order, with gaps between them.
    var ranges: [ClosedRange<UInt64>] = []
    var findings: [Finding] = []
  }

  private let state = Mutex(State())

  /// Nothing has been read yet.
  package init() {}

  /// What the cursors found.
  package var findings: [Finding] { state.withLock { $0.findings } }

  /// The events of a range that no cursor has read. O(number of separate stretches read).
  package func unread(of events: ClosedRange<UInt64>) -> [ClosedRange<UInt64>] {
    var unread: [ClosedRange<UInt64>] = []
    var next = events.lowerBound
    for range in state.withLock({ $0.ranges }) where range.upperBound >= next && range.lowerBound <= events.upperBound {
      if range.lowerBound > next { unread.append(next...(range.lowerBound - 1)) }
      next = range.upperBound + 1
    }
    if next <= events.upperBound { unread.append(next...events.upperBound) }
    return unread
  }

  func add(_ finding: Finding) {
    state.withLock { $0.findings.append(finding) }
  }

  /// Adds events. Cursors read on, so almost always they extend the last stretch or lie in one.
  func add(_ events: ClosedRange<UInt64>) {
    state.withLock { state in
      // Stretches that overlap the events or border on them become one with them.
      let first = state.ranges.firstIndex { $0.upperBound + 1 >= events.lowerBound } ?? state.ranges.count
      var end = first
      var joined = events
      while end < state.ranges.count, state.ranges[end].lowerBound <= events.upperBound + 1 {
        joined =
          min(joined.lowerBound, state.ranges[end].lowerBound)...max(joined.upperBound, state.ranges[end].upperBound)
        end += 1
      }
      state.ranges.replaceSubrange(first..<end, with: [joined])
    }
  }
}
