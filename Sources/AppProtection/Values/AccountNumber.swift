import EventSourcing
import WireFormat

/// The number by which a journal refers to an account; it reveals nothing about the person.
///
/// The event `account.introduced` assigns numbers from 1 in the order in which accounts are first mentioned. Only this
/// event and `account.identified` contain object ids and user principal names. Account 1 is printed as `a1`.
public struct AccountNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The number, 1...4,294,967,295.
  public let rawValue: UInt32

  /// Creates a number; `nil` for zero, which means no account.
  public init?(_ rawValue: UInt32) {
    guard rawValue != 0 else { return nil }
    self.rawValue = rawValue
  }

  private init(unchecked rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// How events refer to accounts, as the catalogue describes it.
  public static let kind = ReferenceDescriptor("account", prefix: "a")

  /// The number of a journal's first account.
  public static let first = AccountNumber(unchecked: 1)

  /// The number after this one; `nil` after the last.
  public var next: AccountNumber? { AccountNumber(rawValue &+ 1) }

  /// Reads the printed form: `a` and a decimal number without leading zeros.
  public init?(_ text: some StringProtocol) {
    // A log asks this of every name that changed.
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "a"), let first = digits.first, first != UInt8(ascii: "0") else { return nil }
    var number: UInt32 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      let tens = number.multipliedReportingOverflow(by: 10)
      let sum = tens.partialValue.addingReportingOverflow(UInt32(digit &- UInt8(ascii: "0")))
      guard !tens.overflow, !sum.overflow else { return nil }
      number = sum.partialValue
    }
    rawValue = number
  }

  /// The printed form, such as `a1`.
  public var description: String { "a\(rawValue)" }

  /// The order in which accounts were first mentioned.
  public static func < (one: AccountNumber, other: AccountNumber) -> Bool {
    one.rawValue < other.rawValue
  }
}

extension WireWriter {
  /// Writes an account; `nil` is omitted.
  mutating func write(_ field: Int, account: AccountNumber?) {
    if let account { write(field, unsigned: UInt64(account.rawValue)) }
  }
}

extension WireReader {
  /// Reads an account; zero means none.
  @inline(__always)
  mutating func account(_ field: Field) throws(WireError) -> AccountNumber? {
    AccountNumber(try unsigned(field, as: UInt32.self))
  }
}

/// An account in a field. Zero means none.
public struct AccountCoding: FieldCoding {
  /// An unsigned number.
  public static var wireType: WireType { .varint }
  /// The number of an account.
  public static var type: FieldType { .reference(AccountNumber.kind) }

  /// No account is the default.
  @inline(__always)
  public static func isDefault(_ value: AccountNumber) -> Bool { false }
  public static var hasDefault: Bool { false }

  /// Writes the account's number.
  @inline(__always)
  public static func write(_ value: AccountNumber, to number: Int, of writer: inout WireWriter) {
    writer.writePresent(number, unsigned: UInt64(value.rawValue))
  }

  /// Reads an account; `nil` for zero.
  @inline(__always)
  public static func read(_ field: WireReader.Field, from reader: inout WireReader) throws(WireError) -> AccountNumber?
  {
    try reader.account(field)
  }

  /// The printed form.
  public static func tree(of value: AccountNumber, _ privacy: Privacy) -> StateTree {
    .value(.name(value.description))
  }
}

extension AccountNumber: FieldValue {
  /// The account's number; zero means none.
  public static var coding: AccountCoding { AccountCoding() }
}
