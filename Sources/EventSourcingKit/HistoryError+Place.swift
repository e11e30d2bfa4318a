import EventSourcing
import Journal

extension HistoryError {
  /// The same error with the journal named: an app may have several, and a file's name is the same in each.
  public func inJournal(at path: String) -> HistoryError {
    if case .journal(let error) = self { .journal(error.inJournal(at: path)) } else { self }
  }
}

extension JournalError {
  /// The same error with the journal's path before the file's name, or in its place.
  public func inJournal(at path: String) -> JournalError {
    guard file != path, file?.contains("/") != true else { return self }
    var error = self
    error.file = file.map { "\(path)/\($0)" } ?? path
    return error
  }
}
