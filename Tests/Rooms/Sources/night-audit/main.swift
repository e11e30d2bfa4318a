import Rooms

do {
  let desk = try FrontDesk(in: ".")
  for room in try desk.demand(ledger: TextFile("ledger.txt")).rooms {
    print("room \(room.number), nights: \(room.nights)")
  }
  try await desk.confirmBookings { text, _ in print(text) }
  try desk.store.close()
} catch {
  print("night-audit: \(error)")
}
