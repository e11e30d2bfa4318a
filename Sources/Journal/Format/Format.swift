/// The numbers of format version 1.1, shared by writers and readers.
///
/// `FileFormat` in the documentation catalogue specifies them; the invariants between them are:
///
/// - `maximumPayloadLength` < 2²⁴, because a frame keeps its length in 24 bits.
/// - `maximumPayloadLength` + 24 ≤ `maximumBatchLength`, so that every payload fits a batch.
/// - `maximumBatchEvents` < 2³⁰, so that the low 30 bits of a sequence number identify an event within a batch.
enum Format {
  static let majorVersion: UInt16 = 1
  static let minorVersion: UInt16 = 1

  /// Eight bytes as PNG's: a byte above 127, two letters of the name and one of the kind, then both kinds of line end
  /// and an end-of-file character, so that a transfer in text mode or over seven bits destroys it visibly.
  static let identityMagic: UInt64 = 0x0A1A_0A0D_4A4A_508A
  static let segmentMagic: UInt64 = 0x0A1A_0A0D_534A_508A
  static let headMagic: UInt64 = 0x0A1A_0A0D_484A_508A
  static let checkpointMagic: UInt64 = 0x0A1A_0A0D_434A_508A
  static let keptMagic: UInt64 = 0x0A1A_0A0D_4B4A_508A
  static let keyframesMagic: UInt64 = 0x0A1A_0A0D_464A_508A
  static let trailerMagic: UInt64 = 0x0A1A_0A0D_544A_508A

  static let identityName = "JOURNAL"
  static let headName = "HEAD"
  static let lockName = "LOCK"
  static let keptName = "KEPT"

  static let identitySize = 160
  static let segmentHeaderSize = 224
  /// The sizes of format 1.0, which no header goes below.
  static let smallestIdentitySize = 96
  static let smallestSegmentHeaderSize = 128
  static let domainNameSize = 64
  /// The largest header a later minor version may have.
  static let maximumHeaderSize = 4096
  static let checkpointHeaderSize = 72
  /// The longest body of a checkpoint.
  static let maximumCheckpointLength = 1 << 30
  static let keptSize = 72
  static let headSlotSize = 64
  static let headSlotOffsets = [0, 512]
  static let headSize = 576
  static let trailerSize = 24

  static let frameHeaderSize = 16
  static let frameAlignment = 8
  static let maximumPayloadLength = 8 << 20
  static let maximumBatchLength = 16 << 20
  static let maximumBatchEvents = 65_536
  static let eventsPerAnchor = 1024
  /// Sequences, ordinals and generations in headers and receipts are smaller than this, so that counting on from one
  /// cannot overflow.
  static let numberLimit: UInt64 = 1 << 63
  static let sequenceMask: UInt32 = 0x3FFF_FFFF

  static let anchorSize = 72
  static let markSize = 16
  static let footerSize = 80
  static let indexEntrySize = 40
  /// The bytes before the zlib stream in a CATALOG frame.
  static let catalogHeaderSize = 8
  static let maximumCatalogLength = 1 << 20
  /// How many blocks a footer can list; a segment with as many takes no further batch.
  static let maximumIndexEntries = (maximumPayloadLength - footerSize) / indexEntrySize

  /// Incompatible flag of `JOURNAL`: the salvage that writes this journal has not written everything yet.
  static let unfinishedFlag: UInt32 = 1
  /// Incompatible flag: the header names a domain, so that programs of format 1.0 append nothing.
  static let domainFlag: UInt32 = 2
  /// Compatible flag: the history digest is kept.
  static let historyDigestFlag: UInt32 = 1
  /// Compatible flag of `JOURNAL`: a salvage wrote this journal, and its events are those of its parent.
  static let salvagedFlag: UInt32 = 2
  /// Compatible flag of `JOURNAL` beside that one: no evidence showed how far the parent reached.
  static let unknownEndFlag: UInt32 = 4
  /// Compatible flag of `JOURNAL`: it says which events before the first one are lost.
  static let recordedBeginningFlag: UInt32 = 8
  /// The size of one stretch of such events in `JOURNAL`.
  static let lostStretchSize = 16
  /// How many such stretches fit into `JOURNAL`.
  static let maximumLostStretches = (maximumHeaderSize - identitySize) / lostStretchSize
}

/// The type of a frame: the low six bits of its type byte.
struct FrameType: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt8

  static let event = FrameType(rawValue: 1)
  static let anchor = FrameType(rawValue: 2)
  static let mark = FrameType(rawValue: 3)
  static let footer = FrameType(rawValue: 4)
  static let catalog = FrameType(rawValue: 5)
  static let highestKnown = catalog.rawValue

  /// Whether a program that does not know the type may skip the frame.
  var isIgnorable: Bool { rawValue & 0x20 != 0 }

  /// Whether this program knows the type, or may skip the frame.
  var isReadable: Bool { rawValue <= Self.highestKnown || isIgnorable }

  /// The type's name in sentences.
  var name: String {
    switch self {
    case .event: "event"
    case .anchor: "anchor"
    case .mark: "mark"
    case .footer: "footer"
    case .catalog: "catalogue"
    default: "frame of type \(rawValue)"
    }
  }
}

/// The version of the on-disk format that this program writes; it fully knows minor versions up to this one.
public enum JournalFormat {
  /// The version as people write it: major and minor number.
  public static var version: String { "\(Format.majorVersion).\(Format.minorVersion)" }
}
