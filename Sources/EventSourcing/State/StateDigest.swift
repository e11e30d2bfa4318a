import Cryptography
import WireFormat

/// The SHA-256 digests of a state: one per slice and a combined one.
///
/// The combined digest covers the digests of the slices in order. ``Scheme`` says what these cover.
/// Equal states have equal digests in every process and on every machine.
public struct StateDigest: Equatable, Sendable {
  /// The digests of the slices, in the order of ``MachineState/sliceNames``.
  public let slices: [Slice]
  /// The digest over all slices.
  public let combined: Digest

  /// What the digest of a slice covers.
  public enum Scheme: Sendable {
    /// The canonical encoding with the digests of a large ``StateTable`` in place of its rows, so that the digest of a state
    /// costs what changed. Envelopes record it in field 13, checkpoints in field 7.
    case merkle
    /// The whole canonical encoding. The combined digest covers, before that of each slice, also the length of its name
    /// in UTF-8 (32 bits, little endian) and the name. Envelopes record it in field 10, checkpoints in field 3; only read.
    case canonical
  }

  /// The digest of one slice.
  public struct Slice: Equatable, Sendable {
    /// The slice's name.
    public let name: String
    /// The SHA-256 of what the scheme covers.
    public let digest: Digest

    /// `digest` must cover what the scheme says.
    public init(name: String, digest: Digest) {
      self.name = name
      self.digest = digest
    }
  }

  /// Computes the combined digest from those of the slices.
  public init(slices: [Slice], as scheme: Scheme = .merkle) {
    self.slices = slices
    combined = .sha256(SliceDigests(slices, as: scheme).bytes)
  }

  @usableFromInline
  init(slices: [Slice], combined: Digest) {
    self.slices = slices
    self.combined = combined
  }

  /// The digest of a state. O(size of the state), except for tables whose digests are known.
  public init<State: MachineState>(of state: State, as scheme: Scheme = .merkle) {
    var digester = StateDigester<State>()
    self = digester.digest(of: state, as: scheme)
  }
}

/// The digests of the slices of successive states, which are the input of the combined digest.
@usableFromInline
struct SliceDigests: Sendable {
  /// For each slice: in the canonical scheme the length of its name and the name; the digest.
  private(set) var bytes: [UInt8] = []
  /// The offset of each slice's digest.
  private var places: [Int] = []
  private var computers: [SuccessiveSHA256] = []
  private var computer = SuccessiveSHA256()

  @usableFromInline
  init(_ slices: [StateDigest.Slice] = [], as scheme: StateDigest.Scheme = .merkle) {
    for slice in slices {
      if scheme == .canonical {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: slice.name.utf8.count).littleEndian) {
          bytes.append(contentsOf: $0)
        }
        bytes.append(contentsOf: slice.name.utf8)
      }
      places.append(bytes.count)
      computers.append(SuccessiveSHA256())
      slice.digest.append(to: &bytes)
    }
  }

  /// The numbers of the slices.
  @usableFromInline var indices: Range<Int> { places.indices }

  /// The digest of one slice.
  @usableFromInline
  subscript(index: Int) -> Digest { Digest(bytes, at: places[index]) }

  /// Takes over what the digest of one slice covers.
  @usableFromInline
  mutating func update(_ index: Int, _ message: borrowing WireWriter) {
    let digest = message.withBytes { Digest(inOrder: computers[index].digest($0)) }
    digest.write(to: &bytes, at: places[index])
  }

  /// The combined digest.
  @usableFromInline
  mutating func combined() -> Digest {
    bytes.withUnsafeBytes { Digest(inOrder: computer.digest($0)) }
  }
}
