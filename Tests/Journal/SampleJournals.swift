import Synchronization
import Testing

@testable import Journal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

let sampleID = JournalID(bytes: Array(0..<16)) ?? .none

/// Runs a test in a directory of its own, which is gone afterwards.
func withTemporaryDirectory<Result>(_ body: (String) throws -> Result) throws -> Result {
  var template = Array("/tmp/journal-tests-XXXXXX".utf8CString)
  let path = try template.withUnsafeMutableBufferPointer { buffer in
    let base = try #require(buffer.baseAddress)
    return String(cString: try #require(mkdtemp(base)))
  }
  defer {
    for name in Platform.list(path).0 { _ = Platform.remove(path + "/" + name) }
    _ = rmdir(path)
  }
  return try body(path)
}

/// The payloads that a reader serves.
func events(_ reader: JournalReader, beyondDamage: Bool = false) throws -> [[UInt8]] {
  var cursor = try reader.cursor(beyondDamage: beyondDamage)
  var payloads: [[UInt8]] = []
  while let item = try cursor.next() {
    if case .event(let event) = item { payloads.append(Array(event.payload)) }
  }
  return payloads
}
