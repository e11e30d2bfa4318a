import Cryptography

/// What a ``FileKeyStore`` keeps: for each name its key in use, and one record of all that were destroyed.
struct KeyTable: Equatable {
  struct Record: Equatable {
    /// Stands for the name, and tells nothing about it.
    var nameCode: [UInt8]
    /// The key's id; of destroyed keys, the ids of all that the name ever had, by which wipes find the files that remain.
    var ids: [KeyID]
    /// `nil` once destroyed.
    var key: SecretKey?
    /// The epoch from which on the key is used; of destroyed ones, the first in which the name may have another one, or 0 for
    /// none.
    var epoch: UInt64

    /// How many records of the file it takes.
    var count: Int { max(1, (ids.count + KeyTable.idsInRecord - 1) / KeyTable.idsInRecord) }
  }

  static let codeByteCount = 16
  /// Ids of destroyed keys that one record of the file has room for.
  static let idsInRecord = 4
  /// Records from which on no new key is made.
  static let maximumKeyCount = 65_536
  /// Records for names that are destroyed before they had a key: a full file must not keep a wipe from its end.
  static let reserveCount = 1_024
  static let maximumCount = maximumKeyCount + reserveCount
  /// Seven bytes.
  static let maximumEpoch: UInt64 = 1 << 56 - 1

  /// How often the file was written; begins again after its last number.
  var generation: UInt64 = 1
  /// The key of the codes of names. It stays the same as long as the file exists, whatever key wraps it.
  let nameKey: KeyBytes
  private(set) var records: [Record] = []
  /// How many keys were destroyed since the table was read.
  private(set) var destroyedCount = 0

  init(nameKey: KeyBytes) {
    self.nameKey = nameKey
  }

  /// How many records of the file it takes.
  var count: Int { records.reduce(0) { $0 + $1.count } }

  /// What stands for a name; `nil` if the library failed.
  func code(of name: KeyName) -> [UInt8]? {
    var text: [UInt8] = []
    text.append(number: UInt32(name.scope.utf8.count))
    text += Array(name.scope.utf8) + Array(name.account.utf8)
    return HMACSHA256.code(of: text, key: nameKey).map { Array($0.prefix(Self.codeByteCount)) }
  }

  func records(of code: [UInt8]) -> [Record] { records.filter { $0.nameCode == code } }

  // MARK: Changes

  /// Adds the records of a file, of which several may be about the destroyed keys of one name.
  mutating func add(_ new: [Record]) {
    var destroyed: [[UInt8]: Int] = [:]
    for record in new {
      guard record.key == nil else {
        records.append(record)
        continue
      }
      if let place = destroyed[record.nameCode] {
        records[place].join(record.ids, until: record.epoch)
      } else {
        destroyed[record.nameCode] = records.count
        records.append(record)
      }
    }
  }

  mutating func add(_ key: SecretKey, _ id: KeyID, of code: [UInt8], epoch: UInt64) {
    records.append(Record(nameCode: code, ids: [id], key: key, epoch: epoch))
    checkInvariants(of: code)
  }

  /// Begins an epoch of a name: destroys its key unless that is of this epoch or of a later one. 0 destroys it for good.
  mutating func destroyKey(of code: [UInt8], until epoch: UInt64) {
    if let inUse = inUse(code), epoch == 0 || records[inUse].epoch < epoch {
      let ids = records[inUse].ids
      destroyedCount += 1
      if let old = destroyed(code) {
        records[old].join(ids, until: epoch)
        records.remove(at: inUse)
      } else {
        records[inUse] = Record(nameCode: code, ids: ids, key: nil, epoch: epoch)
      }
    } else if let old = destroyed(code) {
      records[old].join([], until: epoch)
    } else if inUse(code) == nil {
      records.append(Record(nameCode: code, ids: [], key: nil, epoch: epoch))
    }
    checkInvariants(of: code)
  }

  /// A name has at most one key in use, and one record of all that were destroyed.
  private func checkInvariants(of code: [UInt8]) {
    assert(records(of: code).count { $0.key != nil } <= 1, "a name has two keys")
    assert(records(of: code).count { $0.key == nil } <= 1, "a name has two records of destroyed keys")
  }

  /// Sets the epoch of the key in use; `false` if none is.
  mutating func setEpoch(of code: [UInt8], to epoch: UInt64) -> Bool {
    guard let inUse = inUse(code) else { return false }
    records[inUse].epoch = epoch
    return true
  }

  private func inUse(_ code: [UInt8]) -> Int? { records.firstIndex { $0.nameCode == code && $0.key != nil } }
  private func destroyed(_ code: [UInt8]) -> Int? { records.firstIndex { $0.nameCode == code && $0.key == nil } }
}

extension KeyTable.Record {
  /// Whether a caller who knows of no later epoch than this one must not get a key of the name.
  func isOver(in epoch: UInt64) -> Bool { key == nil && self.epoch == 0 || epoch < self.epoch }

  /// Whether it is of keys that were destroyed, and not of a name that never had one.
  var hasDestroyedKey: Bool { key == nil && !ids.isEmpty }

  /// Takes up keys that were destroyed, too. The later epoch holds, and none is later than never.
  mutating func join(_ ids: [KeyID], until epoch: UInt64) {
    self.ids += ids
    self.epoch = self.epoch == 0 || epoch == 0 ? 0 : max(self.epoch, epoch)
  }
}

extension [KeyTable.Record] {
  /// What a key store answers for records of one name or id.
  var entry: KeyEntry? { lazy.compactMap(\.key).first.map { .key($0) } ?? (isEmpty ? nil : .destroyed) }

  /// The key in use.
  var inUse: KeyTable.Record? { first { $0.key != nil } }

  /// Whether the epochs of a name are to be counted again from this one: its key in use is of a later one or, if one is wanted
  /// and none is in use, a wipe of a later one destroyed it.
  func isAhead(of epoch: UInt64, makesKey: Bool) -> Bool {
    if let inUse { return inUse.epoch > epoch }
    return makesKey && contains { $0.epoch > epoch } && !contains { $0.epoch == 0 }
  }
}
