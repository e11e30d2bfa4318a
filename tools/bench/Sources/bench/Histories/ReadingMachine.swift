import EventSourcing
import WireFormat

/// A small domain for events of 128 bytes: readings of numbers, and their sum.
enum ReadingMachine: Decider {
  /// Takes this many readings at once.
  struct Command: Sendable {
    var count: Int
  }

  /// Nothing is refused.
  enum Rejection: Error, Equatable, CustomStringConvertible {
    case never
    var description: String { "never" }
  }

  struct State: MachineState {
    var count: UInt64 = 0
    var sum: Int64 = 0

    static let sliceNames = ["readings"]

    func encodeSlice(_ index: Int, into writer: inout WireWriter) {
      writer.write(1, unsigned: count)
      writer.write(2, fixed: sum)
    }

    mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
      while let field = try reader.nextField() {
        switch field.number {
        case 1: count = try reader.unsigned(field)
        case 2: sum = try reader.fixed(field)
        default: try reader.skip(field)
        }
      }
    }

    func slice(_ index: Int, equals other: State) -> Bool { self == other }

    func tree(ofSlice index: Int) -> StateTree {
      .members([.init("count", .integer(Int64(clamping: count))), .init("sum", .integer(sum))])
    }

    func tree() -> StateTree { .members([.init("readings", tree(ofSlice: 0))]) }
  }

  static let revision: UInt32 = 1
  static let initialState = State()

  static func reduce(into state: inout State, _ event: Reading, _ context: EventContext) {
    state.count &+= 1
    state.sum &+= event.numbers.wrappedSum()
  }

  static func decide(
    _ command: Command, in state: State, at next: EventContext, explanation: inout Explanation
  ) throws(Rejection) -> DecidedEvents<Self> {
    var decided = DecidedEvents<Self>(in: state, at: next)
    for _ in 0..<command.count { decided.append(Reading(number: decided.state.count)) }
    return decided
  }
}

/// `reading.taken`: eight numbers and a short text. With its envelope, and with the state digest of a command with one
/// event, about 128 bytes.
struct Reading: JournaledEvent {
  static let domain = "readings"

  static let catalog = EventCatalog([
    EventDescriptor(
      1, "reading.taken", unknownReaders: .ignorable,
      body: MessageDescriptor(
        "ReadingTaken", (1...11).map { FieldDescriptor($0, "number\($0)", .time, .single, "a number") }),
      meaning: "Numbers were read.")
  ])

  var numbers: SIMD16<Int64>

  /// The lanes that are written: with them an event has 128 bytes.
  static let lanes = 11

  /// A reading that differs from every other.
  init(number: UInt64) {
    var random = RandomNumbers(seed: number)
    numbers = SIMD16()
    for lane in 0..<Self.lanes { numbers[lane] = Int64(truncatingIfNeeded: random.next() | 1) }
  }

  private init(numbers: SIMD16<Int64>) {
    self.numbers = numbers
  }

  var type: UInt32 { 1 }

  func encodeBody(into writer: inout WireWriter) {
    for lane in 0..<Self.lanes { writer.write(lane + 1, fixed: numbers[lane]) }
  }

  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> Reading? {
    guard type == 1, version == 1 else { return nil }
    var numbers = SIMD16<Int64>()
    while let field = try body.nextField() {
      guard field.number <= Self.lanes else {
        try body.skip(field)
        continue
      }
      numbers[field.number - 1] = try body.fixed(field)
    }
    return Reading(numbers: numbers)
  }
}
