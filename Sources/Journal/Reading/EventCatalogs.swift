import Synchronization

/// The catalogues in a journal's segments, for the events that a cursor serves. Few are held at a time.
package final class EventCatalogs<Catalog: Sendable>: Sendable {
  private struct State {
    var search: CatalogSearch
    var segment: SegmentName?
    var current: Catalog?
    /// What was decoded, by the SHA-256 of the bytes: most segments have the catalogue of an earlier one.
    var decoded: [[UInt8]: Catalog] = [:]
  }

  private let reader: JournalReader
  /// The places of the segments that the reader knows.
  private let places: [SegmentName: Int]
  private let decode: @Sendable ([UInt8]) -> Catalog
  private let state: Mutex<State>
  private let capacity: Int

  /// - Parameters:
  ///   - reader: The journal.
  ///   - capacity: The most catalogues that are held at a time.
  ///   - decode: Reads a catalogue.
  package init(_ reader: JournalReader, capacity: Int = 8, decode: @escaping @Sendable ([UInt8]) -> Catalog) {
    self.reader = reader
    self.capacity = capacity
    self.decode = decode
    places = Dictionary(
      zip(reader.catalog.segments.map(\.name), reader.catalog.segments.indices), uniquingKeysWith: { first, _ in first }
    )
    state = Mutex(State(search: CatalogSearch(reader)))
  }

  /// The catalogue of the segment that holds an event; `nil` where it has none, and where no copy of it can be read.
  package func catalog(of event: JournalEvent) -> Catalog? {
    state.withLock { state in
      guard state.segment != event.segment else { return state.current }
      do throws(JournalError) {
        state.current = try catalog(of: event.segment, &state)
        state.segment = event.segment
      } catch {
        // An error of the device may pass: the next event asks again.
        state.current = nil
        state.segment = error.code == .inputOutput ? nil : event.segment
      }
      return state.current
    }
  }

  private func catalog(of segment: SegmentName, _ state: inout State) throws(JournalError) -> Catalog? {
    guard let entry = try entry(of: segment, &state), let digest = try state.search.digest(of: entry) else {
      return nil
    }
    if let known = state.decoded[digest] { return known }
    let catalog = decode(try state.search.bytes(of: digest, for: entry))
    if state.decoded.count >= capacity { state.decoded = [:] }
    state.decoded[digest] = catalog
    return catalog
  }

  /// A segment, which may have been begun after the reader was created.
  private func entry(of segment: SegmentName, _ state: inout State) throws(JournalError) -> SegmentEntry? {
    if let place = places[segment] { return reader.catalog.segments[place] }
    let file = try reader.directory.content(of: segment.text, limit: Format.maximumHeaderSize)
    guard case .file(let bytes, let length) = file, case .sound(let header) = SegmentHeader.read(bytes),
      header.id == reader.identity.id
    else { return nil }
    let entry = SegmentEntry(name: segment, header: header, knowsChain: true, length: length)
    state.search.add(entry)
    return entry
  }
}
