import EventSourcing

extension AccountTable {
  /// Compares the records of tables with the same accounts one by one, and other tables as trees.
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    guard count == later.count, zip(records, later.records).allSatisfy({ $0.account == $1.account }) else {
      return differ.compare(tree(), later.tree(), at: place)
    }
    for (record, next) in zip(records, later.records) where record != next {
      let key = UInt64(record.account.rawValue)
      record.compare(with: next, at: differ.part(key: key, { record.account.description }, of: place), differ)
    }
  }

  /// The part of one record, or the tree of all.
  public func part(at names: ArraySlice<Substring>) -> StateTree? {
    guard let name = names.first else { return tree() }
    return AccountNumber(name).flatMap { self[$0] }?.part(at: names.dropFirst())
  }
}
