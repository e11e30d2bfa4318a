/// What power cuts can leave of any program's files.
package enum PowerCuts {
  /// A state of the device after a cut.
  package struct State {
    /// The number of operations that the system took before the cut.
    package var position: Int
    package var image: DiskImage
    /// How the cut treated what was on its way, for messages.
    package var fates: String
  }

  /// Calls `body` with the states that cuts after each operation can leave, each once.
  ///
  /// - Parameters:
  ///   - image: what was on the device before the operations.
  ///   - first: the first operation whose cuts are of interest.
  ///   - share: one in so many states is passed on.
  ///   - randomCount: random states for each operation.
  package static func forEach(
    of operations: [DiskOperation], on image: DiskImage = DiskImage(), from first: Int = 0, share: Int = 1,
    randomCount: Int = 12, seed: UInt64 = 1, _ body: (State) throws -> Void
  ) rethrows {
    var image = image
    image.directories.insert(".")
    var disk = Disk(image)
    var number = 0
    for position in 0...operations.count {
      if position > 0 { disk.perform(operations[position - 1]) }
      guard position >= first else { continue }
      var seen: Set<Int> = []
      for fates in CrashStates.fates(disk, randomCount: randomCount, seed: seed) {
        number += 1
        guard number % share == 0 else { continue }
        let state = disk.image(fates)
        guard seen.insert(state.fingerprint).inserted else { continue }
        try body(State(position: position, image: state, fates: "\(fates)"))
      }
    }
  }
}
