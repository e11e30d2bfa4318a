import EventSourcing
import PlainText

/// Counts over a history: events by type, day and account, their size, and anything unusual.
///
/// Memory grows with the number of types, accounts and days, not with the number of events.
public struct HistoryStatistics: Sendable {
  /// Number of events.
  public private(set) var events: UInt64 = 0
  /// The first and the last event; `nil` if there are none.
  public private(set) var sequences: ClosedRange<UInt64>?
  /// The earliest and the latest wall time; `nil` if there are no events.
  public private(set) var times: ClosedRange<Int64>?
  /// Number of events of each type.
  public private(set) var types: [String: UInt64] = [:]
  /// Number of events that name each account, keyed by account number.
  public private(set) var accounts: [UInt64: UInt64] = [:]
  /// Number of events on each day in UTC, keyed by days since 1970-01-01.
  public private(set) var days: [Int64: UInt64] = [:]
  /// The total size of all bodies and the size of the largest, in bytes, with the event that has it.
  public private(set) var bodyBytes: (total: UInt64, largest: UInt64, largestEvent: UInt64) = (0, 0, 0)
  /// Number of events that this program does not know or cannot read.
  public private(set) var unknown: UInt64 = 0
  /// Number of process starts.
  public private(set) var processes: UInt64 = 0
  /// The first clock jumps, at most ``maximumJumpsKept``.
  public private(set) var clockJumps: [ClockJump] = []
  /// Number of clock jumps.
  public private(set) var clockJumpCount: UInt64 = 0
  /// The longest time between two consecutive events, in nanoseconds, and the later of the two.
  public private(set) var longestPause: (nanoseconds: Int64, before: UInt64) = (0, 0)

  /// Number of findings by rule, such as `S-30`: likely mistakes in the app.
  public private(set) var findings: [String: UInt64] = [:]
  /// Why the state is unknown from some event on, so that later findings are missing; `nil` if it is known to the end.
  public private(set) var obstacle: HistoryError?
  /// The part at the beginning where the state is unknown and findings are missing, because events were retired; `nil`
  /// if the state is known from the first event of the range.
  public private(set) var retiredBeginning: RetiredBeginning?

  /// The most clock jumps kept.
  public static let maximumJumpsKept = 100

  /// Whether the events are of another domain, whose states and mistakes only its own program knows.
  public let isOfOtherDomain: Bool

  private var lastTime: Int64?
  /// Number of events of each type by its number, until all are counted.
  private var typeCounts: [UInt32: UInt64] = [:]
  /// The day of the last event, and the number of events on it that ``days`` lacks.
  private var today: (day: Int64, events: UInt64) = (0, 0)

  /// Whether ``findings`` cover the whole range or, if the journal's first events were retired, everything after the
  /// checkpoint that replaces them.
  public var isStateKnown: Bool {
    !isOfOtherDomain && obstacle == nil && (retiredBeginning?.checkpointSequence ?? 0) < sequences?.upperBound ?? .max
  }

  /// Reads part of a history.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - lower: The first event.
  ///   - upper: The last event; `nil` is the end.
  @inlinable
  public init<Domain: HistoryDomain>(
    of history: History<Domain>, from lower: UInt64 = 1, upTo upper: UInt64? = nil
  ) throws(HistoryError) {
    self.init(isOfOtherDomain: history.isOfOtherDomain)
    let printer = EventPrinter(Domain.Event.catalog, .on)
    var reader = try LogReader(history, from: lower, upTo: upper)
    while let item = try reader.next() {
      switch item {
      case .event(let step):
        record(
          step.record.sequence, step.record.envelope.moment, PrintedEvent(step.record), printer,
          startsProcess: step.record.otherDomain == nil && step.record.envelope.type == Domain.processStart)
        for finding in step.findings ?? [] { record(rule: finding.rule) }
      case .clockJump(let jump): record(jump)
      case .stateUnknown(let error): record(error)
      case .retiredBeginning(let beginning): record(beginning)
      case .finding: break
      }
    }
    finish(printer)
  }

