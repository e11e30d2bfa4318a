/// A fault planted in the simulated system, which lies about what it did: proof that a simulation would find such a thing.
package enum Canary: String, CaseIterable, Sendable {
  /// One sync in four is acknowledged, and nothing is durable by it.
  case forgetsSync = "a sync that is acknowledged and not done"
  /// A directory's names are acknowledged, and not durable.
  case forgetsDirectorySync = "a directory that is not synced"
  /// Of one write in ten the last 24 bytes do not arrive, although the call says so: the last event of a batch.
  case losesEnd = "a write whose end is lost"
  /// One write in ten lands eight bytes after its place.
  case writesElsewhere = "a write that lands elsewhere"
  /// One write in ten is not done at all.
  case forgetsWrite = "a write that is acknowledged and not done"

  /// Whether the lie is told in this call, which is the `number`th of all.
  func lies(in number: Int, one share: Int) -> Bool { number % share == share - 1 }
}
