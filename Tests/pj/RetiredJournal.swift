import AppProtection
import EventSourcing
import Journal

/// A journal whose first events are retired, so that a checkpoint holds what they led to.
enum RetiredJournal {
  /// Writes it in a folder; returns its path.
  static func write(in folder: String) throws -> String {
    let path = "\(folder)/retired"
    try SmallSegments.write("first-enrollment", to: path)
    let run = ToolRun("retire", path, "15", "--yes")
    guard run.code == .done else { throw TestFiles.Failed("retire: \(run.notes)") }
    return path
  }
}
