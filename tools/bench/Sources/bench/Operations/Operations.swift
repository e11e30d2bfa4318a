/// Everything that is measured.
struct Operations {
  let options: Options
  let fixtures: Fixtures

  /// The size of the events that are only bytes.
  static let payloadSize = 128
  /// What such an event takes in a journal: its frame has a header of 16 bytes.
  static let frameSize = 144

  /// All operations, in the order of the table.
  var all: [Operation] {
    buffered() + fair() + rooms() + durable() + concurrent() + reading() + opening() + comparing() + decisions()
      + tool() + app() + protecting()
  }

  /// As many payloads, one behind the other.
  func payload(of count: Int) -> [UInt8] {
    var random = RandomNumbers(seed: 3)
    return random.bytes(count * Self.payloadSize)
  }

  /// Turns the error number of a limit's function into an error.
  static func check(_ code: Int32) throws {
    guard code == 0 else { throw Failure("the limit in C failed: \(Platform.describe(code))") }
  }
}
