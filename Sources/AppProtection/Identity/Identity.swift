import EventSourcing
import WireFormat

/// Whose identity is set somewhere. Nothing, nobody and somebody are three different values.
public enum Identity: Hashable, Sendable, CustomStringConvertible {
  /// Nothing is set: the next level decides (`nil` in the SDK).
  case unset
  /// Explicitly nobody's: no policy applies, and no further level is asked (the empty string in the SDK).
  case unmanaged
  /// An account.
  case account(AccountNumber)

  /// The account, where there is one.
  public var account: AccountNumber? {
    if case .account(let number) = self { number } else { nil }
  }

  /// `unset`, `unmanaged`, or the account, such as `a1`.
  public var description: String {
    switch self {
    case .unset: "unset"
    case .unmanaged: "unmanaged"
    case .account(let number): number.description
    }
  }

  /// What is shown in a state tree.
  var value: StateValue {
    self == .unset ? .unset : .name(description)
  }

  static let descriptor = MessageDescriptor(
    "Identity",
    [
      FieldDescriptor(
        1, "unmanaged", .bool, .single, "whether it is explicitly nobody's; false and no account: nothing is set"),
      FieldDescriptor(2, "account", .account, .single, "the account, where there is one"),
    ])

  func encode(into writer: inout WireWriter) {
    writer.write(1, bool: self == .unmanaged)
    writer.write(2, account: account)
  }

  init(from reader: inout WireReader) throws(WireError) {
    var isUnmanaged = false
    var account: AccountNumber?
    while let field = try reader.nextField() {
      switch field.number {
      case 1: isUnmanaged = try reader.bool(field)
      case 2: account = try reader.account(field)
      default: try reader.skip(field)
      }
    }
    self = account.map(Identity.account) ?? (isUnmanaged ? .unmanaged : .unset)
  }
}
