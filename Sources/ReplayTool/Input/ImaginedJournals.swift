import CommandSupport
import Forensics
import Journal

/// Tells journals that `pj whatif` wrote from those of devices.
package enum ImaginedJournals {
  /// Says which of the journals on the command line are imagined.
  package static func note(_ context: CommandContext) {
    var paths = context.arguments.positionals.flatMap { word in
      word.lastIndex(of: "@").map { [word, String(word[..<$0])] } ?? [word]
    }
    if paths.allSatisfy({ !JournalPath.isJournal($0) }) { paths.append(JournalPath.defaultPath) }
    var named: [String] = []
    for path in paths where JournalPath.isJournal(path) && !named.contains(path) {
      named.append(path)
      guard let reader = try? JournalReader(path: path, fileSystem: context.environment.fileSystem),
        reader.identity.id.isImagined
      else { continue }
      let parent = reader.identity.parent.map { " of journal \($0.id)" } ?? ""
      context.note(
        "\(path): these events are imagined, and not those of a device: \(Tool.name) whatif made them\(parent)")
    }
  }
}
