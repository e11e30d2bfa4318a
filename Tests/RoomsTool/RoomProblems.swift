import EventSourcing

/// What can be wrong with the rooms of a house.
package enum RoomProblem: String, DiagnosisFamily {
  case damagedJournal = "damaged-journal"
  case clockSetBack = "clock-set-back"
  case freedTwice = "freed-twice"
  case neverBooked = "never-booked"

  package var id: String { rawValue }

  package var title: String {
    switch self {
    case .damagedJournal: "the journal lost events, or its bytes are damaged"
    case .clockSetBack: "the clock was set back"
    case .freedTwice: "a room was freed that was free"
    case .neverBooked: "a room was never booked"
    }
  }

  package var severity: DiagnosisSeverity {
    switch self {
    case .damagedJournal: .critical
    case .clockSetBack, .freedTwice: .warning
    case .neverBooked: .note
    }
  }

  package var page: String { "Rooms#\(id)" }
  package var explains: Set<RoomProblem> { [] }
}

/// Looks for them.
package struct RoomExamination: HistoryExamination {
  package typealias Machine = House
  package typealias Family = RoomProblem

  private var found: [Diagnosis<RoomProblem>] = []
  private var opened: [UInt64: EventContext] = [:]

  package init() {}

  package mutating func begin(at state: borrowing House, _ opening: EventContext) {
    for room in state.rooms { opened[room.number] = opening }
  }

  package mutating func observe(
    _ event: RoomEvent, _ context: EventContext, before: borrowing House, after: borrowing House
  ) {
    switch event {
    case .opened(let number, _): opened[number] = context
    case .booked: break
    case .freed(let number):
      guard before.rooms[key: number]?.guest == "", found.count < 100 else { return }
      found.append(
        Diagnosis(
          .freedTwice, of: "room \(number)", "room \(number) was freed although it was free",
          evidence: DiagnosisEvidence(context, "room \(number) is freed"), next: "look for the booking that it lacks",
          command: "log JOURNAL --path /rooms/\(number)"))
    }
  }

  package mutating func observeClockJump(by nanoseconds: Int64, before sequence: UInt64) {}

  package func diagnoses(at house: House, _ last: EventContext) -> [Diagnosis<RoomProblem>] {
    found
      + house.rooms.filter { $0.bookings == 0 }.compactMap { room in
        guard let opening = opened[room.number] else { return nil }
        var problem = Diagnosis<RoomProblem>(
          .neverBooked, .likely, of: "room \(room.number)", "room \(room.number) was never booked",
          evidence: DiagnosisEvidence(opening, "it is opened"), next: "ask what is wrong with it",
          command: "state JOURNAL --path /rooms/\(room.number)")
        problem.restsOnAbsence = true
        return problem
      }
  }
}

extension House: DiagnosisDomain {
  package typealias Family = RoomProblem
  package typealias Examination = RoomExamination
}
