/// Which events a journal holds, according to its headers, footers and `HEAD`, without reading all of them.
public struct JournalOutline: Sendable {
  /// The first and the last event.
  public let events: ClosedRange<UInt64>
  /// Findings that lose nothing, such as a torn tail.
  public let findings: [Finding]
}

extension JournalReader {
  /// Looks at everything in a journal that describes events, and at the events near its end.
  ///
  /// Headers, footers, `HEAD` and the names of the files must agree on every segment, and the events after the last
  /// block before `HEAD`'s place must verify. Nothing is then known to be wrong with the other events, but they are not
  /// read: damage among them shows only when they are. A few small reads for each segment, and those of the last blocks.
  ///
  /// - Returns: `nil` where anything is missing, damaged or in doubt, in a journal without events, and in one that was
  ///   salvaged, in which events without content mark lost ones: only reading everything then tells what is wrong.
  public func outline() -> JournalOutline? {
    guard let head = catalog.head, !identity.isSalvaged, catalog.findings.allSatisfy(\.isHarmless),
      let first = catalog.segments.first, first.header.firstSequence == catalog.firstSequence,
      catalog.faultOfStart(first) == nil, catalog.segments.allSatisfy(\.isNamedRight),
      !catalog.segments.contains(where: catalog.isOfOtherDomain),
      (try? catalog.segments.indices.dropLast().allSatisfy { try isFollowed($0) }) == true,
      head.sequence >= catalog.firstSequence
    else { return nil }
    var findings = catalog.findings
    var last = head.sequence - 1
    do throws(JournalError) {
      var cursor = try cursor(after: last)
      while let item = try cursor.next() {
        switch item {
        case .event(let event):
          guard event.sequence == last + 1, event.sequence != head.sequence || event.chain == head.chain else {
            return nil
          }
          last = event.sequence
        case .finding(let finding):
          guard finding.isHarmless else { return nil }
          findings.append(finding)
        }
      }
    } catch {
      return nil
    }
    guard last >= head.sequence else { return nil }
    return JournalOutline(events: catalog.firstSequence...last, findings: findings)
  }

  /// Whether a segment's footer and the header of the next segment describe the same end.
  private func isFollowed(_ index: Int) throws(JournalError) -> Bool {
    let (entry, next) = (catalog.segments[index], catalog.segments[index + 1].header)
    guard next.ordinal == entry.header.ordinal &+ 1, next.predecessor.end == .sealed,
      next.predecessor.validLength == entry.length,
      let footer = try IndexedSegment(entry, in: directory)?.footer()
    else { return false }
    return footer.firstSequence == entry.header.firstSequence && footer.eventCount < Format.numberLimit
      && footer.firstSequence + footer.eventCount == next.firstSequence && footer.chain == next.chainIn
      && next.predecessor.eventCount == UInt32(clamping: footer.eventCount)
  }
}

extension Finding {
  /// Whether it shows no damage and no doubt: a torn tail was never acknowledged.
  package var isHarmless: Bool {
    switch verdict {
    case .clean, .torn: true
    case .damaged, .tailLost, .lost, .ioError, .unsupportedFormat, .indexDamaged, .unsyncedGap: false
    }
  }
}
