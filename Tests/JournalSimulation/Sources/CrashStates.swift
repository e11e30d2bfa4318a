/// Works out what a power cut after one operation can leave.
struct CrashStates {
  /// Pending changes that are looked at one by one; older ones are left to the random states.
  private static let window = 6

  /// Everything that is tried after the operation that the disk took last.
  ///
  /// First nothing and everything of what is on its way; then, for the operation that the cut interrupts, every tear with
  /// every fill, once with all the others in place and once with none; then every single change lost, or the only one
  /// that arrived; names apart from bytes; earlier without later and later without earlier; and `randomCount` states in
  /// which every change has a fate of its own.
  static func fates(_ disk: Disk, randomCount: Int, seed: UInt64) -> [Fates] {
    let pending = disk.pending
    let others: [Fates.Rule] = [.all(.kept), .all(.lost)]
    var all = others.map { Fates($0) }
    if let last = pending.last, last.change.position == disk.position {
      for fate in tears(of: last.change) {
        for rule in others { all.append(Fates(rule, [last.change.position: fate])) }
      }
    }
    for (_, change) in pending.suffix(window) {
      all.append(Fates(.all(.kept), [change.position: .lost]))
      all.append(Fates(.all(.lost), [change.position: .kept]))
      all.append(Fates(.split(change.position, keepsEarlier: true)))
      all.append(Fates(.split(change.position, keepsEarlier: false)))
    }
    let names = disk.pendingNames
    if !names.isEmpty {
      all += [Fates(.all(.kept), names: .all(.lost)), Fates(.all(.lost), names: .all(.kept))]
      for change in names {
        for rule in others {
          for isKept in [true, false] {
            var fates = Fates(rule)
            fates.nameExceptions[change.position] = isKept
            all.append(fates)
          }
        }
      }
    }
    guard pending.count + names.count > 1 else { return all }
    for number in 0..<randomCount {
      var generator = SeededGenerator(seed: seed, UInt64(disk.position), UInt64(number))
      var fates = Fates(.random(generator.next()))
      // The cut interrupts one write, at any granularity.
      if let hit = pending.suffix(window).randomElement(using: &generator),
        let tear = tears(of: hit.change).randomElement(using: &generator)
      {
        fates.exceptions[hit.change.position] = tear
      }
      all.append(fates)
    }
    return all
  }

  /// Every way in which a single change can arrive in part.
  private static func tears(of change: Disk.Change) -> [Fate] {
    var tears: [Fate] = []
    switch change.kind {
    case .setSize:
      for fill in Tear.Fill.all where fill != .absent {
        tears.append(.torn(Tear(granularity: 8, pattern: .first(0), fill: fill, isInterrupted: true)))
      }
    case .write(let offset, let bytes):
      for granularity in [8, 512, 4096] {
        let count = Tear.blockCount(offset, bytes.count, granularity)
        // In a large write not every place.
        for number in stride(from: 0, through: count, by: max(count / 48, 1)) {
          for fill in Tear.Fill.all {
            for pattern in [Tear.Pattern.first(number), .allBut(first: number)] {
              tears.append(
                .torn(Tear(granularity: granularity, pattern: pattern, fill: fill, isInterrupted: true)))
            }
          }
        }
        for seed in 0..<UInt64(min(count, 8)) {
          for fill in Tear.Fill.all {
            tears.append(
              .torn(
                Tear(granularity: granularity, pattern: .some(seed: seed), fill: fill, isInterrupted: true)))
          }
        }
      }
    }
    return tears
  }
}
