import ReplayTool

@main struct RoomsTool {
  static let tool = ReplayTool<House>(name: "rooms-tool", version: "1.0.0", summary: "looks into the rooms of a house")

  static func main() { tool.run() }
}
