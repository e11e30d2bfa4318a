import JSON
import PolicyDocuments
import SystemCalls
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The real documents in the repository.
enum Samples {
  /// The folder, found from this file's own place.
  static let folder: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return parts.joined(separator: "/") + "/journals/documents"
  }()

  /// The content of a file in the folder.
  static func bytes(_ name: String) throws -> [UInt8] {
    let file = try #require(fopen("\(folder)/\(name)", "rb"), "\(name) cannot be opened in \(folder)")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return bytes
  }

  /// The names of the JSON files in the folder, sorted.
  static func names() throws -> [String] {
    let (names, error) = SystemCalls.names(in: folder)
    try #require(error == 0)
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }

  /// The only policy of a text that has one.
  static func policy(_ text: String) throws -> SourcedPolicy {
    let document = try GraphDocument.read(Array(text.utf8))
    try #require(document.policies.count == 1 && document.refusals.isEmpty)
    return document.policies[0]
  }

  /// A minimal policy with the given members.
  static func text(_ members: String) -> String {
    "{\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\"\(members.isEmpty ? "" : ", ")\(members)}"
  }
}
