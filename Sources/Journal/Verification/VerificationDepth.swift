/// How much of what a journal states is computed again.
public enum VerificationDepth: Sendable {
  /// Every checksum, chain value, count and number: everything that accidents change.
  case checksums
  /// The SHA-256 of the history too, which nobody can change unnoticed who does not write all later anchors again. Takes about
  /// three times as long.
  case digest
}
