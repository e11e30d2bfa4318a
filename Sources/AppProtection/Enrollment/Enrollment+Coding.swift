import EventSourcing
import WireFormat

extension Enrollment {
  func encode(into writer: inout WireWriter) {
    writer.write(1, enumeration: status)
    if let lastCode { writer.writePresent(2, unsigned: UInt64(lastCode.rawValue)) }
    writer.write(3, string: lastError)
    writer.write(4, enumeration: trigger)
    writer.write(5, time: lastAttemptedCheckIn)
    writer.write(6, time: lastCompletedCheckIn)
    writer.write(7, due: checkInDue)
    writer.write(8, due: retryDue)
    writer.write(9, unsigned: UInt64(backoffStep))
    writer.write(10, bool: awaitsSignIn)
    writer.write(11, unsigned: enrollmentRequest)
    writer.write(12, unsigned: checkInRequest)
    writer.write(13, unsigned: unenrollmentRequest)
    writer.write(14, bool: unenrollmentWipes)
    writer.write(15, unsigned: switchQuestion)
    writer.write(16, account: switchesFrom)
    writer.write(17, bool: recordLost)
  }

  init(from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch field.number {
      case 1: status = try reader.enumeration(field, as: EnrollmentStatus.self)
      case 2: lastCode = EnrollmentStatusCode(rawValue: try reader.unsigned(field, as: UInt32.self))
      case 3: lastError = try reader.string(field)
      case 4: trigger = try reader.enumeration(field, as: EnrollmentTrigger.self)
      case 5: lastAttemptedCheckIn = try reader.fixed(field)
      case 6: lastCompletedCheckIn = try reader.fixed(field)
      case 7: checkInDue = try reader.due(field)
      case 8: retryDue = try reader.due(field)
      case 9: backoffStep = try reader.unsigned(field, as: UInt32.self)
      case 10: awaitsSignIn = try reader.bool(field)
      case 11: enrollmentRequest = try reader.unsigned(field)
      case 12: checkInRequest = try reader.unsigned(field)
      case 13: unenrollmentRequest = try reader.unsigned(field)
      case 14: unenrollmentWipes = try reader.bool(field)
      case 15: switchQuestion = try reader.unsigned(field)
      case 16: switchesFrom = try reader.account(field)
      case 17: recordLost = try reader.bool(field)
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members([
      .init("status", .name(status.name)),
      .init("lastCode", lastCode.map { .integer(Int64($0.rawValue)) } ?? .unset),
      .init("lastError", lastError.isEmpty ? .unset : .personal(lastError, .account)),
      .init("trigger", .name(trigger.name)),
      .init("lastAttemptedCheckIn", lastAttemptedCheckIn.map { .time($0) } ?? .unset),
      .init("lastCompletedCheckIn", lastCompletedCheckIn.map { .time($0) } ?? .unset),
      .init("nextCheckIn", nextCheckIn.map { .time($0) } ?? .unset),
      .init("nextRetry", nextRetry.map { .time($0) } ?? .unset),
      .init("dueElapsed", (retryDue ?? checkInDue).map { .duration($0.elapsed) } ?? .unset),
      .init("backoffStep", .integer(Int64(backoffStep))),
      .init("awaitsSignIn", .bool(awaitsSignIn)),
      .init("enrollmentRequest", .pending(enrollmentRequest)),
      .init("checkInRequest", .pending(checkInRequest)),
      .init("unenrollmentRequest", .pending(unenrollmentRequest)),
      .init("unenrollmentWipes", .bool(unenrollmentWipes)),
      .init("switchQuestion", .pending(switchQuestion)),
      .init("switchesFrom", switchesFrom.map { .name($0.description) } ?? .unset),
      .init("recordLost", .bool(recordLost)),
    ])
  }
}

extension StateValue {
  /// The position of an event that waits for an outcome; unset for zero.
  static func pending(_ sequence: UInt64) -> StateValue {
    sequence == 0 ? .unset : .sequence(sequence)
  }
}
