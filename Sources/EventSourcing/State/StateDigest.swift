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
  /// What the digests of the slices cover.
  public let scheme: Scheme

  /// What the digest of a slice covers.
  public typealias Scheme = DigestScheme

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
    self.init(slices: slices, combined: .sha256(SliceDigests(slices, as: scheme).bytes), as: scheme)
  }

  @usableFromInline
  init(slices: [Slice], combined: Digest, as scheme: Scheme) {
    self.slices = slices
    self.combined = combined
    self.scheme = scheme
  }

  /// The digest of a state, by default as a new store records it. O(size of the state), except for tables whose digests are
  /// known.
  public init<State: MachineState>(of state: State, as scheme: Scheme? = nil) {
    var digester = StateDigester<State>()
    self = digester.digest(of: state, as: scheme)
  }
}

extension MachineState {
  /// How a new store computes digests of the state: by its field list, unless the state writes them itself. Found out once in a
  /// process.
  public static var digestScheme: StateDigest.Scheme {
    digestSchemes.value(ObjectIdentifier(Self.self)) {
      guard let blank = (Self.self as? any FieldList.Type)?.blank as? Self, !sliceNames.isEmpty else { return .merkle }
      var writer = DigestWriter()
      writer.scheme = .listed
      blank.digestSlice(0, into: &writer)
      return writer.isListed ? .listed : .merkle
    }
  }
}

/// The schemes of states: a generic type cannot keep its own.
private let digestSchemes = Memos<ObjectIdentifier, StateDigest.Scheme>()

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
