import EventSourcing

/// Finds the accounts that an event concerns: those its fields name.
public enum EventAccounts {
  /// What a domain calls a reference to an account, and how one is printed.
  public static let kind = ReferenceDescriptor("account", prefix: "a")

  /// The account numbers without duplicates, in the order of the fields.
  public static func numbers(in message: MessageFields) -> [UInt64] {
    var numbers = DistinctNumbers()
    collect(message, into: &numbers)
    return numbers.inOrder
  }

  /// The pseudonym of an account, such as `a1`.
  public static func pseudonym(_ number: UInt64) -> String { kind.text(number) }

  /// Whether a text is the pseudonym of an account.
  package static func isPseudonym(_ text: String) -> Bool {
    // A log asks this of every name that changed.
    let digits = text.utf8.dropFirst(kind.prefix.utf8.count)
    guard text.utf8.starts(with: kind.prefix.utf8), let first = digits.first, first != UInt8(ascii: "0") else {
      return false
    }
    return digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  private static func collect(_ message: MessageFields, into numbers: inout DistinctNumbers) {
    for field in message.fields {
      for value in field.values {
        switch value {
        case .reference(let number, kind): if number != 0 { numbers.insert(number) }
        case .message(let inner): collect(inner, into: &numbers)
        case .bool, .unsigned, .signed, .text, .json, .bytes, .guid, .sealed, .time, .duration, .double, .date,
          .reference, .sequence, .enumeration, .unknown, .undecodable:
          break
        }
      }
    }
  }
}
