/// Knows the user's PIN, for a presentation that asks for it. The journal never holds one.
///
/// A PIN is chosen in two steps, so that a process that dies in between leaves the journal and the keeper agreed: it is
/// proposed, the rules decide, and before the next question ``resolveProposal(_:)`` says what became of it.
///
/// Keep no PIN in plain form: a keeper stores what a keychain, or a key of its own, makes of it.
public protocol PINKeeper: Sendable {
  /// Whether this is the PIN that was kept last.
  func isRight(_ pin: String) -> Bool
  /// How many PINs ago this one was last in use, 1 for the one that was kept last; `nil` if it is new, or forgotten.
  func age(of pin: String) -> UInt32?
  /// Puts a PIN aside that the user chose, before the rules decide about it, in place of one that was put aside before.
  ///
  /// - Parameter setAt: ``LaunchPrompt/pinSetAt`` of the question, to be kept beside the PIN.
  /// - Returns: Whether it is durable. The PIN is not set otherwise.
  func propose(_ pin: String, replacing setAt: Int64?) -> Bool
  /// Keeps the PIN that was put aside if the rules took it: then `setAt` is a time other than the one beside it. Forgets it
  /// otherwise. Nothing is to be done without one.
  ///
  /// - Parameter setAt: ``LaunchPrompt/pinSetAt`` of the question that follows.
  func resolveProposal(_ setAt: Int64?)
}
