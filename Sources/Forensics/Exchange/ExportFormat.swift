import PlainText

/// The names and limits of the export format, which the page *Exports* describes.
public enum ExportFormat {
  /// What the first record names as its schema.
  public static let schema = "policyjournal.export"
  /// The version that this program writes: a later one that readers of this one must not take for it has a higher number.
  public static let version = 1
  /// The file in an imported journal's directory that keeps what an export says besides events.
  package static let sidecar = "EXPORTED"

  /// How much of an export is read, so that a small file cannot fill the memory.
  public struct Limits: Sendable {
    /// The most bytes of the file itself.
    public var fileBytes: Int
    /// The most decompressed bytes.
    public var textBytes: Int
    /// The most decompressed bytes for each byte of the file, once there are 16 MiB of them.
    public var ratio: Int
    /// The longest line.
    public var lineBytes: Int
    /// The most events, lost ones included.
    public var events: UInt64
    /// The most lost events. A journal has a frame for each of them, and so has one that is put together in memory.
    public var lostEvents: UInt64
    /// The most bytes of events, stored states, catalogues and records of unknown kinds, all of which are held in memory.
    public var contentBytes: Int

    /// The limits that apply unless others are given.
    public init(
      fileBytes: Int = 256 << 20, textBytes: Int = 4 << 30, ratio: Int = 200, lineBytes: Int = 32 << 20,
      events: UInt64 = 16 << 20, lostEvents: UInt64 = 16 << 20, contentBytes: Int = 512 << 20
    ) {
      self.fileBytes = fileBytes
      self.textBytes = textBytes
      self.ratio = ratio
      self.lineBytes = lineBytes
      self.events = events
      self.lostEvents = lostEvents
      self.contentBytes = contentBytes
    }

    /// Why a file is too long; `nil` if it is not.
    func excess(ofFile count: Int) -> String? {
      count > fileBytes ? "it has more than \(fileBytes >> 20) MiB" : nil
    }

    /// Why a file decompresses to too much; `nil` if it does not.
    func excess(ofText count: Int, inFile fileCount: Int) -> String? {
      if count > textBytes { return "it decompresses to more than \(textBytes >> 20) MiB" }
      return count <= Self.freeBytes || count / max(fileCount, 1) <= ratio
        ? nil : "each of its bytes decompresses to more than \(ratio)"
    }

    private static var freeBytes: Int { 16 << 20 }
  }

  /// A chain value as text.
  static func text(ofChain chain: UInt32) -> String {
    var text: [UInt8] = []
    text.append(hexadecimal: (0..<4).map { UInt8(truncatingIfNeeded: chain >> (24 - 8 * $0)) })
    return String(decoding: text, as: UTF8.self)
  }

  /// A chain value read from text.
  static func chain(_ text: String) -> UInt32? {
    text.utf8.count == 8 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase } ? UInt32(text, radix: 16) : nil
  }
}
