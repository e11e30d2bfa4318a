import CommandSupport
import ProtectionSupport

/// The files of an app, by their paths below the folder or in the archive that was named.
protocol AppFiles {
  /// The names of the folders in a folder, in order; none where there is no such folder.
  func folders(in folder: String) throws(Failure) -> [String]
  /// The length of a file; `nil` where there is none.
  func size(of path: String) throws(Failure) -> Int?
  /// Bytes of a file; `nil` where they cannot be read.
  func bytes(of path: String, at offset: Int, count: Int) -> [UInt8]?
  /// The path as it is shown.
  func shown(_ path: String) -> String
}

/// An app in a folder. Links in it are not followed.
struct AppFolder: AppFiles {
  let root: String

  private static let mostNames = 10_000

  func shown(_ path: String) -> String { path.isEmpty ? root : "\(root)/\(path)" }

  func folders(in folder: String) throws(Failure) -> [String] {
    try refuseLinks(in: folder)
    let path = shown(folder)
    guard Platform.kind(of: path) == .folder || folder.isEmpty else { return [] }
    guard let names = Platform.names(in: path, limit: Self.mostNames), names.count <= Self.mostNames else {
      throw Failure(
        .unreadable, "\(path): the folder cannot be read, or holds more than \(Self.mostNames) names",
        next: "ls -ld \(path.shellWord)")
    }
    return names.filter { Platform.kind(of: "\(path)/\($0)") == .folder }
  }

  func size(of path: String) throws(Failure) -> Int? {
    try refuseLinks(in: path)
    guard Platform.kind(of: shown(path)) == .file else { return nil }
    return Platform.fileStatus(of: shown(path)).map { Int($0.size) }
  }

  func bytes(of path: String, at offset: Int, count: Int) -> [UInt8]? {
    Platform.bytes(of: shown(path), at: offset, count: count)
  }

  private func refuseLinks(in path: String) throws(Failure) {
    var place = root
    for name in path.split(separator: "/") {
      place += "/\(name)"
      guard Platform.isLink(place) else { continue }
      throw Failure(
        .unreadable, "\(place): a link in an app is not followed", next: "readlink -f \(place.shellWord)")
    }
  }
}

/// An app in an archive, of which the files that count are in memory.
struct ArchivedApp: AppFiles {
  private let name: String
  private let files: [String: [String: [UInt8]]]
  /// The names of the folders in each folder.
  private let children: [String: Set<String>]
  /// Why not everything could be read.
  let losses: [String]

  init(_ bytes: [UInt8], _ name: String) throws(Failure) {
    let archive = try ArchiveInput(bytes, name, for: .apps)
    self.name = name
    files = archive.journals
    var children: [String: Set<String>] = [:]
    for folder in files.keys {
      var parts = folder.split(separator: "/")
      while let name = parts.popLast() {
        guard children[parts.joined(separator: "/"), default: []].insert(String(name)).inserted else { break }
      }
    }
    self.children = children
    losses =
      archive.refused.map { "\($0.path): \($0.reason), so this one is not read" }
      + (archive.loss.map { ["\($0); what follows is not read"] } ?? [])
  }

  func shown(_ path: String) -> String { path.isEmpty ? name : "\(name)/\(path)" }

  func folders(in folder: String) -> [String] {
    (children[folder] ?? []).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func content(of path: String) -> [UInt8]? {
    let parts = path.split(separator: "/")
    return files[parts.dropLast().joined(separator: "/")]?[parts.last.map(String.init) ?? ""]
  }

  func size(of path: String) -> Int? { content(of: path)?.count }

  func bytes(of path: String, at offset: Int, count: Int) -> [UInt8]? {
    content(of: path).map { Array($0.dropFirst(offset).prefix(count)) }
  }
}
