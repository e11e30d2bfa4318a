import Journal
import WireFormat

/// Why a checkpoint is not used. None of these damages the history: the events hold the same information.
public enum CheckpointRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be read, or its checksum is wrong.
  case unreadableFile(JournalError)
  /// The body is not that of a checkpoint.
  case unreadableBody(WireError)
  /// Another revision of the reducer computed the state.
  case otherReducer(recorded: UInt32, current: UInt32)
  /// The state lacks something that this program knows: `what` names it.
  case leftOut(what: String)
  /// Another program stored the state after events that this program may have to understand, or has left out.
  case unknownEvents
  /// The state has a slice that this program does not know and must understand.
  case unknownSlice(name: String)
  /// A slice of the state has a field, given by its number and those of the messages around it, that this program does not
  /// know.
  case unknownField(field: String, slice: String)
  /// The state names a slice twice.
  case repeatedSlice(name: String)
  /// One slice cannot be decoded.
  case unreadableSlice(name: String, WireError)
  /// The digest of the decoded state differs from the recorded one.
  case otherDigest(recorded: Digest?, decoded: Digest)
  /// The journal has a different chain at the checkpoint's position: the checkpoint belongs to another history.
  case otherChain(recorded: UInt32, actual: UInt32)
  /// The journal lacks the event at the checkpoint's position.
  case eventMissing
  /// The replay stopped before the checkpoint's position, so it could not be compared.
  case notReached

  /// Whether another program or another version of this one wrote it: its earlier checkpoints do not fit either.
  @usableFromInline var isOfOtherProgram: Bool {
    switch self {
    case .otherReducer, .unknownSlice, .unknownField: true
    // A later program may have written those before the one that went back.
    case .leftOut, .unknownEvents, .unreadableFile, .unreadableBody, .repeatedSlice, .unreadableSlice, .otherDigest,
      .otherChain, .eventMissing, .notReached:
      false
    }
  }

  /// The reason, phrased to follow "is not used: ".
  public var description: String {
    switch self {
    case .unreadableFile(let error): error.description
    case .unreadableBody(let error): "its body cannot be read: \(error.description)"
    case .otherReducer(let recorded, let current):
      "it was computed by revision \(recorded) of the rules, and this program has revision \(current)"
    case .leftOut(let what): "the program that wrote it did not know \(what), which its state lacks"
    case .unknownEvents: "another program stored it after events that this program may not know"
    case .unknownSlice(let name): "its state has the part \(name), which this program does not know and must understand"
    case .unknownField(let field, let slice):
      "field \(field) of the part \(slice) of its state is unknown to this program"
    case .repeatedSlice(let name): "its state has the part \(name) twice"
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
