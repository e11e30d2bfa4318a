/// When the next keyframe is due.
@usableFromInline
struct KeyframeSpacing: Sendable {
  /// The event with which, or behind which, it is; never when there are to be none.
  @usableFromInline private(set) var due: UInt64 = .max
  /// From which event on one is worth its room when the store is closed: whoever opens it then need not replay what came
  /// behind the last one.
  private(set) var dueOnClosing: UInt64 = .max
  /// The event behind which the last one was written, or the store opened.
  private var last: UInt64 = 0
  private let interval: UInt64

  /// - Parameter interval: How many events lie between two at least; 0 for none.
  init(every interval: UInt64, after sequence: UInt64) {
    self.interval = interval
    advance(after: sequence, bodyLength: 0)
  }

  /// The next one after one with a body of so many bytes. A large state is stored less often, so that keyframes beyond
  /// their first page take no more than sixteen bytes an event.
  mutating func advance(after sequence: UInt64, bodyLength: Int) {
    guard interval > 0 else { return }
    last = sequence
    let least = Self.leastDistance(bodyLength)
    let (next, isTooLate) = sequence.addingReportingOverflow(max(interval, least) - sequence % interval)
    due = isTooLate ? .max : next
    let (closing, isNever) = sequence.addingReportingOverflow(max(Self.closingInterval, interval / 2, least))
    dueOnClosing = isNever ? .max : closing
  }

  /// Whether so many events came since the last one that one with such a body takes no more room than is meant for it.
  func hasRoom(for bodyLength: Int, at sequence: UInt64) -> Bool {
    sequence >= last && sequence - last >= Self.leastDistance(bodyLength)
  }

  private static func leastDistance(_ bodyLength: Int) -> UInt64 {
    UInt64(max(0, bodyLength - pageSize) / bytesPerEvent)
  }

  /// None is due any more.
  mutating func end() {
    due = .max
    dueOnClosing = .max
  }

  /// Fewer events are replayed in less time than it takes to write a state.
  private static var closingInterval: UInt64 { 512 }
  private static var bytesPerEvent: Int { 16 }
  private static var pageSize: Int { 4096 }
}
