/// A device after a file system: what lasts, and what is on its way and may or may not arrive.
///
/// The assumptions are those of a correct device and file system, and no stronger:
///
/// - A successful sync of a file makes its bytes and length last; one of a directory makes its names last.
/// - What was not synced may arrive in any order, in part, or not at all, file by file and name by name.
/// - A file may become longer without its new bytes: they are then zeros, garbage, or what was in that place before.
/// - Bytes that a write does not touch are not changed by it, not even in the same sector.
/// - Sectors of 512 bytes arrive wholly or not at all, but for at most one write, which the cut itself interrupts.
/// - After a failed sync of a file nothing that was on its way to it ever lasts because of another sync; nor does a name
///   after a failed sync of its directory.
struct Disk: Sendable {
  struct Change: Sendable {
    enum Kind: Sendable {
      case write(offset: Int, bytes: [UInt8])
      case setSize(Int)
    }
    var kind: Kind
    /// The number of the operation that asked for it.
    var position: Int
    /// A sync said that it lasts.
    var isDurable = false
    /// A sync failed while it was on its way.
    var isDoomed = false
  }

  struct File: Sendable {
    /// What lasts, up to the first change that does not.
    var base: [UInt8] = []
    var changes: [Change] = []
    /// The lock file's content means nothing to a later process.
    var isIrrelevant = false

    mutating func settle() {
      for index in changes.indices where !changes[index].isDoomed { changes[index].isDurable = true }
      var settled = 0
      for change in changes {
        guard change.isDurable else { break }
        Disk.apply(change, to: &base)
        settled += 1
      }
      changes.removeFirst(settled)
    }
  }

  struct NameChange: Sendable {
    enum Kind: Sendable {
      case createDirectory(String)
      case create(String, Int)
      case rename(String, String, Int)
      case remove(String)
    }
    var kind: Kind
    var directory: String
    var position: Int
    /// A sync said that it lasts.
    var isDurable = false
    /// A sync failed while it was on its way.
    var isDoomed = false
  }

  var files: [File] = []
  var names: [String: Int] = [:]
  var directories: Set<String> = []
  var nameChanges: [NameChange] = []
  private(set) var position = 0

  /// A device that holds an image, as a file system numbers its files.
  init(_ image: DiskImage = DiskImage()) {
    directories = image.directories
    for path in image.files.keys.sorted() {
      names[path] = files.count
      files.append(File(base: image.files[path] ?? [], isIrrelevant: path.hasSuffix("/LOCK")))
    }
  }

  /// Takes the next operation.
  mutating func perform(_ operation: DiskOperation) {
    position += 1
    func note(_ kind: NameChange.Kind, in directory: String) {
      nameChanges.append(NameChange(kind: kind, directory: directory, position: position))
    }
    switch operation {
    case .createDirectory(let path): note(.createDirectory(path), in: path.parentPath)
    case .create(let path, let file):
      while files.count <= file { files.append(File()) }
      files[file].isIrrelevant = path.hasSuffix("/LOCK")
      note(.create(path, file), in: path.parentPath)
    case .write(let file, let offset, let bytes):
      files[file].changes.append(Change(kind: .write(offset: offset, bytes: bytes), position: position))
    case .setSize(let file, let size): files[file].changes.append(Change(kind: .setSize(size), position: position))
    case .rename(let from, let to, let file): note(.rename(from, to, file), in: to.parentPath)
    case .remove(let path): note(.remove(path), in: path.parentPath)
    case .sync(let file): files[file].settle()
    case .failedSync(let file):
      for index in files[file].changes.indices { files[file].changes[index].isDoomed = true }
    case .syncDirectory(let path):
      for index in nameChanges.indices where nameChanges[index].directory == path && !nameChanges[index].isDoomed {
        nameChanges[index].isDurable = true
      }
      settleNames()
    case .failedSyncDirectory(let path):
      for index in nameChanges.indices where nameChanges[index].directory == path { nameChanges[index].isDoomed = true }
    }
  }

  /// Takes over what lasts, up to the first change of each directory that does not: later ones change what it may leave.
  private mutating func settleNames() {
    var open: Set<String> = []
    var left: [NameChange] = []
    for change in nameChanges {
      if change.isDurable, !open.contains(change.directory) {
        Self.apply(change, &names, &directories)
      } else {
        open.insert(change.directory)
        left.append(change)
      }
    }
    nameChanges = left
  }

