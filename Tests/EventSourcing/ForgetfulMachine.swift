import EventSourcing
import WireFormat

/// Counts its events, and a total that depends on the count. The encoding leaves the count out, as it must not.
enum ForgetfulMachine: Decider {
  struct State: MachineState {
    var total: UInt64 = 0
    var count: UInt64 = 0

    static let sliceNames = ["total"]

    func encodeSlice(_ index: Int, into writer: inout WireWriter) { writer.write(1, unsigned: total) }

    mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
      while let field = try reader.nextField() { total = try reader.unsigned(field) }
    }

    func tree() -> StateTree {
      .members([.init("total", .members([.init("total", .integer(Int64(clamping: total)))]))])
    }
  }

  static let revision: UInt32 = 1
  static let initialState = State()

  static func reduce(into state: inout State, _ event: LedgerEvent, _ context: EventContext) {
    state.count += 1
    state.total += state.count
  }

  static func decide(
    _ command: LedgerCommand, in state: State, at next: EventContext, explanation: inout Explanation
  ) throws(LedgerRejection) -> DecidedEvents<Self> {
    DecidedEvents([.started], in: state, at: next)
  }
}