  /// Counts nothing yet.
  @usableFromInline
  init(isOfOtherDomain: Bool) { self.isOfOtherDomain = isOfOtherDomain }

  @usableFromInline
  mutating func record(_ jump: ClockJump) {
    clockJumpCount += 1
    if clockJumps.count < Self.maximumJumpsKept { clockJumps.append(jump) }
  }

  @usableFromInline
  mutating func record(_ error: HistoryError) { obstacle = error }

  @usableFromInline
  mutating func record(_ beginning: RetiredBeginning) { retiredBeginning = beginning }

  @usableFromInline
  mutating func record(rule: String) { findings[rule, default: 0] += 1 }

  @usableFromInline
  mutating func record(
    _ sequence: UInt64, _ moment: Moment, _ event: PrintedEvent, _ printer: EventPrinter, startsProcess: Bool
  ) {
    events += 1
    if startsProcess { processes += 1 }
    sequences = (sequences?.lowerBound ?? sequence)...sequence
    if event.foreign == nil {
      typeCounts[event.type, default: 0] += 1
    } else {
      types[printer.kind(of: event).name, default: 0] += 1
    }
    for account in printer.accounts(of: event) { accounts[account, default: 0] += 1 }
    let size = UInt64(event.body.count)
    bodyBytes.total += size
    if size > bodyBytes.largest {
      bodyBytes.largest = size
      bodyBytes.largestEvent = sequence
    }
    if !event.isKnown { unknown += 1 }
    guard event.type != 0 else { return }
    let time = moment.wallNanoseconds
    times = min(times?.lowerBound ?? time, time)...max(times?.upperBound ?? time, time)
    let (quotient, rest) = time.quotientAndRemainder(
      dividingBy: CivilTime.secondsPerDay * CivilTime.nanosecondsPerSecond)
    let day = rest < 0 ? quotient - 1 : quotient
    if day != today.day { endDay() }
    today = (day, today.events + 1)
    if let lastTime {
      let (pause, overflow) = time.subtractingReportingOverflow(lastTime)
      if !overflow, pause > longestPause.nanoseconds { longestPause = (pause, sequence) }
    }
    lastTime = time
  }

  private mutating func endDay() {
    if today.events > 0 { days[today.day, default: 0] += today.events }
    today.events = 0
  }

  @usableFromInline
  mutating func finish(_ printer: EventPrinter) {
    endDay()
    for (type, count) in typeCounts { types[printer.kind(of: type).name, default: 0] += count }
  }
}

extension HistoryStatistics {
  /// A period and the number of events in it.
  public struct Bucket: Equatable, Sendable {
    /// The day, month or year, as text.
    public var name: String
    /// Number of events in the period.
    public var events: UInt64
  }

  /// The events over time, by day, month or year: the finest that yields at most `limit` periods. Periods without
  /// events are included.
  public func buckets(limit: Int = 32) -> [Bucket] {
    let sorted = days.keys.sorted()
    guard let first = sorted.first, let last = sorted.last, limit > 0 else { return [] }
    if last - first < Int64(limit) {
      return (first...last).map { Bucket(name: Self.date($0).dateText, events: days[$0] ?? 0) }
    }
    let from = Self.date(first)
    let to = Self.date(last)
    let months = (to.year - from.year) * 12 + to.month - from.month + 1
    let isMonthly = months <= limit
    var counts: [Int: UInt64] = [:]
    for day in sorted {
      let date = Self.date(day)
      counts[isMonthly ? date.year * 12 + date.month - 1 : date.year, default: 0] += days[day] ?? 0
    }
    let keys = isMonthly ? (from.year * 12 + from.month - 1)...(to.year * 12 + to.month - 1) : from.year...to.year
    return keys.map { key in
      Bucket(name: isMonthly ? "\(key / 12)-\((key % 12 + 1).padded(to: 2))" : "\(key)", events: counts[key] ?? 0)
    }
  }

  private static func date(_ day: Int64) -> CivilTime {
    CivilTime(daysSince1970: day)
  }
}
