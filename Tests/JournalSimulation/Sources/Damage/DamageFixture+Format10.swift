import Journal

extension DamageFixture {
  /// Closed journals in the bytes that the last program of format 1.0 wrote.
  ///
  /// - Parameter root: The folder of the repository.
  package static func format10(root: String) -> [DamageFixture] {
    ["checkpoints", "first-enrollment"].compactMap { name in
      let folder = "\(root)/Tests/Journal/Format10/\(name)"
      let files = PosixFileSystem()
      var image = DiskImage()
      image.directories = [Workload.path]
      for file in (try? files.list(folder)) ?? [] {
        image.files["\(Workload.path)/\(file)"] = read("\(folder)/\(file)", files)
      }
      guard let events = try? events(in: image) else { return nil }
      return DamageFixture("\(name), 1.0", leaving: image, events: events, promised: events.count)
    }
  }

  private static func read(_ path: String, _ files: PosixFileSystem) -> [UInt8]? {
    guard let file = try? files.open(path, .read) else { return nil }
    defer { files.close(file) }
    guard let size = try? files.size(of: file) else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = try? bytes.withUnsafeMutableBytes { try files.read(file, into: $0, at: 0) }
    return count == bytes.count ? bytes : nil
  }

  private static func events(in image: DiskImage) throws(JournalError) -> [[UInt8]] {
    var events: [[UInt8]] = []
    var cursor = try JournalReader(path: Workload.path, fileSystem: RecordingFileSystem(image)).cursor()
    while let item = try cursor.next() {
      if case .event(let event) = item { events.append([UInt8](event.payload)) }
    }
    return events
  }
}
