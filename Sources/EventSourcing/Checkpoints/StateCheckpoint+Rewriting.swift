import WireFormat

/// Replaces parts of stored states, as where personal data gives way to pseudonyms.
package enum CheckpointRewriting {
  /// A checkpoint's body with other slices and other keys of commands, the digests that fit them, and no versions of entities.
  ///
  /// - Parameters:
  ///   - body: The body of a checkpoint that these rules wrote.
  ///   - machine: The rules.
  ///   - rewriteSlice: Returns the new encoding of a slice, given its index and its encoding.
  ///   - rewriteCommand: Returns another key and fingerprint of a command.
  /// - Throws: ``CheckpointRefusal`` when the body is of other rules or of a later program, or cannot be read.
  package static func rewritten<Machine: Reducer>(
    _ body: [UInt8], of machine: Machine.Type, rewriteSlice: (Int, [UInt8]) -> [UInt8],
    rewriteCommand: ([UInt8], [UInt8]) -> (key: [UInt8], fingerprint: [UInt8])
  ) throws(CheckpointRefusal) -> [UInt8] {
    var checkpoint = try StateCheckpoint(bytes: body)
    guard checkpoint.reducerRevision == Machine.revision else {
      throw .otherReducer(recorded: checkpoint.reducerRevision, current: Machine.revision)
    }
    var state = Machine.initialState
    var stored: [Int] = []
    for place in checkpoint.slices.indices {
      let slice = checkpoint.slices[place]
      guard let index = Machine.State.sliceNames.firstIndex(of: slice.name) else {
        throw .unknownSlice(name: slice.name)
      }
      stored.append(index)
      do throws(WireError) {
        try WireReader.decode(rewriteSlice(index, slice.bytes)) { (reader) throws(WireError) in
          try state.decodeSlice(index, from: &reader)
        }
      } catch {
        throw .unreadableSlice(name: slice.name, error)
      }
      checkpoint.slices[place].bytes = state.encodedSlice(index)
    }
    checkpoint.storedDigest = StateCheckpoint.digest(of: checkpoint.slices)
    var digester = StateDigester<Machine.State>()
    checkpoint.stateDigest = digester.combined(of: state, as: checkpoint.scheme, slices: stored).bytes
    var window = IdempotencyWindow()
    window.keyCheck = checkpoint.window.keyCheck
    for entry in checkpoint.window.inOrder {
      var new = entry
      (new.key, new.fingerprint) = rewriteCommand(entry.key, entry.fingerprint)
      window.insert(new)
    }
    checkpoint.window = window
    // Keys of entities may be personal, too.
    checkpoint.entities = []
    return checkpoint.encode()
  }
}

extension CheckpointRewriting {
  /// The state in a checkpoint's body; `nil` where these rules cannot use it.
  package static func state<Machine: Reducer>(in body: [UInt8], of machine: Machine.Type) -> Machine.State? {
    try? StateCheckpoint(bytes: body).restore(as: machine, asLastResort: true)
  }
}
