import CZlib

/// Decompresses a gzip file (RFC 1952) piece by piece, never more at a time than its buffer holds.
package final class GzipReader {
  /// How the file ends.
  package enum Ending: Equatable {
    /// Where its trailer says.
    case complete
    /// Before its trailer.
    case cut
    /// Its bytes are not what was compressed, or others follow them.
    case damaged(String)
  }

  private let bytes: [UInt8]
  private let stream: UnsafeMutablePointer<z_stream>
  private var taken = 0
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  /// How the file ends, once that is known.
  package private(set) var ending: Ending?

  /// Whether a file begins as gzip files do.
  static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

  /// Reads this file.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 16: only gzip, with its checksum.
    let code = inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib cannot decompress: it is out of memory or installed incompletely")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// The next bytes; `nil` at the end, which ``ending`` then describes.
  package func next() -> ArraySlice<UInt8>? {
    while ending == nil {
      let (code, count) = step()
      switch code {
      case Z_STREAM_END:
        ending = taken == bytes.count ? .complete : .damaged("other bytes follow the end of the compressed data")
      case Z_OK: break
      // Nothing is left to take, and nothing came out.
      case Z_BUF_ERROR where taken == bytes.count: if count == 0 { ending = .cut }
      default: ending = .damaged("the compressed data do not verify")
      }
      if count > 0 { return buffer[..<count] }
    }
    return nil
  }

  private func step() -> (code: Int32, count: Int) {
    bytes.withUnsafeBufferPointer { input in
      buffer.withUnsafeMutableBufferPointer { output in
        let count = min(input.count - taken, 1 << 20)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.advanced(by: taken))
        stream.pointee.avail_in = UInt32(count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        let code = inflate(stream, Z_NO_FLUSH)
        taken += count - Int(stream.pointee.avail_in)
        return (code, output.count - Int(stream.pointee.avail_out))
      }
    }
  }
}