  /// Every change of a name that may still be lost, oldest first.
  var pendingNames: [NameChange] { nameChanges.filter { !$0.isDurable } }

  /// Every change to a file that may still be lost, oldest first.
  var pending: [(file: Int, change: Change)] {
    var all: [(file: Int, change: Change)] = []
    for (number, file) in files.enumerated() where !file.isIrrelevant {
      for change in file.changes where !change.isDurable { all.append((number, change)) }
    }
    return all.sorted { $0.change.position < $1.change.position }
  }

  /// What is there after a power cut, when it leaves the changes as `fates` say.
  func image(_ fates: Fates) -> DiskImage {
    var names = names
    var directories = directories
    for change in nameChanges where change.isDurable || fates.keepsName(change.position) {
      Self.apply(change, &names, &directories)
    }
    var image = DiskImage()
    image.directories = directories
    for (path, number) in names where directories.contains(path.parentPath) {
      let file = files[number]
      var bytes = file.base
      for change in file.changes {
        if change.isDurable || file.isIrrelevant {
          Self.apply(change, to: &bytes)
        } else {
          apply(change, fates.fate(of: change.position), of: number, to: &bytes)
        }
      }
      image.files[path] = bytes
    }
    return image
  }

  private static func apply(_ change: NameChange, _ names: inout [String: Int], _ directories: inout Set<String>) {
    switch change.kind {
    case .createDirectory(let path): directories.insert(path)
    case .create(let path, let file): names[path] = file
    case .rename(let from, let to, let file):
      names[from] = nil
      names[to] = file
    case .remove(let path):
      names[path] = nil
      directories.remove(path)
    }
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change.kind {
    case .write(let offset, let written): write(written, at: offset, to: &bytes)
    case .setSize(let size): setSize(size, of: &bytes)
    }
  }

  private func apply(_ change: Change, _ fate: Fate, of file: Int, to bytes: inout [UInt8]) {
    switch (fate, change.kind) {
    case (.kept, _): Self.apply(change, to: &bytes)
    case (.lost, _): break
    case (.torn(let tear), .setSize(let size)):
      // A length that arrives without the bytes in it.
      let old = bytes.count
      Self.setSize(size, of: &bytes)
      if old < size { fill(&bytes, old..<size, tear.fill, file) }
    case (.torn(let tear), .write(let offset, let written)):
      let end = offset + written.count
      let old = bytes.count
      if tear.fill == .absent {
        if let last = tear.lastKept(offset, written.count), old < last { Self.setSize(last, of: &bytes) }
      } else if old < end {
        Self.setSize(end, of: &bytes)
      }
      for block in tear.blocks(offset, written.count) {
        if block.isKept {
          let part = block.range.lowerBound - offset..<block.range.upperBound - offset
          bytes.replaceSubrange(block.range, with: written[part])
        } else {
          let start = tear.isInterrupted ? block.range.lowerBound : max(block.range.lowerBound, old)
          let end = min(block.range.upperBound, bytes.count)
          if start < end { fill(&bytes, start..<end, tear.fill, file) }
        }
      }
    }
  }

  /// Puts into a range what a device may show in the place of bytes that did not arrive.
  private func fill(_ bytes: inout [UInt8], _ range: Range<Int>, _ fill: Tear.Fill, _ file: Int) {
    switch fill {
    case .absent, .zeros: break
    case .garbage:
      var generator = SeededGenerator(seed: UInt64(range.lowerBound), UInt64(file))
      for index in range { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
    case .stale(let distance):
      // Blocks that held other things before: the same place of other files, or another place of this one.
      let source = distance == 0 ? files[(file + files.count - 1) % files.count].base : bytes
      for index in range where index - distance >= 0 && index - distance < source.count {
        bytes[index] = source[index - distance]
      }
    }
  }

  static func write(_ written: [UInt8], at offset: Int, to bytes: inout [UInt8]) {
    let end = offset + written.count
    if bytes.count < end { bytes.append(contentsOf: repeatElement(0, count: end - bytes.count)) }
    bytes.replaceSubrange(offset..<end, with: written)
  }

  static func setSize(_ size: Int, of bytes: inout [UInt8]) {
    if size < bytes.count {
      bytes.removeLast(bytes.count - size)
    } else {
      bytes.append(contentsOf: repeatElement(0, count: size - bytes.count))
    }
  }
}
