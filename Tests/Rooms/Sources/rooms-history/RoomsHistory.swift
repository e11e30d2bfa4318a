import ReplayTool
import Rooms

@main struct RoomsHistory {
  static let tool = ReplayTool<House>(name: "rooms-history", version: "1.0.0", summary: "looks into a house's history")

  static func main() { tool.run() }
}
