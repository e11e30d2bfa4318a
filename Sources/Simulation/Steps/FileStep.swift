import AppProtection

/// What happens to one named file, of which an expectation can ask whose it is.
public enum FileStep: Equatable, Sendable {
  /// The file is opened on a thread, or inside a piece of work.
  case open(String, FileOwners.Access, on: Place)
  /// The file is given to an account, or to none where the name is empty; `verifies` refuses what another account
  /// owns.
  case protect(String, owner: String, verifies: Bool)
  /// The file is copied.
  case copy(String, to: String, on: Place)
  /// The file is moved.
  case move(String, to: String, on: Place)
  /// The file is removed.
  case remove(String)

  /// Where code of the app runs.
  public enum Place: Equatable, Sendable {
    /// The thread of this label.
    case thread(String)
    /// The piece of work of this label, on whatever thread.
    case work(String)
  }
}
