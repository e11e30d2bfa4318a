/// When the next keyframe is due.
@usableFromInline
struct KeyframeSpacing: Sendable {
  /// The event at or after which the next keyframe is due; never if keyframes are off.
  @usableFromInline private(set) var due: UInt64 = .max
  /// The event from which closing the store is worth a keyframe: the next opening then need not replay the events since
  /// the last one.
  private(set) var dueOnClosing: UInt64 = .max
  /// The event after which the last keyframe was written or the store was opened.
  private var last: UInt64 = 0
  private let interval: UInt64

  /// - Parameter interval: The fewest events between two keyframes; 0 turns them off.
  init(every interval: UInt64, after sequence: UInt64) {
    self.interval = interval
    advance(after: sequence, bodyLength: 0)
  }

  /// Schedules the keyframe after one with a body of `bodyLength` bytes. A large state is stored less often, so that
  /// keyframes beyond their first page take at most sixteen bytes per event.
  mutating func advance(after sequence: UInt64, bodyLength: Int) {
    guard interval > 0 else { return }
    last = sequence
    let least = Self.leastDistance(bodyLength)
    let (next, isTooLate) = sequence.addingReportingOverflow(max(interval, least) - sequence % interval)
    due = isTooLate ? .max : next
    let (closing, isNever) = sequence.addingReportingOverflow(max(Self.closingInterval, interval / 2, least))
    dueOnClosing = isNever ? .max : closing
  }

  /// Whether enough events came since the last keyframe for one with a body this long to keep to the limit per event.
  func hasRoom(for bodyLength: Int, at sequence: UInt64) -> Bool {
    sequence >= last && sequence - last >= Self.leastDistance(bodyLength)
  }

  private static func leastDistance(_ bodyLength: Int) -> UInt64 {
    UInt64(max(0, bodyLength - pageSize) / bytesPerEvent)
  }

  /// Schedules no more keyframes.
  mutating func end() {
    due = .max
    dueOnClosing = .max
  }

  /// Replaying fewer events than this is faster than writing a state.
  private static var closingInterval: UInt64 { 512 }
  private static var bytesPerEvent: Int { 16 }
  private static var pageSize: Int { 4096 }
}
