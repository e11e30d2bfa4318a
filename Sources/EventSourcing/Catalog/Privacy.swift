/// Who may see a value without asking for it: every field of every event has one of these classes.
public enum Privacy: UInt8, Sendable {
  /// Says nothing about a person: shown always.
  case `public` = 0
  /// Identifies a person or an organisation: shown as a pseudonym unless revealed.
  case account = 1
  /// A key, a token, a PIN: never printed, not even when accounts are revealed.
  case secret = 2
}
