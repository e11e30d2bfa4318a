import Journal
import WireFormat

extension History {
  /// How the last state digest recorded at or before an event was computed; ``MachineState/digestScheme`` if none was
  /// recorded. Reads backwards from the event: O(1) where writers record digests. What it reads does not count as read:
  /// no answer rests on it.
  public func digestScheme(at sequence: UInt64) -> StateDigest.Scheme {
    lastRecordedScheme(upTo: sequence)?.scheme ?? Machine.State.digestScheme
  }

  /// How a store that goes on after an event records digests: like those before it, as long as the rules have their revision.
  /// Programs of before can compare them then, and one state is not digested in two ways.
  @usableFromInline
  func continuedScheme(after sequence: UInt64) -> StateDigest.Scheme {
    let own = Machine.State.digestScheme
    guard own == .listed, let last = lastRecordedScheme(upTo: sequence), last.scheme == .merkle else { return own }
    let revision = writers.place(of: last.sequence).flatMap { writers.spans[$0].revision } ?? Machine.revision
    return revision == Machine.revision ? last.scheme : own
  }

  private func lastRecordedScheme(upTo sequence: UInt64) -> (scheme: StateDigest.Scheme, sequence: UInt64)? {
    var reader = reader
    reader.coverage = nil
    let history = History(reader)
    var end = sequence
    var size: UInt64 = 64
    while end >= firstSequence, end > 0 {
      let start = end - min(end, size)
      var found: (scheme: StateDigest.Scheme, sequence: UInt64)?
      // Events that cannot be read carry no digest.
      try? history.forEachRaw(after: start, upTo: end) { (event) throws(HistoryError) in
        let fields = try? WireReader.decode(event.payload) { (reader) throws(WireError) in
          try EnvelopeFields(from: &reader)
        }
        if let fields, !fields.digest.isEmpty { found = (fields.digestScheme, event.sequence) }
      }
      if let found { return found }
      end = start
      size *= 8
    }
    return nil
  }
}
