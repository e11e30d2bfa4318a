import Expectations
import Synchronization
import Testing

@testable import Journal

@Suite("Writers that wait at the same time")
struct GroupCommitTests {
  static let path = SampleJournal.path

  private func create(_ files: MemoryFileSystem, _ policy: SyncPolicy = .everyCommit) throws -> JournalWriter {
    var options = JournalOptions()
    options.syncPolicy = policy
    options.segmentSizeLimit = 1 << 12
    options.preallocation = 0
    return try JournalWriter.create(
      at: Self.path, id: sampleID, createdNanoseconds: 1, options: options, fileSystem: files)
  }

  private static func batch(_ number: Int) throws(JournalError) -> JournalBatch {
    var batch = JournalBatch()
    try batch.append(payload: [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)], label: 1)
    return batch
  }

  /// Appends one event with a number as its contents.
  private static func append(_ number: Int, to journal: JournalWriter) -> Result<ClosedRange<UInt64>, JournalError> {
    Result { () throws(JournalError) in
      var batch = try Self.batch(number)
      return try journal.append(&batch)
    }
  }

  @Test("Threads that write while another one syncs share the next sync, and nobody returns before")
  func sharedSync() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    let crew = Crew()
    let early = Mutex<[UInt64]>([])
    files.forgetCalls()
    files.beforeSyncs { count in
      // The first sync lasts until everybody has written; nobody may have been told.
      if count == 1 { crew.waitForTicks(8) }
      early.withLock { $0 += crew.numbers.filter { $0 > journal.durableSequence } }
    }
    for number in 0..<8 {
      crew.start {
        guard var batch = try? Self.batch(number), let written = try? journal.write(&batch) else { return }
        crew.tick()
        guard (try? journal.waitUntilAcknowledged(written)) != nil else { return }
        crew.note(written.events)
      }
    }
    crew.join()
    let syncs = files.calls.filter { $0.hasPrefix("sync 0") }.count
    expectEqual(crew.numbers, Array(1...8))
    expectEqual(early.withLock { $0 }, [])
    // The first, and one for all that it did not cover.
    #expect(syncs <= 2, "\(syncs) syncs for 8 appends")
    expectEqual(journal.durableSequence, 8)
    try journal.close()
  }

  @Test("When the device fails for good, everybody who waits is told that it is unknown")
  func poisoned() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    guard case .success = Self.append(0, to: journal) else {
      Issue.record("the first append failed")
      return
    }
    let crew = Crew()
    let errors = Mutex<[JournalError.Code]>([])
    files.beforeSyncs { count in if count == 1 { crew.waitForTicks(8) } }
    files.setFault { operation, _, _ in operation == "sync" ? .error(OperatingSystem.deviceError) : nil }
    for number in 1...8 {
      crew.start {
        guard var batch = try? Self.batch(number), let written = try? journal.write(&batch) else { return }
        crew.tick()
        do throws(JournalError) {
          try journal.waitUntilAcknowledged(written)
        } catch {
          errors.withLock { $0.append(error.code) }
        }
      }
    }
    crew.join()
    expectEqual(errors.withLock { $0 }, [JournalError.Code](repeating: .poisoned, count: 8))
    expectEqual(journal.durableSequence, 1)
    guard case .failure(let error) = Self.append(9, to: journal) else {
      Issue.record("the journal took more")
      return
    }
    expectEqual(error.code, .poisoned)
  }

  @Test(
    "Tasks get their own numbers in the order of the journal, and share writes and syncs",
    arguments: [true, false])
  func tasks(hasThreads: Bool) async throws {
    let files = MemoryFileSystem(hasThreads: hasThreads)
    let journal = try create(files)
    let count = 300
    let numbers = try await withThrowingTaskGroup(of: (Int, UInt64).self) { group in
      for number in 0..<count {
        group.addTask { (number, try await journal.submit(try Self.batch(number)).lowerBound) }
      }
      var numbers: [Int: UInt64] = [:]
      for try await (number, sequence) in group { numbers[number] = sequence }
      return numbers
    }
    expectEqual(journal.durableSequence, UInt64(count))
    try journal.close()
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    try expectEqual(reader.verify().findings, [])
    let events = try events(reader)
    expectEqual(events.count, count)
    for (number, sequence) in numbers {
      expectEqual(
        events[Int(sequence) - 1], [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
    }
    let syncs = files.calls.filter { $0.hasPrefix("sync 0") }.count
    if hasThreads { #expect(syncs < count, "\(syncs) syncs for \(count) tasks") }
  }

  @Test("Batches that are written in one call are atomic each by itself")
  func train() throws {
    let files = MemoryFileSystem()
    let journal = try create(files)
    var train = JournalBatch()
    for number in 0..<3 {
      var pair = try Self.batch(number)
      try pair.append(payload: [9], label: 1)
      try train.append(pair)
    }
    files.forgetCalls()
    let (written, chains) = try journal.writeTrain(&train, expecting: 0)
    #expect(written.events == 1...6 && chains.count == 2 && train.isEmpty)
    expectEqual(files.calls, ["write 00000000000000000001.seg"])
    // A power cut takes the last frame, which is half of the last batch.
    let file = "j/00000000000000000001.seg"
    files.edit(file) { bytes in for place in (224 + 5 * 24)..<(224 + 6 * 24) { bytes[place] = 0 } }
    let reader = try JournalReader(path: Self.path, fileSystem: files)
    try expectEqual(events(reader), [[0, 0], [9], [1, 0], [9]])
    var cursor = try reader.cursor()
    var seen: [UInt32] = []
    while let item = try cursor.next() { if case .event(let event) = item { seen.append(event.chain) } }
    #expect(seen.count == 4 && [seen[1], seen[3]] == chains)
  }

  @Test("A batch that expects something, one that is empty and one that does not fit fail alone")
  func failingAlone() async throws {
    let files = MemoryFileSystem(hasThreads: true)
    let journal = try create(files)
    let crew = Crew()
    files.beforeSyncs { count in if count == 1 { crew.waitForTicks(1) } }
    let first = Task { try await journal.submit(try Self.batch(0)) }
    let others = (1...3).map { number in
      Task {
        let batch = number == 2 ? JournalBatch() : try Self.batch(number)
        return try await journal.submit(batch, expecting: number == 3 ? 77 : nil)
      }
    }
    crew.tick()
    try await expectEqual(first.value.count, 1)
    try await expectEqual(others[0].value.count, 1)
    for (task, code) in zip(others[1...], [JournalError.Code.emptyBatch, .conflict]) {
      do {
        _ = try await task.value
        Issue.record("\(code) was not noticed")
      } catch {
        #expect((error as? JournalError)?.code == code)
      }
    }
    expectEqual(journal.lastSequence, 2)
    try journal.close()
    do {
      _ = try await journal.submit(try Self.batch(4))
      Issue.record("the journal was closed")
    } catch {
      expectEqual(error.code, .closed)
    }
  }

  @Test("Closing while threads and tasks append: what was acknowledged is there, and nobody is left waiting")
  func closing() async throws {
    for round in 0..<20 {
      let files = MemoryFileSystem(hasThreads: true)
      let journal = try create(files)
      let crew = Crew()
      for thread in 0..<3 {
        crew.start {
          while case .success(let numbers) = Self.append(thread, to: journal) {
            crew.note(numbers)
            crew.tick()
          }
        }
      }
      let tasks = (0..<8).map { number in
        Task {
          while let numbers = try? await journal.submit(try Self.batch(number)) {
            crew.note(numbers)
            crew.tick()
          }
        }
      }
      crew.waitForTicks(5 * round)
      try journal.close()
      crew.join()
      for task in tasks { _ = await task.result }
      let reader = try JournalReader(path: Self.path, fileSystem: files)
      let count = try events(reader).count
      expectEqual(crew.numbers, Array(1...UInt64(max(count, 1))).filter { $0 <= count })
      #expect(reader.wasClosed)
    }
  }

  @Test("A task that is cancelled gets the answer all the same")
  func cancelled() async throws {
    let files = MemoryFileSystem(hasThreads: true)
    let journal = try create(files)
    let crew = Crew()
    files.beforeSyncs { count in if count == 1 { crew.waitForTicks(1) } }
    let task = Task { try await journal.submit(try Self.batch(1)) }
    task.cancel()
    crew.tick()
    try await expectEqual(task.value, 1...1)
    expectEqual(journal.durableSequence, 1)
  }
}
