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

  /// The number of the account with a pseudonym; `nil` for any other text.
  package static func number(of pseudonym: some StringProtocol) -> UInt64? {
    // A log asks this of every name that changed.
    let (text, prefix) = (pseudonym.utf8, kind.prefix.utf8)
    let digits = text.dropFirst(prefix.count)
    guard text.starts(with: prefix), let first = digits.first, first != UInt8(ascii: "0") else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      let tens = number.multipliedReportingOverflow(by: 10)
      let sum = tens.partialValue.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
      guard !tens.overflow, !sum.overflow else { return nil }
      number = sum.partialValue
    }
    return number
  }

  /// Whether messages of a kind can name accounts.
  package static func mayBeNamed(in message: MessageDescriptor) -> Bool {
    message.fields.contains { field in
      switch field.type {
      case .reference(kind): true
      case .message(let inner): mayBeNamed(in: inner)
      case .bool, .unsigned, .signed, .string, .json, .bytes, .guid, .time, .duration, .reference, .sequence,
        .enumeration:
        false
      }
    }
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
