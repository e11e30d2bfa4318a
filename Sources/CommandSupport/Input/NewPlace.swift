import Journal
import SystemCalls

/// The file or folder that a command makes.
package enum NewPlace {
  /// What a command makes.
  package enum Kind {
    case file
    /// A folder; some commands take one that is there, and look themselves whether it is empty.
    case folder(mayExist: Bool)

    fileprivate var noun: String {
      switch self {
      case .file: "file"
      case .folder: "folder"
      }
    }
  }

  /// Refuses what has the name already: a file, a device, a pipe, or a link, wherever it leads: what is written would appear
  /// where no one named it. Every command that makes a file or a folder asks here first.
  package static func refuseTaken(_ target: String, by kind: Kind, _ context: CommandContext) throws(Failure) {
    // With a slash or a dot after its name, the system takes a link for the folder that it leads to.
    var path = target[...]
    while path.utf8.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path = path.dropLast() }
    let name = String(path)
    let reason: String
    if Platform.isLink(name) {
      reason = Platform.exists(name) ? "this is a link, which is not followed" : "this link leads nowhere"
    } else {
      guard let found = Platform.kind(of: name) else { return }
      if case .folder(mayExist: true) = kind, found == .folder { return }
      reason = "this exists and is not replaced"
    }
    // Some commands take the folder as a word.
    let option = context.arguments.command.options.first { ["output", "man-pages"].contains($0.name) }
    throw Failure(
      .wrongUse,
      "\(option.map { "--\($0.name) \(target)" } ?? target): \(reason); name a \(kind.noun) that does not exist yet",
      next: "ls -ld \(name.shellWord)")
  }

  /// Refuses a target that would mix two journals.
  package static func check(_ target: String, apartFrom path: String, _ context: CommandContext) throws(Failure) {
    func refusal(_ why: String) -> Failure {
      Failure(.wrongUse, "\(target): \(why)", next: "\(Tool.name) help \(context.arguments.command.name)")
    }
    guard !target.isEmpty, target != "-" else {
      throw refusal("the target names the folder to write")
    }
    try refuseTaken(target, by: .folder(mayExist: true), context)
    if Platform.kind(of: target) != nil {
      guard let names = try? context.environment.fileSystem.list(target) else {
        throw Failure(.unreadable, "\(target): this folder cannot be read", next: "ls -ld \(target.shellWord)")
      }
      guard names.isEmpty else { throw refusal("this folder exists and is not empty") }
    }
    let folder = parent(of: target)
    switch Platform.kind(of: folder) {
    case .folder, .linkToFolder: break
    case .file, .other, nil:
      throw Failure(.unreadable, "\(target): its folder does not exist", next: "mkdir -p \(folder.shellWord)")
    }
    let fileSystem = context.environment.fileSystem
    if let one = try? fileSystem.identity(of: folder), let other = try? fileSystem.identity(of: path), one == other {
      throw refusal("this lies inside the journal that it continues; name a folder outside of it")
    }
  }

  private static func parent(of path: String) -> String {
    var path = path[...]
    while path.hasSuffix("/"), path.utf8.count > 1 { path = path.dropLast() }
    return FileName.folder(of: String(path))
  }
}
