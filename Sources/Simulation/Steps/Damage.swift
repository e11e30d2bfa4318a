import JSON

/// Damage to a finished journal, used to create journals that demonstrate damage.
public struct Damage: Equatable, Sendable {
  /// Which bytes are damaged.
  public enum Target: Equatable, Sendable {
    /// The payload of this event; the offset counts from the first byte of its frame.
    case event(UInt64)
    /// A file of the journal's folder; the offset counts from its first byte, or from its end if negative.
    case file(String)
  }

  /// How the bytes are damaged.
  public enum Harm: Equatable, Sendable {
    /// Inverts one bit of the byte at the offset; bit 0 is the least significant.
    case flipBit(Int)
    /// Truncates the file at the offset.
    case cut
  }

  /// The bytes concerned.
  public var target: Target
  /// The byte offset within the target.
  public var offset: Int
  /// The damage done there.
  public var harm: Harm

  /// `offset` counts as its target defines.
  public init(_ target: Target, offset: Int, harm: Harm) {
    self.target = target
    self.offset = offset
    self.harm = harm
  }

  /// The name that refers to the segment with the last events.
  static let lastSegment = "last segment"

  init(_ node: JSONNode) throws(JSONError) {
    try node.expectMembers(["event", "file", "offset", "flipBit", "cut"])
    switch (try node.optional("event"), try node.optional("file")) {
    case (let event?, nil): target = .event(try event.integer(in: 1...UInt64(Int64.max)))
    case (nil, let file?): target = .file(try Self.fileName(file))
    default:
      throw node.error(.invalidValue, "damage needs one of event and file", remedy: "name what is damaged")
    }
    switch (try node.optional("flipBit"), try node.optional("cut")) {
    case (let bit?, nil):
      harm = .flipBit(try bit.integer(in: 0...7))
      offset = try node.required("offset").integer(in: -Self.limit...Self.limit)
    case (nil, let cut?):
      harm = .cut
      offset = try cut.integer(in: -Self.limit...Self.limit)
    default:
      throw node.error(.invalidValue, "damage needs one of flipBit and cut", remedy: "say what happens")
    }
  }

  private static let limit = 1 << 40

  private static func fileName(_ node: JSONNode) throws(JSONError) -> String {
    let name = try node.string()
    // The name comes from a file that may be untrusted: it must not lead out of the journal's folder.
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), name != ".", name != "..", !name.utf8.contains(0)
    else {
      throw node.error(
        .invalidValue, "this must name a file in the journal's folder",
        remedy: "write its name alone, or \"\(lastSegment)\"")
    }
    return name
  }
}
