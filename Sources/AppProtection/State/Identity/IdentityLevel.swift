/// The level on which an identity is set.
public enum IdentityLevel: Int, WireEnumeration {
  /// The whole process: tasks, files and everything that no other level decides.
  case process = 0
  /// The user interface of the default window.
  case ui = 1
  /// The user interface of one further window.
  case window = 2
  /// One thread, or one task of Swift concurrency.
  case thread = 3
}
