import AppProtection

/// What a rule knows about each account, in the order of their numbers.
///
/// No larger than the table of accounts in the state. Accounts are numbered as they appear, so that nearly every new one
/// is added at the end.
struct PerAccount<Value: Sendable>: Sendable {
  /// Sorted by account, each of which occurs once.
  private(set) var inOrder: [(account: AccountNumber, value: Value)] = []

  /// What is known about an account.
  subscript(account: AccountNumber) -> Value? {
    get {
      let place = place(of: account)
      return isAt(place, account) ? inOrder[place].value : nil
    }
    set {
      let place = place(of: account)
      switch (isAt(place, account), newValue) {
      case (true, let value?): inOrder[place].value = value
      case (true, nil): inOrder.remove(at: place)
      case (false, let value?): inOrder.insert((account, value), at: place)
      case (false, nil): break
      }
      checkInvariants()
    }
  }

  /// What is known about an account, or a beginning for it.
  subscript(account: AccountNumber, default value: @autoclosure () -> Value) -> Value {
    get { self[account] ?? value() }
    _modify {
      let place = place(of: account)
      if !isAt(place, account) { inOrder.insert((account, value()), at: place) }
      checkInvariants()
      yield &inOrder[place].value
    }
  }

  /// Changes what is known about every account.
  mutating func updateAll(_ body: (inout Value) -> Void) {
    for place in inOrder.indices { body(&inOrder[place].value) }
  }

  /// Where the account is, or would be inserted.
  private func place(of account: AccountNumber) -> Int {
    guard let last = inOrder.last, last.account >= account else { return inOrder.count }
    var (lower, upper) = (0, inOrder.count - 1)
    while lower < upper {
      let middle = (lower + upper) / 2
      if inOrder[middle].account < account { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }

  private func isAt(_ place: Int, _ account: AccountNumber) -> Bool {
    place < inOrder.count && inOrder[place].account == account
  }

  private func checkInvariants() {
    assert(zip(inOrder, inOrder.dropFirst()).allSatisfy { $0.account < $1.account }, "accounts are not in order")
  }
}
