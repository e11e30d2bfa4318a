import EventSourcing

extension House: QuestionDomain {
  /// What can be asked about a house.
  package enum Question: Equatable, Sendable {
    case isFree(UInt64)
  }

  /// What is known of a room.
  package enum Verdict: Equatable, Sendable {
    case free, booked, unknown
  }

  package static let questions = [
    QuestionForm<Question>(
      "free", [QuestionParameter("room") { UInt64($0) != nil }], answers: QuestionAnswers(["yes", "no", "unknown"]),
      "whether a room is free"
    ) { values in values.first.flatMap { UInt64($0) }.map(Question.isFree) }
  ]

  package static func verdict(
    on question: Question, in house: House, at moment: Moment, explanation: inout Explanation
  ) -> Verdict {
    guard case .isFree(let number) = question else { return .unknown }
    let room = house.rooms[key: number]
    guard
      explanation.evaluate(
        "room.known", "room \(number) is one of the house", room != nil,
        reads: [.init("/rooms/\(number)/number", room.map { .integer(Int64($0.number)) } ?? .unset)],
        decides: room == nil)
    else { return .unknown }
    let isFree = room?.guest == ""
    explanation.evaluate(
      "room.free", "nobody has room \(number)", isFree,
      reads: [.init("/rooms/\(number)/bookings", .integer(Int64(room?.bookings ?? 0)))], decides: true)
    return isFree ? .free : .booked
  }

  package static func words(of verdict: Verdict) -> QuestionAnswer {
    switch verdict {
    case .free: QuestionAnswer("yes", rule: "room.free", reason: "nobody has it")
    case .booked: QuestionAnswer("no", rule: "room.free", reason: "a guest has it")
    case .unknown: QuestionAnswer("unknown", rule: "room.known", reason: "the house has no such room")
    }
  }

  package static func changes(
    considering steps: [Explanation.Step], for question: Question, in house: House, at moment: Moment
  ) -> [PossibleChange<House>] {
    guard case .isFree(let number) = question, let room = house.rooms[key: number], room.guest != "" else { return [] }
    var later = house
    later.apply(.freed(room: number), EventContext(sequence: 0, moment: moment))
    return [PossibleChange(.fact, of: "room \(number)", "free room \(number)", later)]
  }
}

extension House: RedecidingDomain {
  /// The rooms.
  package static func subjects(in house: House, limit: Int) -> [String] {
    house.rooms.prefix(limit).map { "\($0.number)" }
  }
}
