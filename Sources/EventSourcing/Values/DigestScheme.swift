/// What the digest of a slice of a state covers.
public enum DigestScheme: Sendable, CaseIterable {
  /// What ``MachineState/digestSlice(_:into:)`` of the state writes: the canonical encoding with the digests of a large
  /// ``StateTable`` in place of its rows, so that the digest of a state costs what changed. A state that only lists its
  /// fields wrote the whole encoding. Envelopes record it in field 13, checkpoints in field 7.
  case merkle
  /// The same of a state that only lists its fields: its list says where the tables are. Envelopes record it in field 18,
  /// checkpoints in field 9.
  case listed
  /// The whole canonical encoding. The combined digest covers, before that of each slice, also the length of its name
  /// in UTF-8 (32 bits, little endian) and the name. Envelopes record it in field 10, checkpoints in field 3; only read.
  case canonical
}

/// The first eight bytes of the digest of a state, as an envelope records them.
public struct RecordedDigest: Equatable, Sendable {
  /// How the digest was computed.
  public var scheme: DigestScheme
  /// Its first bytes: eight, where a store recorded it.
  public var bytes: [UInt8]

  /// `bytes` are not empty.
  public init(_ bytes: [UInt8], as scheme: DigestScheme) {
    self.scheme = scheme
    self.bytes = bytes
  }
}
