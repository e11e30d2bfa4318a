import EventSourcing
import Journal
import Limits
import Synchronization

extension Operations {
  /// Durable appends by several threads, or tasks, at once.
  func concurrent() -> [Operation] {
    [1, 8, 32].map { threads in concurrent(threads, each: eventsOfEach(threads)) } + [
      Operation("scaling-32", "append through the store, each synced: 32 threads to one", .ratio, floor: 9)
        .with(.store) { [self] in
          let one = try appendInThreads(1, each: eventsOfEach(1))
          return try appendInThreads(32, each: eventsOfEach(32)).ratio(to: one)
        },
      Operation("tasks-1024", "append 128 B, each synced, 1024 tasks", .events).with(.store) { [self] in
        try appendInTasks(1024, each: options.isQuick ? 1 : 10)
      },
      Operation("scaling-1024", "append through the store, each synced: 1024 tasks to one thread", .ratio, floor: 100)
        .with(.store) { [self] in
          let one = try appendInThreads(1, each: eventsOfEach(1))
          return try appendInTasks(1024, each: options.isQuick ? 1 : 10).ratio(to: one)
        },
    ]
  }

  private func eventsOfEach(_ threads: Int) -> Int {
    options.isQuick ? 4 : 1_000 / threads + 125
  }

  private func withStore(_ body: (EventStore<ReadingMachine>) throws -> Sample) throws -> Sample {
    try fixtures.withFreshPath { path in
      let store = try EventStore<ReadingMachine>.create(
        at: path, journalID: Fixtures.journalID(7), createdNanoseconds: Histories.start)
      let sample = try body(store)
      try store.close()
      return sample
    }
  }

  private func appendInThreads(_ threads: Int, each: Int) throws -> Sample {
    try withStore { store in
      try Self.run(threads, each: each) {
        { try store.append(.init(count: 1), at: Moment(wallNanoseconds: Histories.start)) }
      }
    }
  }

  private func appendInTasks(_ tasks: Int, each: Int) throws -> Sample {
    try withStore { store in
      try Sample.timing(tasks * each) {
        try Platform.waitForTask {
          try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
              group.addTask {
                for _ in 0..<each {
                  try await store.submit(.init(count: 1), at: Moment(wallNanoseconds: Histories.start))
                }
              }
            }
            try await group.waitForAll()
          }
        }
      }
    }
  }

  private func concurrent(_ threads: Int, each: Int) -> Operation {
    let fixtures = fixtures
    let bytes = payload(of: 1)
    return Operation(
      "concurrent-\(threads)", "append 128 B, each synced, \(threads) thread\(threads == 1 ? "" : "s")", .events,
      goals: threads == 32 ? [.leveldb: 1] : [:]
    )
    .with(.store) { [self] in try appendInThreads(threads, each: each) }
    .with(.journal) {
      try fixtures.withFreshPath { path in
        let journal = try JournalWriter.create(at: path, id: Fixtures.journalID(7), createdNanoseconds: Histories.start)
        let sample = try Self.run(threads, each: each) { () -> () throws -> Void in
          return {
            var batch = JournalBatch()
            try batch.append(payload: bytes, label: 1)
            try journal.append(&batch)
          }
        }
        try journal.close()
        return sample
      }
    }
    .with(.limit) {
      try fixtures.withFreshPath { path in
        try Sample.timing(threads * each) {
          try Self.check(limits_append_threads(path, Self.frameSize, UInt64(each), UInt32(threads)))
        }
      }
    }
    .withPeers { contestant in
      try fixtures.withFreshPath { path in
        try Platform.createDirectory(path)
        let log = try PeerLog(contestant, at: path, isDurable: true)
        return try Self.run(threads, each: each) {
          { try bytes.withUnsafeBytes { try log.append($0, size: Self.payloadSize) } }
        }
      }
    }
  }

  /// What the threads of one measurement share.
  private final class Work: Sendable {
    let each: Int
    let makeStep: @Sendable () -> () throws -> Void
    let failure = Mutex<String?>(nil)

    init(each: Int, _ makeStep: @escaping @Sendable () -> () throws -> Void) {
      self.each = each
      self.makeStep = makeStep
    }

    func run() {
      let step = makeStep()
      do {
        for _ in 0..<each { try step() }
      } catch {
        failure.withLock { $0 = "\(error)" }
      }
    }
  }

  /// Repeats a step in several threads at once.
  private static func run(
    _ threads: Int, each: Int, _ makeStep: @escaping @Sendable () -> () throws -> Void
  ) throws -> Sample {
    let work = Work(each: each, makeStep)
    let sample = try Sample.timing(threads * each) {
      try check(
        limits_run_threads(
          UInt32(threads),
          { context, _ in
            guard let context else { return }
            Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().run()
          }, Unmanaged.passUnretained(work).toOpaque()))
    }
    if let failure = work.failure.withLock({ $0 }) { throw Failure(failure) }
    return sample
  }
}
