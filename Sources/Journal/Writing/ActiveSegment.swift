/// The segment that a writer appends to. Only its ``WriterCore`` uses it.
final class ActiveSegment {
  var file: OpenFile
  var name: String
  var header: SegmentHeader
  var seed: UInt32
  /// The segment's catalogue; `nil` without one, and where it cannot be read.
  var catalog: SegmentCatalog?
  /// Where the first frame after the header and the catalogue begins.
  var dataStart: UInt64
  /// The offset after the last frame.
  var end: UInt64
  /// The file's length, including the zeros ahead of the data.
  var allocated: UInt64
  /// The offset up to which zeros were written ahead of the data.
  var reserved: UInt64 = 0
  /// Everything before this offset was synced.
  var durableEnd: UInt64
  /// The largest durable offset that a reader can derive from the frames.
  var expressedEnd: UInt64
  var block: BlockTracker
  /// The blocks that an anchor has closed. Each append looks at how many: access is not checked, because only the writer
  /// has it, one step after the other.
  @exclusivity(unchecked) var entries: [IndexEntry] = []
  /// Set when the bytes after `end` could not be taken back: nothing more may be appended.
  var isSpoiled = false
  /// Set when part of a refused batch was written after `end`; cleared once its removal is durable.
  var holdsRefused = false
  /// Set when the footer and its trailer are in place: nothing more may be appended.
  var isSealed = false

  /// Set when events are to be described by another catalogue: nothing more may be appended.
  var isOfOtherCatalog = false

  /// Whether batches may be appended: the index has room for the block that they would begin or continue.
  var takesBatches: Bool {
    !isSpoiled && !isSealed && !isOfOtherCatalog && entries.count < Format.maximumIndexEntries
  }
  /// Whether anything follows the header and the catalogue.
  var holdsData: Bool { end > dataStart }

  /// The offset above which the segment takes no further batch: its catalogue takes no room from its events.
  func limit(_ options: JournalOptions) -> UInt64 {
    options.boundedSegmentSize + (dataStart - UInt64(header.size))
  }

  init(file: OpenFile, name: String, header: SegmentHeader, sequence: UInt64, chain: UInt32) {
    self.file = file
    self.name = name
    self.header = header
    seed = header.seed
    end = UInt64(header.size)
    dataStart = end
    allocated = end
    durableEnd = end
    expressedEnd = end
    block = BlockTracker(start: end, firstSequence: sequence + 1, chain: chain)
  }

  /// Begins with a catalogue, whose frame follows the header.
  func begin(with catalog: SegmentCatalog, _ frame: [UInt8]) {
    self.catalog = catalog
    frame.withUnsafeBytes { block.add($0, events: 0) }
    end += UInt64(frame.count)
    (dataStart, allocated, expressedEnd) = (end, end, end)
  }
}

extension ActiveSegment {
  /// Checks what holds between any two steps of the writer, whose last event is `sequence`.
  ///
  /// - durable part ⊆ data ⊆ file;
  /// - the frames never claim more than is durable;
  /// - the blocks that anchors have closed, and the open one after them, hold the segment's events without a gap.
  func checkInvariants(after sequence: UInt64) {
    let start = UInt64(header.size)
    invariant(start <= dataStart && dataStart <= end, "frames begin at \(dataStart), and end at \(end)")
    invariant(start <= durableEnd && durableEnd <= end, "durable up to \(durableEnd), written up to \(end)")
    invariant(end <= allocated, "written up to \(end) in a file of \(allocated) bytes")
    invariant(expressedEnd <= durableEnd, "the frames claim \(expressedEnd), and \(durableEnd) is durable")
    invariant(start <= block.start && block.start <= end, "the open block begins at \(block.start)")
    invariant(
      block.firstSequence + UInt64(block.eventCount) == sequence + 1,
      "\(block.eventCount) events from \(block.firstSequence) on do not reach event \(sequence)")
    invariant(entries.count <= Format.maximumIndexEntries, "a footer cannot list \(entries.count) blocks")
    if let last = entries.last {
      invariant(last.offset < block.start, "the block at \(last.offset) does not lie before the open one")
      invariant(
        last.firstSequence + UInt64(last.eventCount) == block.firstSequence,
        "the block before event \(block.firstSequence) does not reach it")
    }
    invariant(!isSealed || block.eventCount == 0, "events stand after the last anchor of a sealed segment")
  }
}
