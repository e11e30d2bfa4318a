/// One event as a cursor serves it.
public struct JournalEvent {
  /// Its position in the journal, from 1.
  public var sequence: UInt64
  /// The chain value after it: equal in two histories exactly when they agree up to here, except for one chance in
  /// 2³².
  public var chain: UInt32
  /// The bytes that were appended. Valid until the cursor's next call, and not longer than the cursor.
  public var payload: UnsafeRawBufferPointer
  /// The name of the segment file that holds it, in parts.
  var segment: SegmentName
  /// The offset of its frame in that file, in bytes.
  public var offset: UInt64
  /// Whether it ends a batch, which is atomic.
  public var isLastOfBatch = true

  /// The segment file that holds it.
  public var file: String { segment.text }
}

/// An item that a cursor serves: an event, or a finding about the place between two events.
public enum JournalItem {
  /// An event.
  case event(JournalEvent)
  /// Damage, a torn tail or a gap, at its place in the order.
  indirect case finding(Finding)
}

/// How far a reader goes.
public enum ReadLimit: Hashable, Sendable {
  /// To the last whole batch in the files. Events that are not durable yet may still disappear in a power cut, or when
  /// the writer's write or sync fails; reading on then throws an error that says so.
  case written
  /// To the last event that is known to be durable.
  case durable
}

/// One segment of a journal.
public struct JournalSegment: Hashable, Sendable {
  /// The file's name in the journal's directory.
  public var file: String
  /// Its number among the journal's segments, from 1.
  public var ordinal: UInt64
  /// The number of its first event, which may not have been written yet.
  public var firstSequence: UInt64
  /// The chain value before its first event.
  public var chainIn: UInt32
  /// The file's length in bytes, preallocated space included.
  public var length: UInt64
  /// How the previous segment ended, as this one's header says.
  public var predecessorEnd: SegmentEnd
}
