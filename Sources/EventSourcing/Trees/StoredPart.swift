extension UnsafeRawBufferPointer {
  /// The address of a value, if it is a stored part of the whole in this memory: anything computed is passed in memory of its own.
  @inlinable @inline(__always)
  func address<Value>(ofStored value: inout Value) -> UnsafeMutableRawPointer? {
    let place = withUnsafeMutablePointer(to: &value) { UnsafeMutableRawPointer($0) }
    guard let start = baseAddress, start <= UnsafeRawPointer(place),
      UnsafeRawPointer(place) + MemoryLayout<Value>.size <= start + count
    else { return nil }
    return place
  }
}
