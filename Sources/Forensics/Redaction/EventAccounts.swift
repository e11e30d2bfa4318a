import EventSourcing

/// Which accounts an event concerns: the ones its fields name.
public enum EventAccounts {
  /// The numbers of the accounts, each once, in the order of the fields.
  public static func numbers(in message: MessageFields) -> [UInt64] {
    var numbers: [UInt64] = []
    collect(message, into: &numbers)
    return numbers
  }

  /// The pseudonym of an account: `a1`.
  public static func pseudonym(_ number: UInt64) -> String { "a\(number)" }

  private static func collect(_ message: MessageFields, into numbers: inout [UInt64]) {
    for field in message.fields {
      for value in field.values {
        switch value {
        case .account(let number): if number != 0, !numbers.contains(number) { numbers.append(number) }
        case .message(let inner): collect(inner, into: &numbers)
        default: break
        }
      }
    }
  }
}
