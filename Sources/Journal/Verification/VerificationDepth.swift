/// How much of what a journal states is computed again.
public enum VerificationDepth: Sendable {
  /// Every checksum, chain value, count and number: anything an accident can change.
  case checksums
  /// Also the SHA-256 of the history. Tampering then goes unnoticed only if all later anchors are rewritten too.
  /// Takes about three times as long.
  case digest
}
