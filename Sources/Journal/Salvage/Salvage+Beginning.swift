import SystemCalls

/// What the files of a pile say about the events before the first one that is salvaged.
struct SalvageBeginning {
  /// With which words the cause of a loss ends that an earlier salvage recorded.
  static let recordedBySalvage = "before this journal was salvaged"

  /// Those that are lost.
  var lost: [ClosedRange<UInt64>]
  /// Those of them that were lost before, as `JOURNAL` of a copy or a fork says.
  var recorded: [ClosedRange<UInt64>]
  /// Those of them that a copy lacks which does not say why.
  var unexplained: [ClosedRange<UInt64>]
  /// Whether the last ones were retired on purpose.
  var isRetired: Bool
}

extension Salvage {
  /// Leaves out what is in the format of `KEPT` under another name, in the directory of a journal: the journal's readers
  /// ignore it there too, and it may be of an earlier or a later time. Elsewhere any name will do.
  mutating func leaveOutMisnamedRetirements() {
    retirements = retirements.filter { !isMisnamed($0.file, Format.keptName) }
  }

  /// Whether what a file says counts only under a name that it does not have: it is in the directory of a journal.
  func isMisnamed(_ file: String, _ name: String) -> Bool {
    FileName.lastComponent(of: file) != name && journalsOfFolders[Self.folder(of: file)] != nil
  }

  /// What is known of the events before the first one.
  ///
  /// An event is not lost where a `KEPT` says that it was retired, a fork's `JOURNAL` that it is the parent's, or that of a
  /// copy that it was not lost when the copy was made.
  func beginning(of source: JournalID, before first: UInt64) -> SalvageBeginning {
    guard first > 1 else { return SalvageBeginning(lost: [], recorded: [], unexplained: [], isRetired: false) }
    let kept = Dictionary(
      retirements.filter { self.source(of: $0.id) == source }.map { ($0.id, $0.retirement.firstSequence - 1) },
      uniquingKeysWith: max)
    var known: [ClosedRange<UInt64>] = []
    var recorded: [ClosedRange<UInt64>] = []
    var unexplained: [ClosedRange<UInt64>] = []
    for last in kept.values where last > 0 { known.append(1...last) }
    let retired = kept[source].map { $0 > 0 ? [1...$0] : [] } ?? []
    for identity in identities where self.source(of: identity.id) == source {
      guard let shared = identity.parent?.sequence, shared > 0 else { continue }
      let lost = identity.lostBeforeFirst ?? []
      // What the original retired on purpose is lost in none of its copies.
      recorded += identity.id == source ? lost : lost.subtracting(retired)
      if identity.isSalvaged, identity.lostBeforeFirst == nil, kept[identity.id] == nil {
        unexplained.append(1...shared)
      } else {
        known += [1...shared].subtracting(lost)
      }
    }
    let before = [1...(first - 1)]
    recorded = before.intersection(.union(recorded))
    let lost: [ClosedRange<UInt64>] = .union(before.subtracting(.union(known)) + recorded)
    return SalvageBeginning(
      lost: lost, recorded: recorded, unexplained: lost.intersection(.union(unexplained)).subtracting(recorded),
      isRetired: lost.last?.upperBound != first - 1 && kept.values.contains { $0 >= first - 1 })
  }

  /// The losses before the first event, in order.
  func losses(in beginning: SalvageBeginning) -> [SalvageLoss] {
    let fresh = beginning.lost.subtracting(beginning.recorded).subtracting(beginning.unexplained)
    func losses(
      _ stretches: [ClosedRange<UInt64>], _ cause: String, _ certainty: SalvageLoss.Certainty
    ) -> [SalvageLoss] {
      stretches.map { SalvageLoss(events: $0, file: nil, byteRange: nil, cause: cause, certainty: certainty) }
    }
    let all =
      losses(fresh, "no file of the pile holds them\(inKnownFormat)", .byNumbers)
      + losses(beginning.recorded, "lost \(SalvageBeginning.recordedBySalvage)", .certain)
      + losses(
        beginning.unexplained, "lost, or retired, \(SalvageBeginning.recordedBySalvage)", .unknown)
    return all.sorted { ($0.events?.lowerBound ?? 0) < ($1.events?.lowerBound ?? 0) }
  }
}
