/// Knows the user's PIN, for a presentation that asks for it. The journal never holds one.
///
/// Keep no PIN in plain form: a keeper stores what a keychain, or a key of its own, makes of it.
public protocol PINKeeper: Sendable {
  /// Whether this is the PIN that was kept last.
  func isRight(_ pin: String) -> Bool
  /// How many PINs ago this one was last in use, 1 for the one that was kept last; `nil` if it is new, or forgotten.
  func age(of pin: String) -> UInt32?
  /// Keeps a PIN that the user chose and the rules took.
  func keep(_ pin: String)
}
