import Cryptography
import CZlib
import Synchronization

/// A catalogue as segments hold it: its SHA-256 in the header, and itself, deflated, in the CATALOG frame.
struct SegmentCatalog: Hashable, Sendable {
  private enum Content: Sendable {
    case inflated([UInt8], Deflated)
    case payload([UInt8])
  }

  /// The payload of a CATALOG frame, once it was written.
  private final class Deflated: Sendable {
    let payload = Mutex<[UInt8]?>(nil)
  }

  /// The SHA-256 of the inflated catalogue.
  let digest: [UInt8]
  private let content: Content

  static func == (one: SegmentCatalog, other: SegmentCatalog) -> Bool { one.digest == other.digest }
  func hash(into hasher: inout Hasher) { hasher.combine(digest) }

  /// A catalogue that is deflated when it is first written.
  init(inflated: [UInt8]) {
    digest = Self.digest(of: inflated)
    content = .inflated(inflated, Deflated())
  }

  /// The catalogue in a CATALOG frame; `nil` when the payload is not one.
  init?(payload: [UInt8]) {
    guard let inflated = Self.inflate(payload) else { return nil }
    digest = Self.digest(of: inflated)
    content = .payload(payload)
  }

  /// The payload of a CATALOG frame.
  func payload() throws(JournalError) -> [UInt8] {
    switch content {
    case .payload(let bytes): return bytes
    case .inflated(let bytes, let deflated):
      return try deflated.payload.withLock { (known) throws(JournalError) in
        if let known { return known }
        let payload = try Self.deflate(bytes)
        known = payload
        return payload
      }
    }
  }

  private static func deflate(_ bytes: [UInt8]) throws(JournalError) -> [UInt8] {
    var record = FixedRecord(size: Format.catalogHeaderSize)
    record.set(UInt32(bytes.count), at: 0)
    var count = compressBound(UInt(bytes.count))
    var deflated = [UInt8](repeating: 0, count: Int(count))
    guard compress2(&deflated, &count, bytes, UInt(bytes.count), Z_BEST_COMPRESSION) == Z_OK else {
      throw JournalError(.inputOutput, "the catalogue could not be deflated", remedy: "free some memory")
    }
    return record.bytes + deflated.prefix(Int(count))
  }

  /// The catalogue's bytes; `nil` when they cannot be inflated any more.
  var inflated: [UInt8]? {
    switch content {
    case .inflated(let bytes, _): bytes
    case .payload(let bytes): Self.inflate(bytes)
    }
  }

  /// Inflates a payload; `nil` unless the zlib stream fills it and gives exactly as many bytes as it states. No more
  /// than that is ever taken, however much the stream would give.
  private static func inflate(_ payload: [UInt8]) -> [UInt8]? {
    guard let record = FixedRecord(payload, size: payload.count), payload.count >= Format.catalogHeaderSize else {
      return nil
    }
    let stated = record.integer(at: 0, as: UInt32.self)
    guard stated <= UInt32(Format.maximumCatalogLength), record.isZero(4..<8) else { return nil }
    let stream = Array(payload[Format.catalogHeaderSize...])
    var bytes = [UInt8](repeating: 0, count: max(Int(stated), 1))
    var (count, taken) = (UInt(stated), UInt(stream.count))
    guard uncompress2(&bytes, &count, stream, &taken) == Z_OK, count == UInt(stated), taken == UInt(stream.count) else {
      return nil
    }
    return Array(bytes.prefix(Int(stated)))
  }

  private static func digest(of bytes: [UInt8]) -> [UInt8] {
    var running = RunningSHA256()
    bytes.withUnsafeBytes { running.add($0) }
    return running.digest
  }
}
