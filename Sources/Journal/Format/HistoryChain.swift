/// The chain of a history that is not in a journal.
package enum HistoryChain {
  /// The chain value after an event with this payload.
  package static func value(after chain: UInt32, _ payload: UnsafeRawBufferPointer) -> UInt32 {
    let kind = (UInt32(payload.count) | UInt32(FrameType.event.rawValue) << 24).littleEndian
    return Checksum.crc32(withUnsafeBytes(of: kind) { Checksum.crc32(chain, $0) }, payload)
  }
}
