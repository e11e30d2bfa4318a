import Synchronization

/// The catalogues in a journal's segments, each decoded once, for the events that a cursor serves.
package final class EventCatalogs<Catalog: Sendable>: Sendable {
  private struct State {
    var segment: SegmentName?
    var current: Catalog?
    /// What was decoded, by the bytes: most segments have the catalogue of the one before.
    var bytes: [UInt8] = []
    var decoded: Catalog?
  }

  private let reader: JournalReader
  private let decode: @Sendable ([UInt8]) -> Catalog
  private let state = Mutex(State())

  /// - Parameters:
  ///   - reader: The journal.
  ///   - decode: Reads a catalogue.
  package init(_ reader: JournalReader, decode: @escaping @Sendable ([UInt8]) -> Catalog) {
    self.reader = reader
    self.decode = decode
  }

  /// The catalogue of the segment that holds an event; `nil` where no copy of it can be read.
  package func catalog(of event: JournalEvent) -> Catalog? {
    state.withLock { state in
      if state.segment == event.segment { return state.current }
      state.segment = event.segment
      state.current = nil
      guard let bytes = try? reader.catalogBytes(in: event.segment) else { return nil }
      if state.decoded == nil || bytes != state.bytes { (state.bytes, state.decoded) = (bytes, decode(bytes)) }
      state.current = state.decoded
      return state.current
    }
  }
}

extension JournalReader {
  /// The catalogue of a segment, which may have been begun after this reader was created.
  fileprivate func catalogBytes(in segment: SegmentName) throws(JournalError) -> [UInt8]? {
    if let entry = catalog.segments.first(where: { $0.name == segment }) { return try catalogBytes(for: entry) }
    guard case .file(let bytes, let length) = try directory.content(of: segment.text, limit: Format.maximumHeaderSize),
      case .sound(let header) = SegmentHeader.read(bytes), header.id == identity.id
    else { return nil }
    return try catalogBytes(for: SegmentEntry(name: segment, header: header, knowsChain: true, length: length))
  }
}
