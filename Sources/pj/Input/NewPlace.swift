import Journal
import SystemCalls

/// The new folder that a command writes.
enum NewPlace {
  /// Refuses a link in the place of such a folder, wherever it leads: what is written would appear where no one named it. Every
  /// command that makes a folder asks here first.
  static func refuseLink(_ target: String, _ context: CommandContext) throws(Failure) {
    // With a slash or a dot after its name, the system takes a link for the folder that it leads to.
    var path = target[...]
    while path.utf8.count > 1, path.hasSuffix("/") || path.hasSuffix("/.") { path = path.dropLast() }
    let link = String(path)
    guard Platform.isLink(link) else { return }
    // Some commands take the folder as a word.
    let isOption = context.arguments.command.options.contains { $0.name == "output" }
    let name = isOption ? "--output \(target)" : target
    let reason = Platform.exists(link) ? "this is a link, which is not followed" : "this link leads nowhere"
    throw Failure(
      .wrongUse, "\(name): \(reason); name a folder that does not exist yet", next: "ls -ld \(link.shellWord)")
  }

  /// Refuses a target that would mix two journals.
  static func check(_ target: String, apartFrom path: String, _ context: CommandContext) throws(Failure) {
    func refusal(_ why: String) -> Failure {
      Failure(.wrongUse, "\(target): \(why)", next: "pj help \(context.arguments.command.name)")
    }
    guard !target.isEmpty, target != "-" else {
      throw refusal("the target names the folder to write")
    }
    try refuseLink(target, context)
    switch Platform.kind(of: target) {
    case .file, .other: throw refusal("this exists and is not a folder")
    case .folder, .linkToFolder:
      guard let names = try? context.environment.fileSystem.list(target) else {
        throw Failure(.unreadable, "\(target): this folder cannot be read", next: "ls -ld \(target.shellWord)")
      }
      guard names.isEmpty else { throw refusal("this folder exists and is not empty") }
    case nil: break
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
