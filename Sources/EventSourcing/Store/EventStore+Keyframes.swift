import Journal

extension EventStore {
  /// Stores the state after the last batch as a keyframe.
  @usableFromInline
  func writeKeyframe(_ writer: inout StoreWriter<Machine>, isClosing: Bool = false) {
    let version = writer.version
    let checkpoint = StateCheckpoint(
      keyframeOf: version.state, digest: writer.digester.digest(of: version.state), window: writer.window,
      by: Machine.self)
    writer.keyframes.write(
      checkpoint, sequence: version.sequence, chain: version.chain, to: journal, isClosing: isClosing
    ) { sequence in
      guard var history = try? History<Machine>(at: path, fileSystem: fileSystem) else { return nil }
      history.goesBeyondDamage = true
      return try? history.chain(at: sequence)
    }
  }
}
