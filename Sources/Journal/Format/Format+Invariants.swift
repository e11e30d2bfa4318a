extension Format {
  /// Checks the numbers of the format against each other: what the page FileFormat promises of sizes, alignments and
  /// limits. A test calls it, because Swift compares no constants at compile time.
  static func checkInvariants() {
    // A frame keeps its length in 24 bits, and every payload fits a batch with its header and padding.
    invariant(maximumPayloadLength < 1 << 24, "a frame's length has 24 bits")
    invariant(
      maximumPayloadLength + frameHeaderSize + frameAlignment <= maximumBatchLength, "every payload fits a batch")
    // The low 30 bits of a sequence number distinguish the events of a batch.
    invariant(maximumBatchEvents < 1 << 30 && sequenceMask + 1 == 1 << 30, "30 bits tell events apart")
    invariant(sequenceMask & (FrameHeader.lastOfBatch | FrameHeader.durableBefore) == 0, "flags are apart")

    // Frames begin at multiples of eight, so everything before them and between them is one.
    let aligned = [
      frameHeaderSize, segmentHeaderSize, smallestSegmentHeaderSize, trailerSize, anchorSize, markSize, footerSize,
      indexEntrySize,
    ]
    invariant(aligned.allSatisfy { $0 % frameAlignment == 0 }, "frames begin at multiples of eight")
    invariant(frameHeaderSize == MemoryLayout<UInt32>.size * 4, "a frame begins with four words")

    // A later minor version may only lengthen a header.
    invariant(max(identitySize, segmentHeaderSize) <= maximumHeaderSize, "headers can grow")
    invariant(
      smallestIdentitySize < identitySize && smallestSegmentHeaderSize < segmentHeaderSize, "headers have grown")
    invariant(DomainName.maximumLength < domainNameSize, "a zero follows every domain's name")
    invariant(2 * maximumCatalogLength < maximumPayloadLength, "every deflated catalogue fits a frame")
    // The two receipts lie in different sectors, so that a torn write spares one of them.
    invariant(headSlotOffsets.count == 2 && headSlotOffsets[1] - headSlotOffsets[0] >= 512, "receipts lie apart")
    invariant(headSlotOffsets[1] + headSlotSize == headSize, "HEAD ends with its second receipt")
    invariant(headSlotOffsets[0] + headSlotSize <= headSlotOffsets[1], "receipts do not overlap")

    // A footer is a frame: it lists as many blocks as its payload has room for, and one more would not fit.
    let footer = footerSize + maximumIndexEntries * indexEntrySize
    invariant(
      footer <= maximumPayloadLength && footer + indexEntrySize > maximumPayloadLength, "a footer lists all blocks")
    invariant(eventsPerAnchor + maximumBatchEvents <= Int(UInt32.max), "an anchor counts its events in 32 bits")
    // Counting on from a number in a header cannot overflow.
    invariant(numberLimit + UInt64(maximumBatchEvents) < UInt64(Int64.max) * 2, "numbers do not overflow")

    let magics = [identityMagic, segmentMagic, headMagic, checkpointMagic, keptMagic, keyframesMagic, trailerMagic]
    invariant(Set(magics).count == magics.count, "every kind of file has its own magic")
    invariant(magics.allSatisfy { $0 & ~(0xFF << 24) == 0x0A1A_0A0D_004A_508A }, "magics differ in one letter")
    let flags = [historyDigestFlag, salvagedFlag, unknownEndFlag]
    invariant(flags.reduce(0, |) == flags.reduce(0, +), "flags are single bits of their own")
  }
}
