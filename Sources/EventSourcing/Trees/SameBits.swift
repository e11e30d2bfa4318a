/// Compares values by their memory, where they are most often the same to the last bit.
@usableFromInline
enum SameBits {
  /// Whether two values hold the same bits. They are then equal; otherwise they may be, because bits between the parts of a
  /// value mean nothing. Not inlined: the optimizer must not see that such bits may never have been written.
  @usableFromInline @inline(never)
  static func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
    var offset = 0
    while offset &+ 8 <= count {
      let word = one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if word != other.loadUnaligned(fromByteOffset: offset, as: UInt64.self) { return false }
      offset &+= 8
    }
    while offset < count {
      let byte = one.load(fromByteOffset: offset, as: UInt8.self)
      if byte != other.load(fromByteOffset: offset, as: UInt8.self) { return false }
      offset &+= 1
    }
    return true
  }
}
