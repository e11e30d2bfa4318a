import EventSourcing

extension AccountTable {
  /// Compares the records of tables with the same accounts one by one, and other tables as trees. Costs what differs.
  public func compare(with later: Self, at place: StatePlace, _ differ: StateDiffer) {
    var (one, other) = (self, later)
    Self.leaveOutCommonRecords(&one, &other)
    let haveSameAccounts = StateTable.forEachDifference(one.records, other.records) { record, next in
      let part = differ.part(key: record.account.key, { record.account.description }, of: place)
      record.compare(with: next, at: part, differ)
    }
    if !haveSameAccounts { differ.compare(one.tree(), other.tree(), at: place) }
  }

  /// The part of one record, or the tree of all.
  public func part(at names: ArraySlice<Substring>) -> StateTree? {
    guard let name = names.first else { return tree() }
    return AccountNumber(name).flatMap { self[$0] }?.part(at: names.dropFirst())
  }
}
