import Journal
import WireFormat

extension History {
  /// How the last state digest recorded at or before an event was computed; ``StateDigest/Scheme/merkle`` if none was
  /// recorded. Reads backwards from the event: O(1) where writers record digests. What it reads does not count as read:
  /// no answer rests on it.
  public func digestScheme(at sequence: UInt64) -> StateDigest.Scheme {
    var reader = reader
    reader.coverage = nil
    let history = History(reader)
    var end = sequence
    var size: UInt64 = 64
    while end >= firstSequence, end > 0 {
      let start = end - min(end, size)
      var found: StateDigest.Scheme?
      // Events that cannot be read carry no digest.
      try? history.forEachRaw(after: start, upTo: end) { (event) throws(HistoryError) in
        found = Self.digestScheme(of: event) ?? found
      }
      if let found { return found }
      end = start
      size *= 8
    }
    return .merkle
  }

  private static func digestScheme(of event: JournalEvent) -> StateDigest.Scheme? {
    let fields = try? WireReader.decode(event.payload) { (reader) throws(WireError) in
      try EnvelopeFields(from: &reader)
    }
    guard let fields else { return nil }
    if !fields.merkleDigest.isEmpty { return .merkle }
    return fields.stateDigest.isEmpty ? nil : .canonical
  }
}
