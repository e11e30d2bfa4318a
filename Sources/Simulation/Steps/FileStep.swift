import AppProtection

/// An operation on a named file, whose owner an expectation can query.
public enum FileStep: Equatable, Sendable {
  /// Opens the file on a thread or inside a piece of work.
  case open(String, FileOwners.Access, on: Place)
  /// Gives the file to an account, or to no account if the name is empty; with `verifies`, refuses a file that another
  /// account owns.
  case protect(String, owner: String, verifies: Bool)
  /// Copies the file.
  case copy(String, to: String, on: Place)
  /// Moves the file.
  case move(String, to: String, on: Place)
  /// Removes the file.
  case remove(String)

  /// Where the app's code runs.
  public enum Place: Equatable, Sendable {
    /// The thread with this label.
    case thread(String)
    /// The piece of work with this label, on any thread.
    case work(String)
  }
}
