import AppProtection
import EventSourcing
import JSON
import Journal
import PolicyDocuments
import WireFormat

/// What must hold for any bytes in events, states and documents.
enum ContentProperties {
  typealias Machine = AppProtectionMachine

  /// An event's payload: what is understood is encoded as it came, and is folded into a state that can be kept.
  static func checkPayload(_ bytes: [UInt8]) throws(PropertyFailure) {
    let record = bytes.withUnsafeBytes { RecordedEvent<Machine.Event>(sequence: 1, chain: 0, payload: $0) }
    _ = record.fields
    _ = record.obstacle?.description
    guard let event = record.event else { return }
    var writer = WireWriter()
    event.encodeBody(into: &writer)
    var again: Machine.Event?
    do throws(WireError) {
      var reader = WireReader(UnsafeRawBufferPointer(start: nil, count: 0))
      again = try writer.bytes.withUnsafeBytes { buffer in
        Result { () throws(WireError) in
          reader = WireReader(buffer)
          return try Machine.Event.decode(type: event.type, version: record.envelope.version, body: &reader)
        }
      }.get()
    } catch {
      throw PropertyFailure("an event cannot be decoded again: \(error)")
    }
    try require(again == event, "an event is another one after encoding and decoding")
    var state = Machine.initialState
    for sequence in UInt64(1)...2 {
      Machine.reduce(into: &state, event, EventContext(sequence: sequence, moment: record.envelope.moment))
    }
    try checkState(state)
  }

  /// A state is the same after it was encoded and decoded.
  private static func checkState(_ state: Machine.State) throws(PropertyFailure) {
    var again = Machine.initialState
    for index in Machine.State.sliceNames.indices {
      let slice = state.encodedSlice(index)
      do throws(WireError) {
        try slice.withUnsafeBytes { buffer in
          Result { () throws(WireError) in
            var reader = WireReader(buffer)
            try again.decodeSlice(index, from: &reader)
          }
        }.get()
      } catch {
        throw PropertyFailure("slice \(Machine.State.sliceNames[index]) cannot be decoded again: \(error)")
      }
    }
    try require(StateDigest(of: again) == StateDigest(of: state), "a state is another one after encoding and decoding")
    _ = state.tree()
    _ = Machine.initialState.changes(to: state)
  }

  /// A history of any events: states or reasons, and with checkpoints and keyframes of any contents the same states as
  /// without them.
  static func checkHistory(_ files: [String: [UInt8]], look: UInt32) throws(PropertyFailure) {
    guard let history = try? History<Machine>(at: "j", fileSystem: FuzzFileSystem(files)) else { return }
    var replayed = history
    replayed.usesCheckpoints = false
    for position in [Position.end, .sequence(UInt64(look >> 8 % 16))] {
      guard let expected = try? replayed.state(at: position) else {
        _ = try? history.state(at: position)
        continue
      }
      guard let found = try? history.state(at: position) else {
        throw PropertyFailure("a checkpoint or keyframe keeps the state at \(position) from being known")
      }
      try require(
        StateDigest(of: found.state) == StateDigest(of: expected.state),
        "a checkpoint or keyframe leads to another state at \(position)")
    }
    if look & 48 == 0 { _ = try? history.check() }
  }

  /// A JSON text says the same after it was written and read again; a policy is read or refused.
  static func checkJSON(_ bytes: [UInt8]) throws(PropertyFailure) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument.parse(bytes)
    } catch {
      try require(!error.description.isEmpty, "a refused text has no reason")
      return
    }
    var writer = JSONWriter()
    writer.write(document.value)
    let again = try? JSONDocument.parse(writer.bytes)
    try require(again?.value == document.value, "a JSON text is another one after writing and reading")
    _ = try? GraphDocument.read(bytes)
  }
}
