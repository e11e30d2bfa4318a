import Journal

/// What a ``ProtectedFile`` reads and writes after its header. Used by one thread at a time.
protocol FileContents: AnyObject {
  var file: OpenFile { get }
  /// What the header says.
  var info: ProtectionInfo { get }
  var size: UInt64 { get }
  /// Reads what is there, at most the buffer's length.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(ProtectionError) -> Int
  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(ProtectionError)
  func truncate(to size: UInt64) throws(ProtectionError)
  /// Makes durable what was written.
  func sync() throws(ProtectionError)
  /// Gives the file back to the system. Does not sync.
  func release()
}
