import AppProtection

/// What a rule knows about each account, in the order of their numbers.
///
/// No larger than the table of accounts in the state.
struct PerAccount<Value: Sendable>: Sendable {
  private var values: [AccountNumber: Value] = [:]

  /// What is known about an account.
  subscript(account: AccountNumber) -> Value? {
    get { values[account] }
    set { values[account] = newValue }
  }

  /// What is known about an account, or a beginning for it.
  subscript(account: AccountNumber, default value: @autoclosure () -> Value) -> Value {
    get { values[account] ?? value() }
    _modify { yield &values[account, default: value()] }
  }

  /// Changes what is known about every account.
  mutating func updateAll(_ body: (inout Value) -> Void) {
    for account in values.keys { if var value = values[account] { body(&value); values[account] = value } }
  }

  /// The accounts in order.
  var inOrder: [(account: AccountNumber, value: Value)] {
    values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
