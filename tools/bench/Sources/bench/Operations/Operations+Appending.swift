import AppProtection
import EventSourcing
import Journal
import Limits

extension Operations {
  /// Appends that do not wait for the disk.
  func buffered() -> [Operation] {
    let single = options.isQuick ? 1_000 : min(options.events, 200_000)
    return [
      append(
        Operation(
          "append-1", "append 128 B, one a commit, not synced", .events, goals: [.lmdb: 1, .sqlite: 3, .leveldb: 2]),
        groups: single, of: 1, isDurable: false),
      append(
        Operation(
          "append-1000", "append 128 B, 1000 a commit, not synced", .events, goals: [.lmdb: 1, .sqlite: 3, .leveldb: 2]),
        groups: max(1, options.events / 1000), of: 1000, isDurable: false),
      appendPolicies(
        Operation(
          "append-policies", "append a policy history, one command a commit, not synced", .events,
          goals: [.lmdb: 1, .sqlite: 3, .leveldb: 2]), single, isDurable: false),
    ]
  }

  /// Appends that are durable when they return, by one thread.
  func durable() -> [Operation] {
    [
      append(
        Operation(
          "durable-1", "append 128 B, each synced", .events,
          goals: [.limit: 0.95, .sqlite: 1.15, .leveldb: 1.35, .rocksdb: 1.35]),
        groups: options.isQuick ? 20 : 1_000, of: 1, isDurable: true),
      append(
        Operation(
          "durable-100", "append 128 B, 100 a commit, each synced", .events,
          goals: [.limit: 0.95, .sqlite: 1.1, .leveldb: 1.3]),
        groups: options.isQuick ? 10 : 500, of: 100, isDurable: true),
      appendPolicies(
        Operation(
          "durable-policies", "append a policy history, one command a commit, each synced", .events,
          goals: [.sqlite: 1.15, .leveldb: 1.35, .rocksdb: 1.35]),
        options.isQuick ? 20 : 1_000, isDurable: true),
    ]
  }

  private func append(_ operation: Operation, groups: Int, of size: Int, isDurable: Bool) -> Operation {
    let fixtures = fixtures
    let bytes = payload(of: size)
    return
      operation
      .with(.store) {
        try fixtures.withFreshPath { path in
          var options = StoreOptions()
          if !isDurable { options.journal.syncPolicy = .none }
          let store = try EventStore<ReadingMachine>.create(
            at: path, journalID: Fixtures.journalID(3), createdNanoseconds: Histories.start, options: options)
          let sample = try Sample.timing(groups * size) {
            for index in 0..<groups {
              try store.append(.init(count: size), at: Moment(wallNanoseconds: Histories.start + Int64(index)))
            }
          }
          try store.close()
          return sample
        }
      }
      .with(.journal) {
        try fixtures.withFreshPath { path in
          var options = JournalOptions()
          if !isDurable { options.syncPolicy = .none }
          let journal = try JournalWriter.create(
            at: path, id: Fixtures.journalID(4), createdNanoseconds: Histories.start, options: options)
          var batch = JournalBatch()
          let sample = try Sample.timing(groups * size) {
            for index in 0..<groups {
              for place in 0..<size {
                try Self.add(bytes, place, to: &batch, label: Int64(index))
              }
              try journal.append(&batch)
            }
          }
          try journal.close()
          return sample
        }
      }
      .with(.limit) {
        try fixtures.withFreshPath { path in
          try Sample.timing(groups * size) {
            try Self.check(
              limits_append(path, Self.frameSize, UInt64(groups), UInt64(size), isDurable ? 1 : 0, 256 << 10))
          }
        }
      }
      .withPeers { contestant in
        try fixtures.withFreshPath { path in
          try Platform.createDirectory(path)
          let log = try PeerLog(contestant, at: path, isDurable: isDurable)
          return try bytes.withUnsafeBytes { bytes in
            try Sample.timing(groups * size) {
              for _ in 0..<groups { try log.append(bytes, size: Self.payloadSize) }
            }
          }
        }
      }
  }

  /// A policy history, a command at a time; the other engines append the same events, one at a time.
  private func appendPolicies(_ operation: Operation, _ count: Int, isDurable: Bool) -> Operation {
    let fixtures = fixtures
    let policies = options.policies
    let payloads = {
      try fixtures.payloads(of: try fixtures.policies(max(count, fixtures.options.events)), limit: count)
    }
    return
      operation
      .with(.store) {
        try fixtures.withFreshPath { path in
          var history = try PolicyHistory(policiesOf: policies)
          let store = try EventStore<AppProtectionMachine>.create(
            at: path, journalID: Fixtures.journalID(5), createdNanoseconds: Histories.start,
            options: isDurable ? StoreOptions() : Fixtures.unsynced)
          let sample = try Sample.timing {
            try Histories.append(upTo: UInt64(count), from: &history, to: store)
            return Double(store.lastSequence)
          }
          try store.close()
          return sample
        }
      }
      .with(.journal) {
        let payloads = try payloads()
        return try fixtures.withFreshPath { path in
          var options = JournalOptions()
          if !isDurable { options.syncPolicy = .none }
          let journal = try JournalWriter.create(
            at: path, id: Fixtures.journalID(6), createdNanoseconds: Histories.start, options: options)
          var batch = JournalBatch()
          let sample = try Sample.timing(payloads.count) {
            try payloads.forEachGroup(of: 1) { bytes, _ in
              try batch.append(payload: bytes, label: 0)
              try journal.append(&batch)
            }
          }
          try journal.close()
          return sample
        }
      }
      .withPeers { contestant in
        let payloads = try payloads()
        return try fixtures.withFreshPath { path in
          try Platform.createDirectory(path)
          let log = try PeerLog(contestant, at: path, isDurable: isDurable)
          return try Sample.timing(payloads.count) {
            try payloads.forEachGroup(of: 1) { bytes, sizes in try log.append(bytes, sizes: sizes) }
          }
        }
      }
  }

  /// Adds one of the payloads that lie one behind the other.
  static func add(
    _ bytes: [UInt8], _ place: Int, to batch: inout JournalBatch, label: Int64
  ) throws {
    try bytes.withUnsafeBytes { bytes in
      try batch.append(
        payload: UnsafeRawBufferPointer(rebasing: bytes[(place * payloadSize)..<((place + 1) * payloadSize)]),
        label: label)
    }
  }
}
