@testable import Journal

/// A frame in the bytes of a segment.
struct SampleFrame {
  var offset: Int
  var end: Int
  var type: FrameType

  /// The frames of a sound segment, in order.
  static func all(in bytes: [UInt8]) -> [SampleFrame] {
    var frames: [SampleFrame] = []
    var offset = Format.segmentHeaderSize
    while offset + Format.frameHeaderSize <= bytes.count {
      let header = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map { FrameHeader($0 + offset) }
      }
      guard let header, header.isPlausible, offset + header.size <= bytes.count else { break }
      frames.append(SampleFrame(offset: offset, end: offset + header.size, type: header.type))
      offset += header.size
    }
    return frames
  }
}
