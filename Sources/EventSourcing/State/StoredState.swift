import WireFormat

/// A state as an earlier revision of the rules stored it, for ``Reducer/migrate(_:)``.
public struct StoredState<State: MachineState>: Sendable {
  /// The revision that computed it.
  public let revision: UInt32
  /// The names of its slices, in the order of their digests.
  public var sliceNames: [String] { slices.map(\.name) }

  private let slices: [(name: String, bytes: [UInt8])]
  private let initial: State

  init(_ slices: [(name: String, bytes: [UInt8])], revision: UInt32, initial: State) {
    self.slices = slices
    self.revision = revision
    self.initial = initial
  }

  /// The encoding of one slice, as it was stored; `nil` if the state had none of that name.
  public subscript(slice name: String) -> [UInt8]? { slices.first { $0.name == name }?.bytes }

  /// The state as this program's slices read it: those it did not have are initial, fields it did not have are absent, and
  /// slices that this program does not have are left out.
  public func decoded() throws(WireError) -> State {
    var state = initial
    for (index, name) in State.sliceNames.enumerated() {
      guard let bytes = self[slice: name] else { continue }
      try WireReader.decode(bytes) { (reader) throws(WireError) in try state.decodeSlice(index, from: &reader) }
    }
    return state
  }
}
