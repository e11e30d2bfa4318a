import Journal

extension Workload {
  private static let policies: [(name: String, policy: SyncPolicy)] = [
    ("every commit", .everyCommit), ("group", .group(maximumDelayNanoseconds: 1000)),
    ("interval", .interval(nanoseconds: 10)), ("none", .none),
  ]

  private static func options(
    _ policy: SyncPolicy, segmentSize: UInt64, preallocation: UInt64, digest: Bool = true, ofDomain: Bool = false
  ) -> JournalOptions {
    var options = JournalOptions()
    options.domain = ofDomain ? domain() : nil
    options.syncPolicy = policy
    options.segmentSizeLimit = segmentSize
    options.preallocation = preallocation
    options.historyDigest = digest
    return options
  }

  /// Small programs that together do everything a writer does, under every policy.
  package static var samples: [Workload] {
    policies.flatMap { name, policy in
      [
        Workload(
          name: "\(name), rotation and checkpoints",
          options: options(policy, segmentSize: 1 << 10, preallocation: 0),
          steps: [
            .append([3]), .append([0, 17]), .pass(nanoseconds: 6), .append([40, 1, 9]), .pass(nanoseconds: 6),
            .append([5, 5, 5, 5]), .checkpoint, .append([300]), .append([200, 3]), .append([8]), .sync,
            .append([64, 64]), .append([7]), .checkpoint, .append([120, 0]), .close,
          ]),
        Workload(
          name: "\(name), space reserved ahead",
          options: options(policy, segmentSize: 1 << 20, preallocation: 1 << 10, digest: false),
          steps: [
            .append([10]), .append([700]), .pass(nanoseconds: 11), .append([9, 9]), .append([33]), .sync,
            .append([1100]), .append([2]), .close, .open, .append([6, 60]), .append([21]),
          ]),
        Workload(
          name: "\(name), retention",
          options: options(policy, segmentSize: 1 << 10, preallocation: 0),
          steps: [
            .append([300]), .append([400, 3]), .append([350]), .checkpoint, .append([500]), .retire, .append([9]),
            .append([700, 80]), .append([250]), .retire, .append([12]), .close,
          ]),
        Workload(
          name: "\(name), catalogues",
          options: options(policy, segmentSize: 1 << 10, preallocation: 512, ofDomain: true),
          steps: [
            .append([3]), .append([300, 17]), .append([400]), .describe("another catalogue"), .close, .open,
            .append([30]), .death(afterCalls: 2), .append([500, 1]), .append([8]), .checkpoint, .append([350]),
            .retire, .describe("a third catalogue"), .open, .append([9]), .append([600]), .death(afterCalls: 4),
            .append([7]), .close,
          ]),
        Workload(
          name: "\(name), large batches",
          options: options(policy, segmentSize: 16 << 10, preallocation: 4 << 10),
          steps: [
            .append([100]), .append([5000, 3]), .append([1, 2, 3]), .pass(nanoseconds: 20), .append([4000, 4000]),
            .append([12]), .append([50]), .close,
          ]),
        Workload(
          name: "\(name), processes that die",
          options: options(policy, segmentSize: 1 << 10, preallocation: 512),
          steps: [
            .append([4]), .append([30, 30]), .death(afterCalls: 0), .append([11]), .append([90]),
            .death(afterCalls: 1), .append([44, 2]), .append([300]), .death(afterCalls: 3), .append([350, 1]),
            .append([100]), .death(afterCalls: 5), .append([500]), .append([6]), .open, .append([77]), .append([1]),
            .close, .open, .append([2]), .close,
          ]),
      ]
    }
  }

  /// Programs short enough for each of their calls to fail in turn.
  package static var short: [Workload] {
    let each = policies.map { name, policy in
      Workload(
        name: "\(name), short", options: options(policy, segmentSize: 1 << 10, preallocation: 512),
        steps: [
          .append([20]), .append([5, 300]), .checkpoint, .append([400]), .pass(nanoseconds: 20), .append([350, 9]),
          .append([1]), .sync, .append([30]), .close, .open, .append([2]), .append([600]), .append([3]), .close,
        ])
    }
    let retention = Workload(
      name: "retention, short", options: options(.everyCommit, segmentSize: 1 << 10, preallocation: 0),
      steps: [
        .append([400, 3]), .append([350]), .append([500]), .retire, .append([900]), .append([9]), .retire, .open,
        .append([12]), .close,
      ])
    let catalogs = Workload(
      name: "catalogues, short",
      options: options(.everyCommit, segmentSize: 1 << 10, preallocation: 512, ofDomain: true),
      steps: [
        .append([20]), .append([5, 800]), .append([400]), .describe("another catalogue"), .open, .append([350, 9]),
        .append([1]), .checkpoint, .close, .describe("a third catalogue"), .open, .append([2]), .close,
      ])
    return each + [retention, catalogs]
  }

  /// A program that a seed determines.
  package static func random(seed: UInt64) -> Workload {
    var generator = SeededGenerator(seed: seed, 77)
    let (name, policy) = policies[generator.below(policies.count)]
    let options = options(
      policy, segmentSize: 1 << (10 + UInt64(generator.below(3))),
      preallocation: [0, 512, 4096][generator.below(3)], digest: !generator.oneIn(4),
      ofDomain: seed % 2 == 1)
    var steps: [Step] = []
    for _ in 0..<(6 + generator.below(14)) {
      switch generator.below(24) {
      case 0: steps.append(.sync)
      case 1, 2: steps.append(.pass(nanoseconds: UInt64(generator.below(16))))
      case 3, 4: steps.append(.checkpoint)
      case 5: steps += [.close, .open]
      case 6: steps.append(.open)
      case 9: steps += [.describe("catalogue \(generator.below(3))"), .open]
      case 7, 8: steps.append(.death(afterCalls: generator.below(12)))
      default:
        let lengths = (0...generator.below(4)).map { _ in generator.below(generator.oneIn(9) ? 1200 : 60) }
        steps.append(.append(lengths))
      }
    }
    steps.append(.append([1]))
    if generator.oneIn(2) { steps.append(.close) }
    return Workload(name: "\(name), program \(seed)", options: options, steps: steps)
  }
}
