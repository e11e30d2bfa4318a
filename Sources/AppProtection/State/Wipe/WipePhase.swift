/// The phase of a wipe.
public enum WipePhase: Int, WireEnumeration {
  /// Ordered; the delegate has not answered yet.
  case requested = 0
  /// The delegate left the files to the engine, which removes them.
  case removingFiles = 1
  /// Data, policy and registration are gone.
  case completed = 2
  /// Data and policy are gone; the registration follows once the service was notified that the account leaves.
  case unenrolling = 3
}
