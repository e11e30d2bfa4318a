import CommandSupport
import EventSourcing
import Forensics

/// Finds journals, exports and archives in folders and their subfolders, in the order of the names' bytes.
///
/// Names that begin with a dot and links to folders are passed over; of other files, only those that are packed journals by
/// their first bytes or their names are returned. In memory are the names of the folders on the way to the current one.
struct FleetWalk {
  /// What is examined as one: a journal's folder, or a file that journals are packed in.
  struct Unit: Sendable {
    /// Its place.
    var place: FleetPlace
    /// The file or folder that was named.
    var folder: String
    /// The path to open.
    var path: String
    /// Why nothing in it is looked for; `nil` for what can be examined.
    var refusal: String?
    /// The stamp of its files before they were read; `nil` where no run is to be resumed.
    var stamp: FleetStamp?
  }

  private let folders: [String]
  private let archives: (any ArchiveOpener)?
  /// The next named file or folder.
  private var next = 0
  /// The folders on the way, each with the names that are left, the next one last.
  private var levels: [(path: String, names: [String])] = []
  /// The number of links to folders that were passed over.
  private(set) var links = 0

  /// The endings of packed journals, which are examined even where their first bytes are damaged.
  private let endings: [String]
  private static let deepest = 64

  init(_ folders: [String], _ context: CommandContext) {
    self.folders = folders
    archives = context.environment.tool.archives
    endings = [".pjx"] + (archives?.endings ?? [])
  }

  /// The next file or folder to examine.
  mutating func nextUnit() -> Unit? {
    while true {
      if let level = levels.last {
        guard let name = level.names.last else {
          levels.removeLast()
          continue
        }
        levels[levels.count - 1].names.removeLast()
        let path = level.path.isEmpty ? name : "\(level.path)/\(name)"
        if let unit = visit(path, next - 1, isNamed: false) { return unit }
      } else {
        guard next < folders.count else { return nil }
        next += 1
        if let unit = visit("", next - 1, isNamed: true) { return unit }
      }
    }
  }

  /// Looks at a file or folder: returns it if it is to be examined, and goes into any other folder.
  private mutating func visit(_ place: String, _ index: Int, isNamed: Bool) -> Unit? {
    let folder = folders[index]
    let path = place.isEmpty ? folder : folder.hasSuffix("/") ? folder + place : "\(folder)/\(place)"
    func unit(_ refusal: String? = nil) -> Unit {
      Unit(
        place: FleetPlace(folder: index, path: place.isEmpty ? "." : place), folder: folder, path: path,
        refusal: refusal)
    }
    switch Platform.kind(of: path) {
    case .file:
      if isNamed || mayBePacked(path) { return unit() }
    case .linkToFolder where !isNamed: links += 1
    case .folder, .linkToFolder:
      guard let names = Platform.names(in: path, limit: .max, skipsHidden: false) else {
        return unit("this folder cannot be read")
      }
      // Placeholders of a journal's files are hidden.
      if JournalPath.isJournal(names) { return unit() }
      guard levels.count < Self.deepest else { return unit("this is more than \(Self.deepest) folders deep") }
      levels.append((place, names.reversed().filter { !$0.hasPrefix(".") }))
    case .other: if isNamed || isNamedAsPacked(path) { return unit() }
    case nil: if isNamed || !Platform.isLinkToNothing(path) { return unit() }
    }
    return nil
  }

  private func isNamedAsPacked(_ path: String) -> Bool {
    let name = path.lowercased()
    return endings.contains(where: name.hasSuffix)
  }

  private func mayBePacked(_ path: String) -> Bool {
    if isNamedAsPacked(path) { return true }
    guard let beginning = Platform.beginning(of: path, count: 512) else { return true }
    return ExportReader.mayBeExport(beginning) || archives?.mayBeArchive(beginning) ?? false
  }
}

/// What the files of a journal, or the file that it is packed in, are like: while it stays the same, so do they.
///
/// It has the name, size, times of the last change of content and of anything else, and number of each file. A file that was
/// changed within the two seconds before it is read may change again without another time, so it has no stamp then.
struct FleetStamp: Equatable, Sendable {
  /// The stamp as text.
  var text: String
  /// When the newest of the files was last changed, in nanoseconds since 1970.
  var newest: Int64

  private static let patience: Int64 = 2_000_000_000

  /// The stamp of a file, or of a folder's files.
  init(of path: String) {
    var bytes: [UInt8] = []
    newest = .min
    // A lock that comes and goes changes nothing of the journal.
    let names = Platform.names(in: path, limit: .max)?.filter { $0 != "LOCK" }
    for file in names?.map({ "\(path)/\($0)" }) ?? [path] {
      let status = Platform.fileStatus(of: file)
      bytes += Array("\(file)\u{0}\(status.map { "\($0)" } ?? "missing")\n".utf8)
      newest = max(newest, status?.changed ?? .max, status?.modified ?? .max)
    }
    text = "\(Digest.sha256(bytes))"
  }

  /// Whether the files had been as they are for long enough at a time.
  func isSettled(at nanoseconds: Int64) -> Bool { newest < nanoseconds &- Self.patience }
}
