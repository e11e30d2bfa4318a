import Journal

/// The bytes of many events, one behind the other.
struct Payloads {
  private(set) var bytes: [UInt8] = []
  private(set) var sizes: [UInt32] = []

  var count: Int { sizes.count }

  /// Takes the first events of a journal.
  init(of journal: String, limit: Int) throws {
    try Self.forEachGroup(of: 1000, in: journal, limit: limit) { group in
      bytes += group.bytes
      sizes += group.sizes
    }
  }

  private init() {}

  /// Reads a journal in groups, the last of which may be smaller: a long one is never in memory as a whole.
  static func forEachGroup(
    of size: Int, in journal: String, limit: Int = .max, _ body: (Payloads) throws -> Void
  ) throws {
    var cursor = try JournalReader(path: journal).cursor()
    var group = Payloads()
    var count = 0
    while count < limit, let item = try cursor.next() {
      guard case .event(let event) = item else { continue }
      group.bytes.append(contentsOf: event.payload)
      group.sizes.append(UInt32(event.payload.count))
      count += 1
      if group.count == size {
        try body(group)
        group.bytes.removeAll(keepingCapacity: true)
        group.sizes.removeAll(keepingCapacity: true)
      }
    }
    if group.count > 0 { try body(group) }
  }

  /// Shows the events in groups, the last of which may be smaller.
  func forEachGroup(
    of size: Int, _ body: (UnsafeRawBufferPointer, UnsafeBufferPointer<UInt32>) throws -> Void
  ) throws {
    try bytes.withUnsafeBytes { bytes in
      try sizes.withUnsafeBufferPointer { sizes in
        var start = 0
        var index = 0
        while index < sizes.count {
          let group = UnsafeBufferPointer(rebasing: sizes[index..<min(index + size, sizes.count)])
          let length = group.reduce(0) { $0 + Int($1) }
          try body(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + length)]), group)
          start += length
          index += group.count
        }
      }
    }
  }
}
