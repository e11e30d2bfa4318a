import Journal

/// The bytes of many events, one behind the other.
struct Payloads {
  private(set) var bytes: [UInt8] = []
  private(set) var sizes: [UInt32] = []

  var count: Int { sizes.count }
  var averageSize: Double { count == 0 ? 0 : Double(bytes.count) / Double(count) }

  /// Reads the events of a journal.
  init(of journal: String) throws {
    var cursor = try JournalReader(path: journal).cursor()
    while let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      bytes.append(contentsOf: event.payload)
      sizes.append(UInt32(event.payload.count))
    }
  }

  /// Shows the events in groups, the last of which may be smaller.
  func forEachGroup(
    of size: Int, limit: Int = .max, _ body: (UnsafeRawBufferPointer, UnsafeBufferPointer<UInt32>) throws -> Void
  ) throws {
    try bytes.withUnsafeBytes { bytes in
      try sizes.withUnsafeBufferPointer { sizes in
        var start = 0
        var index = 0
        let end = min(limit, sizes.count)
        while index < end {
          let group = UnsafeBufferPointer(rebasing: sizes[index..<min(index + size, end)])
          let length = group.reduce(0) { $0 + Int($1) }
          try body(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)]), group)
          start += length
          index += group.count
        }
      }
    }
  }
}
