import EventSourcing
import EventSourcingKit
import Rooms

let words = CommandLine.arguments.dropFirst()
let numbers = words.compactMap { UInt64($0) }
do {
  let desk = try FrontDesk(in: ".")
  switch (words.first, numbers.count) {
  case ("open", 2):
    try desk.store.append(.opened(room: numbers[0], beds: numbers[1]), at: .now())
  case ("open", 3):
    try desk.store.append(.opened(room: numbers[0], beds: numbers[1], floor: numbers[2]), at: .now())
  case ("move", 3):
    try desk.store.append(.moved(guest: numbers[0], from: numbers[1], to: numbers[2]), at: .now())
  case ("register", 1):
    let name = words.dropFirst(2).joined(separator: " ")
    try desk.store.append(.registered(guest: numbers[0], name: Personal(name)), at: .now())
  case ("look", 1):
    print(try desk.description(of: numbers[0]))
  case ("book", 4):
    try desk.book(room: numbers[0], for: numbers[1], nights: numbers[2], seen: numbers[3])
  case ("vacate", 1):
    try desk.store.append(.vacated(room: numbers[0]), at: .now())
  case ("erase", 1):
    try desk.keys.erase(numbers[0])
  default:
    print("open ROOM BEDS [FLOOR], register GUEST NAME, look ROOM, book ROOM GUEST NIGHTS VERSION, vacate ROOM,")
    print("move GUEST FROM TO, erase GUEST")
  }
  try desk.store.close()
} catch {
  print("front-desk: \(error)")
}
