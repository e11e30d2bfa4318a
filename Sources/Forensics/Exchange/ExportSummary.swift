/// What was exported.
public struct ExportSummary: Sendable {
  /// Number of events.
  public internal(set) var events: UInt64 = 0
  /// Number of events that are lost.
  public internal(set) var lost: UInt64 = 0
  /// The number of bytes before compression.
  public internal(set) var textBytes: UInt64 = 0
  /// How often each field was met; empty unless it was counted.
  public internal(set) var uses: [ExportFieldUse: UInt64] = [:]
  /// How many events hold secrets, in links too; 0 unless it was counted.
  public internal(set) var secretEvents: UInt64 = 0
  /// Whether the state in which the events begin holds secrets; `false` unless it was looked for.
  public internal(set) var stateHoldsSecrets = false
  /// Why a stored state did not leave; `nil` where none is needed, or it did.
  public internal(set) var withheldState: String?
  /// Whether what was exported had been redacted before.
  public internal(set) var wasRedacted = false
  /// What could not be read and is left out, with the reasons; the first ones of many.
  public internal(set) var unreadable: [String] = []
  /// How many records of kinds that this program does not know are left out, because it cannot tell what is personal in
  /// them.
  public internal(set) var withheldRecords: [String: UInt64] = [:]

  mutating func add(unreadable what: String) {
    if unreadable.count < 20 { unreadable.append(what) }
  }
}
