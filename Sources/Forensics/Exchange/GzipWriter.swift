import CZlib
import Journal

/// Compresses bytes as a gzip file (RFC 1952) that depends on nothing but them: its header carries neither a time nor a
/// name nor a system.
package final class GzipWriter {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  private let stream: UnsafeMutablePointer<z_stream>
  private var checksum: UInt32 = 0
  private var length: UInt32 = 0
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)
  private let sink: ([UInt8]) -> Void

  /// - Parameter sink: Takes the compressed bytes, piece by piece.
  package init(_ sink: @escaping ([UInt8]) -> Void) {
    self.sink = sink
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // Negative: without zlib's own header, which would name the system.
    let code = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib cannot compress: it is out of memory or installed incompletely")
    sink(Self.header)
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Compresses more bytes.
  package func write(_ bytes: [UInt8]) {
    var bytes = bytes
    checksum = Checksum.crc32(checksum, bytes)
    length &+= UInt32(truncatingIfNeeded: bytes.count)
    deflate(&bytes, Z_NO_FLUSH)
  }

  /// Ends the file.
  package func finish() {
    var nothing: [UInt8] = []
    deflate(&nothing, Z_FINISH)
    let trailer = [checksum, length].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) }
    }
    sink(trailer)
  }

  private func deflate(_ bytes: inout [UInt8], _ flush: Int32) {
    bytes.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(input.count)
      while true {
        let written = buffer.withUnsafeMutableBufferPointer { output in
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = UInt32(output.count)
          _ = CZlib.deflate(stream, flush)
          return output.count - Int(stream.pointee.avail_out)
        }
        if written > 0 { sink(Array(buffer[..<written])) }
        // Zlib left room in the buffer: it has taken everything.
        guard stream.pointee.avail_out == 0 else { return }
      }
    }
  }
}
