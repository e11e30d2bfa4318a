/// The sixteen bytes before every payload.
struct FrameHeader: Equatable {
  let check: UInt32
  /// Sequence number (low 30 bits), last-of-batch (bit 30), durable-before (bit 31).
  let position: UInt32
  /// The chain value before this frame.
  let previous: UInt32
  /// Payload length (24 bits) and type (8 bits).
  let kind: UInt32

  static let lastOfBatch: UInt32 = 1 << 30
  static let durableBefore: UInt32 = 1 << 31

  /// Reads a header; `bytes` must point at sixteen readable bytes.
  @inline(__always)
  init(_ bytes: UnsafeRawPointer) {
    check = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    position = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    previous = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    kind = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
  }

  var sequenceBits: UInt32 { position & Format.sequenceMask }
  var isLastOfBatch: Bool { position & Self.lastOfBatch != 0 }
  var isDurableBefore: Bool { position & Self.durableBefore != 0 }
  var payloadLength: Int { Int(kind & 0xFF_FFFF) }
  var type: FrameType { FrameType(rawValue: UInt8(truncatingIfNeeded: kind >> 24)) }

  /// Header, payload and padding.
  @inline(__always)
  var size: Int { Self.size(payloadLength: payloadLength) }

  /// The size of a frame with a payload of this length.
  @inline(__always)
  static func size(payloadLength: Int) -> Int { (Format.frameHeaderSize + payloadLength + 7) & ~7 }

  /// Whether the fields lie in their ranges; judged before the length is used for anything.
  @inline(__always)
  var isPlausible: Bool {
    let type = kind >> 24
    return type != 0 && type < 64 && payloadLength <= Format.maximumPayloadLength
  }

  /// The chain value after this frame when the frame verifies at `offset`; `nil` when it does not.
  ///
  /// The header must be plausible, and all its ``size`` bytes must be readable at `bytes`.
  @inline(__always)
  func verifiedChain(_ bytes: UnsafeRawPointer, at offset: UInt64, seed: UInt32) -> UInt32? {
    let length = payloadLength
    let chain = Checksum.crc32(previous, UnsafeRawBufferPointer(start: bytes + 12, count: 4 + length))
    guard Checksum.frameCheck(seed: seed, offset: offset, position: position, chain: chain) == check else {
      return nil
    }
    var padding = Format.frameHeaderSize + length
    while padding & 7 != 0 {
      if bytes.load(fromByteOffset: padding, as: UInt8.self) != 0 { return nil }
      padding += 1
    }
    return chain
  }

  /// Completes a frame whose payload, zero padding and last header word are in place, and returns the chain after it.
  @inline(__always)
  static func complete(
    _ bytes: UnsafeMutableRawPointer, length: Int, position: UInt32, previous: UInt32, offset: UInt64, seed: UInt32
  ) -> UInt32 {
    let chain = Checksum.crc32(previous, UnsafeRawBufferPointer(start: bytes + 12, count: 4 + length))
    let check = Checksum.frameCheck(seed: seed, offset: offset, position: position, chain: chain)
    bytes.storeBytes(of: check.littleEndian, as: UInt32.self)
    bytes.storeBytes(of: position.littleEndian, toByteOffset: 4, as: UInt32.self)
    bytes.storeBytes(of: previous.littleEndian, toByteOffset: 8, as: UInt32.self)
    return chain
  }

  /// A whole frame that is not an event.
  static func encoded(
    _ type: FrameType, payload: [UInt8], sequence: UInt64, chain: UInt32, at offset: UInt64, seed: UInt32
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Format.frameHeaderSize)
    let kind = UInt32(payload.count) | UInt32(type.rawValue) << 24
    for index in 0..<4 { bytes[12 + index] = UInt8(truncatingIfNeeded: kind >> (8 * UInt32(index))) }
    bytes += payload
    while bytes.count & 7 != 0 { bytes.append(0) }
    let position = UInt32(truncatingIfNeeded: sequence) & Format.sequenceMask | lastOfBatch
    bytes.withUnsafeMutableBytes { buffer in
      guard let address = buffer.baseAddress else { return }
      _ = complete(
        address, length: payload.count, position: position, previous: chain, offset: offset, seed: seed)
    }
    return bytes
  }
}
