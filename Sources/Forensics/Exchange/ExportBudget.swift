/// How much of an export's limits is used, by what a reader holds in memory. The writer counts too, so that it writes nothing
/// that readers refuse.
struct ExportBudget {
  private let limits: ExportFormat.Limits
  private var events: UInt64 = 0
  private var lost: UInt64 = 0
  private var contentBytes = 0
  private var records = 0

  /// The most records besides events.
  private static let mostRecords = 100_000

  init(_ limits: ExportFormat.Limits) {
    self.limits = limits
  }

  /// Adds events, lost ones included.
  ///
  /// - Parameter bytes: The bytes of their payloads.
  /// - Returns: Why they are too many; `nil` if they are not. What is too much is not counted.
  mutating func add(events count: UInt64, bytes: Int = 0) -> String? {
    let (sum, overflows) = events.addingReportingOverflow(count)
    guard !overflows, sum <= limits.events else { return "it has more than \(limits.events) events" }
    events = sum
    return add(bytes)
  }

  /// Adds a run of lost events; returns why they are too many, if they are.
  mutating func add(lost count: UInt64) -> String? {
    if let excess = add(events: count) { return excess }
    guard count <= limits.lostEvents, lost <= limits.lostEvents - count else {
      return "it has more than \(limits.lostEvents) lost events"
    }
    lost += count
    return nil
  }

  /// Adds a record that is not an event, of which `bytes` are held; returns why it is too much, if it is.
  mutating func add(record bytes: Int) -> String? {
    guard records < Self.mostRecords else { return "it has too many records" }
    records += 1
    return add(bytes)
  }

  private mutating func add(_ bytes: Int) -> String? {
    guard bytes <= limits.contentBytes - contentBytes else {
      return "its events and records have more than \(limits.contentBytes >> 20) MiB"
    }
    contentBytes += bytes
    return nil
  }
}
