import EventSourcing
import WireFormat

/// `restart.answered`: the app or the user answered the request for a restart.
public struct RestartAnswered: EventPayload {
  /// What the answer was.
  public var answer: RestartAnswer
  /// By how many minutes the user postponed the restart; zero otherwise.
  public var postponedMinutes: UInt32

  /// Creates the event.
  public init(answer: RestartAnswer = .none, postponedMinutes: UInt32 = 0) {
    self.answer = answer
    self.postponedMinutes = postponedMinutes
  }

  /// The entry of the catalogue.
  public static let descriptor = EventDescriptor(
    4, "restart.answered",
    body: MessageDescriptor(
      "RestartAnswered",
      [
        FieldDescriptor(1, "answer", .enumeration(RestartAnswer.descriptor), .single, "what the answer was"),
        FieldDescriptor(
          2, "postponedMinutes", .unsigned, .single,
          "by how many minutes the user postponed the restart; zero otherwise"),
      ]),
    meaning: "The app or the user answered the request for a restart.")

  /// Writes the body, fields in the order of their numbers.
  public func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: answer)
    writer.write(2, unsigned: UInt64(postponedMinutes))
  }

  /// Reads the body; fields that nobody knows are skipped.
  public init(from reader: inout WireReader) throws(WireError) {
    var answer = RestartAnswer.none
    var postponedMinutes: UInt32 = 0
    while let field = try reader.nextField() {
      switch field.number {
      case 1: answer = try reader.enumeration(field, as: RestartAnswer.self)
      case 2: postponedMinutes = try reader.unsigned(field, as: UInt32.self)
      default: try reader.skip(field)
      }
    }
    self.init(
      answer: answer, postponedMinutes: postponedMinutes)
  }
}
