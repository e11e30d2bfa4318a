import Journal
import WireFormat

/// Why a checkpoint is not used. None of these is damage to the history: the events say everything again.
public enum CheckpointRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read, or its checksum is wrong.
  case unreadableFile(JournalError)
  /// The body is not a checkpoint's.
  case unreadableBody(WireError)
  /// Another revision of the reducer computed the state.
  case otherReducer(recorded: UInt32, current: UInt32)
  /// The program that wrote it had other event types.
  case otherCatalog
  /// The state was divided into other slices.
  case otherSlices(recorded: [String])
  /// One slice cannot be decoded.
  case unreadableSlice(name: String, WireError)
  /// The decoded state has another digest than the one recorded.
  case otherDigest(recorded: Digest?, decoded: Digest)
  /// The journal's chain at the checkpoint's position is another: the checkpoint belongs to another history.
  case otherChain(recorded: UInt32, actual: UInt32)
  /// The journal does not have the event at the checkpoint's position.
  case eventMissing
  /// The replay had to stop before its position, so nothing is known of it.
  case notReached

  /// Whether another program wrote it, or another version of this one: what it wrote before does not fit either.
  @usableFromInline var isOfOtherProgram: Bool {
    switch self {
    case .otherReducer, .otherCatalog, .otherSlices: true
    case .unreadableFile, .unreadableBody, .unreadableSlice, .otherDigest, .otherChain, .eventMissing, .notReached:
      false
    }
  }

  /// The reason, in words that follow "is not used: ".
  public var description: String {
    switch self {
    case .unreadableFile(let error): error.description
    case .unreadableBody(let error): "its body cannot be read: \(error.description)"
    case .otherReducer(let recorded, let current):
      "it was computed by revision \(recorded) of the rules, and this program has revision \(current)"
    case .otherCatalog: "the program that wrote it had other event types or fields"
    case .otherSlices(let recorded): "its state has other parts: \(recorded.joined(separator: ", "))"
    case .unreadableSlice(let name, let error): "its part \(name) cannot be read: \(error.description)"
    case .otherDigest(let recorded, let decoded):
      "its state has the digest \(decoded.shortHex), and \(recorded?.shortHex ?? "none that can be read") is recorded"
    case .otherChain(let recorded, let actual):
      "it belongs to another history: its chain is \(hex(recorded)), and that of the journal is \(hex(actual))"
    case .eventMissing: "the journal does not have the event at its position"
    case .notReached: "the replay did not get there"
    }
  }

  private func hex(_ chain: UInt32) -> String {
    let digits = String(chain, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
