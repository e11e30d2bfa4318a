import EventSourcing
import Journal
import Synchronization
import WireFormat

/// How many events of ``CountingMachine`` are in memory, and the most there were at once.
enum LiveObjects {
  static let current = Atomic<Int>(0)
  static let highest = Atomic<Int>(0)
}

/// Counts itself while it lives.
final class LiveObject: Sendable {
  init() {
    let now = LiveObjects.current.add(1, ordering: .relaxed).newValue
    LiveObjects.highest.max(now, ordering: .relaxed)
  }

  deinit { LiveObjects.current.subtract(1, ordering: .relaxed) }
}

/// An event that shows how many of it are held at a time.
struct CountingEvent: JournaledEvent {
  static let number: UInt32 = 1
  static let domain = "counting"

  static let catalog = EventCatalog([
    EventDescriptor(1, "count.raised", body: MessageDescriptor("CountRaised", []), meaning: "One more.")
  ])

  let object = LiveObject()
  var type: UInt32 { Self.number }

  func encodeBody(into writer: inout WireWriter) { writer.write(1, unsigned: 1) }

  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> CountingEvent? {
    while let field = try body.nextField() { try body.skip(field) }
    return CountingEvent()
  }

  static func == (one: CountingEvent, other: CountingEvent) -> Bool { true }
}

/// Counts its events.
enum CountingMachine: Reducer {
  struct State: MachineState {
    var count: UInt64 = 0

    static let sliceNames = ["counter"]

    func encodeSlice(_ index: Int, into writer: inout WireWriter) { writer.write(1, unsigned: count) }

    mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
      while let field = try reader.nextField() { count = try reader.unsigned(field) }
    }

    func tree() -> StateTree {
      .members([.init("counter", .members([.init("count", .integer(Int64(clamping: count)))]))])
    }
  }

  static let revision: UInt32 = 1
  static let initialState = State()

  static func reduce(into state: inout State, _ event: CountingEvent, _ context: EventContext) { state.count += 1 }
}

extension JournalOptions {
  /// Nothing is synced: for tests that make no promises.
  static var unsynced: JournalOptions {
    var options = JournalOptions()
    options.syncPolicy = .none
    return options
  }
}
