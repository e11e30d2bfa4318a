/// Copied events, which outlive the next call of the cursor that served them and can be read from other threads.
package struct KeptEvents: Sendable {
  private var bytes: [UInt8] = []
  private var places: [Place] = []

  private struct Place: Sendable {
    let sequence: UInt64
    let chain: UInt32
    let length: Int
    let segment: SegmentName
    let offset: UInt64
  }

  /// Creates room for events.
  package init() {}

  /// Their number.
  package var count: Int { places.count }
  /// The memory that they take, in bytes.
  package var byteCount: Int { bytes.count + places.count * MemoryLayout<Place>.stride }
  /// The number of the last event, and the chain value after it; `nil` without events.
  package var last: (sequence: UInt64, chain: UInt32)? { places.last.map { ($0.sequence, $0.chain) } }

  /// Copies an event to the end.
  package mutating func append(_ event: JournalEvent) {
    bytes.append(contentsOf: event.payload)
    places.append(
      Place(
        sequence: event.sequence, chain: event.chain, length: event.payload.count, segment: event.segment,
        offset: event.offset))
  }

  /// Passes the events to `body` in order. A payload is valid until `body` returns.
  package func forEach<Failure>(_ body: (JournalEvent) throws(Failure) -> Void) throws(Failure) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(Failure) in
      var start = 0
      for place in places {
        let payload = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<start + place.length])
        start += place.length
        try body(
          JournalEvent(
            sequence: place.sequence, chain: place.chain, payload: payload, segment: place.segment, offset: place.offset
          ))
      }
    }
  }
}
