extension KeyBytes {
  /// Takes a key that was drawn or read into an array, and clears the array.
  package convenience init(taking key: inout [UInt8]) {
    self.init(copying: key)
    key.withUnsafeMutableBytes { Self.clear($0) }
  }
}
