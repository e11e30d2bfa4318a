import EventSourcing
import Journal

/// What threads that fold stretches of a history on their own leave to the reader of its log.
///
/// A thread returns the items between its first and last event, in order, but cannot know whether the clock jumped
/// before the first. Every stretch that was read is passed, in order, to ``adopt(_:)`` or, if that refuses it, event by
/// event to ``next(_:)``.
extension LogReader {
  /// The part of a log that belongs to one stretch.
  @usableFromInline
  package struct Stretch: Sendable {
    let folded: FoldedStretch<Machine>
    let first: (sequence: UInt64, moment: Moment)
    let last: UInt64
    let clock: ClockWatch

    @usableFromInline
    init(
      folded: FoldedStretch<Machine>, first: (sequence: UInt64, moment: Moment), last: UInt64, clock: ClockWatch
    ) {
      (self.folded, self.first, self.last, self.clock) = (folded, first, last, clock)
    }
  }

  /// Reads the next stretch; `nil` where ``next()`` has to be called once everything read was adopted.
  package mutating func readNext(_ stretches: inout HistoryStretches<Machine>) -> HistoryStretch<Machine>? {
    waiting.isEmpty && !isAtEnd ? stretches.readNext(from: &cursor, upTo: upper) : nil
  }

  /// Passes the items of a stretch to `body`, except for a jump of the clock before its first event. Any thread may call
  /// it.
  ///
  /// - Parameter isPassedOver: Receives the type of each event; of one for which it returns `true` no item is passed, nor that
  ///   of a jump of the clock before it.
  /// - Returns: What the reader adopts; `nil` where it has to find the items itself.
  @inlinable
  package static func read(
    _ stretch: HistoryStretch<Machine>, passingOver isPassedOver: ((UInt32) -> Bool)? = nil,
    _ body: (consuming LogItem<Machine>) -> Void
  ) -> Stretch? {
    var clock = ClockWatch()
    var first: (sequence: UInt64, moment: Moment)?
    var last: UInt64 = 0
    func show(_ step: consuming HistoryStep<Machine>) {
      if first == nil { first = (step.record.sequence, step.record.envelope.moment) }
      last = step.record.sequence
      if let jump = clock.examine(step.record) { body(.clockJump(jump)) }
      body(.event(step))
    }
    let folded: FoldedStretch<Machine>?
    if let isPassedOver {
      folded = stretch.fold(
        passingOver: { sequence, type, moment in
          guard isPassedOver(type) else { return false }
          if first == nil { first = (sequence, moment) }
          last = sequence
          _ = clock.examine(sequence, moment)
          return true
        }, show)
    } else {
      folded = stretch.fold(show)
    }
    guard let folded, let first else { return nil }
    return Stretch(folded: folded, first: first, last: last, clock: clock)
  }

  /// Continues after a stretch; `false` if it would have found other items.
  ///
  /// - Parameter jump: The jump of the clock before its first event.
  package mutating func adopt(_ stretch: Stretch, jump: inout ClockJump?) -> Bool {
    guard cursor.adopt(stretch.folded) else { return false }
    jump = clock.examine(stretch.first.sequence, stretch.first.moment)
    clock = stretch.clock
    if stretch.last == upper { isAtEnd = true }
    return true
  }

  /// The item of an event that was read ahead; ``nextWaiting()`` returns those that follow it.
  @inlinable
  package mutating func next(_ event: JournalEvent) -> LogItem<Machine> { turn(to: cursor.step(to: event)) }

  /// The next item that is already known.
  @inlinable
  package mutating func nextWaiting() -> LogItem<Machine>? { waiting.isEmpty ? nil : waiting.removeFirst() }
}
