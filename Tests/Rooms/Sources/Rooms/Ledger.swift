import EventSourcing
import Foundation

package struct TextFile: ProjectionSink {
  package let url: URL

  package init(_ path: String) { url = URL(filePath: path) }

  package func position(of projection: String) throws -> ProjectionPosition? { try contents().position }

  package func transaction(
    of projection: String, after start: ProjectionPosition?, _ body: (inout [String]) throws -> ProjectionPosition
  ) throws {
    var (stored, lines) = try contents()
    if let start { try start.requireStored(stored) } else { lines = [] }
    let position = try body(&lines)
    let text = ([position.description] + lines).map { "\($0)\n" }.joined()
    try Data(text.utf8).write(to: url, options: .atomic)
  }

  private func contents() throws -> (position: ProjectionPosition?, lines: [String]) {
    guard FileManager.default.fileExists(atPath: url.path) else { return (nil, []) }
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { String($0) }
    return (lines.first.flatMap { ProjectionPosition($0) }, Array(lines.dropFirst()))
  }
}

package enum LedgerProjection: RowProjection {
  package typealias Domain = House
  package typealias Sink = TextFile
  package static let name = "ledger"

  package static func write(_ event: RoomEvent, to lines: inout [String], _ context: EventContext) {
    guard case .booked(let room, let guest, let nights) = event else { return }
    lines.append("event \(context.sequence): room \(room), guest \(guest), nights \(nights)")
  }
}
