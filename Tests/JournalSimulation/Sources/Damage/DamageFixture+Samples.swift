import Journal

extension DamageFixture {
  private static func options(
    _ policy: SyncPolicy, segmentSize: UInt64, preallocation: UInt64 = 0
  ) -> JournalOptions {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.segmentSizeLimit = segmentSize
    options.preallocation = preallocation
    return options
  }

  /// Batches that end a block here and there, because closing writes an anchor, and checkpoints.
  private static let history: [Workload.Step] = [
    .append([3]), .append([0, 17]), .checkpoint, .append([40, 1, 9]), .append([5, 5, 5, 5]), .close, .open,
    .append([300]), .append([8]), .append([29, 2]), .close, .open, .append([200, 3]), .append([64, 64]), .append([7]),
    .checkpoint, .append([120, 0]), .append([33, 34, 35]), .close, .open, .append([90]), .append([11, 12]),
    .append([250]), .append([4]), .append([61, 3, 1]),
  ]

  /// Journals in every condition: closed, left open, never synced, with marks, continued after an unfinished write,
  /// with another journal as a payload, without their first events, and with keyframes.
  package static var samples: [DamageFixture] { samples(smallestEvent: 0) }

  /// The same with events of so many bytes or more; one without a byte marks the place of a lost one to a salvage.
  static func samples(smallestEvent: Int) -> [DamageFixture] {
    let history = history.map { $0.lengthened(to: smallestEvent) }
    let closed = DamageFixture(
      "closed",
      Workload(name: "closed", options: options(.everyCommit, segmentSize: 1 << 10), steps: history + [.close]))
    let embedded = closed?.image.files["\(Workload.path)/\(String(repeating: "0", count: 19))1.seg"] ?? []
    return [
      closed,
      DamageFixture(
        "left open",
        Workload(
          name: "left open", options: options(.everyCommit, segmentSize: 1500, preallocation: 600), steps: history)),
      DamageFixture(
        "never synced",
        Workload(
          name: "never synced", options: options(.none, segmentSize: 1 << 20),
          steps: history.filter { $0 != .close && $0 != .open && $0 != .checkpoint })),
      DamageFixture(
        "synced now and then",
        Workload(
          name: "synced now and then", options: options(.interval(nanoseconds: 10), segmentSize: 1 << 20),
          steps: [
            .append([4]), .append([7, 9]), .pass(nanoseconds: 11), .append([50]), .append([2, 2]), .append([80]), .sync,
            .append([3, 5]), .pass(nanoseconds: 11), .append([20]), .append([30, 1]), .append([6]),
          ])),
      DamageFixture("of a domain", ofDomain(smallestEvent)),
      continued,
      DamageFixture(
        "with a journal in a payload",
        Workload(
          name: "embedding", options: options(.everyCommit, segmentSize: 1 << 20),
          steps: [
            .append([3]), .append([8, 8]), .embed(embedded), .append([10]), .append([smallestEvent, 40]), .close,
          ])),
      DamageFixture(
        "retired",
        Workload(
          name: "retired", options: options(.everyCommit, segmentSize: 1 << 10),
          steps: [
            .append([300]), .append([400, 3]), .append([350]), .retire, .append([500]), .append([200, 3]), .append([8]),
            .append([600]), .append([64, 1]), .append([5]), .close,
          ])),
      DamageFixture(
        "with keyframes",
        Workload(
          name: "with keyframes", options: options(.everyCommit, segmentSize: 1 << 20),
          steps: [
            .append([3]), .append([8, 8]), .append([10]), .append([smallestEvent, 40]), .append([7]), .append([2]),
            .close,
          ]),
        keyframeInterval: 3),
    ].compactMap(\.self)
  }

  /// A journal of a domain whose catalogue has changed.
  private static func ofDomain(_ smallestEvent: Int) -> Workload {
    var options = options(.everyCommit, segmentSize: 1 << 10)
    options.domain = Workload.domain()
    return Workload(
      name: "of a domain", options: options,
      steps: [
        .append([3]), .append([smallestEvent, 170]), .checkpoint, .append([400, 1]), .append([700]), .append([5, 5]),
        .close, .describe("another catalogue"), .open, .append([60, smallestEvent]), .append([800]), .append([20]),
        .append([7, 11]), .close,
      ])
  }

  /// A journal whose last write was cut, and that was continued after it.
  private static var continued: DamageFixture? {
    let first = Workload(
      name: "cut", options: options(.none, segmentSize: 1 << 20),
      steps: [.append([4]), .append([30, 30]), .append([50])])
    guard let cut = DamageFixture("cut", first), let last = cut.places.last else { return nil }
    var image = cut.image
    image.files[last.file]?.removeSubrange((last.range.lowerBound + 20)...)
    let second = Workload(
      name: "continued", options: options(.everyCommit, segmentSize: 1 << 20),
      steps: [.append([11]), .append([90, 2]), .append([5, 6]), .close])
    return DamageFixture("continued after a cut", second, on: image, events: Array(cut.events.dropLast()))
  }

  /// A cleanly closed journal with this many events of one length, each appended on its own.
  package static func records(_ count: Int, length: Int) -> DamageFixture? {
    let steps = Array(repeating: Workload.Step.append([length]), count: count)
    return DamageFixture(
      "\(count) records of \(length) bytes",
      Workload(name: "records", options: options(.everyCommit, segmentSize: 1 << 30), steps: steps + [.close]))
  }

  /// A closed journal whose segment has blocks of the usual size, 1,024 events.
  package static var blocks: DamageFixture? {
    let batch = Workload.Step.append((0..<20).map { $0 % 9 })
    return DamageFixture(
      "blocks of 1,024 events",
      Workload(
        name: "blocks", options: options(.everyCommit, segmentSize: 1 << 20),
        steps: Array(repeating: batch, count: 115) + [.close]))
  }
}

extension Workload.Step {
  /// With events of so many bytes or more.
  fileprivate func lengthened(to smallest: Int) -> Self {
    guard case .append(let lengths) = self else { return self }
    return .append(lengths.map { max($0, smallest) })
  }
}
