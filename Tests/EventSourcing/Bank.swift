import EventSourcing
import WireFormat

/// A bank whose programs were updated six times.
///
/// | program | what is new |
/// |---|---|
/// | 1 | accounts are opened, and euros deposited |
/// | 2 | notes, which programs without them may leave out: a type and a slice |
/// | 3 | deposits in cents: version 2 of the type |
/// | 4 | revision 2 of the rules: a deposit of 100 euros or more earns one |
/// | 5 | a limit of an account, which must be understood: a type and a field of the accounts |
/// | 6 | accounts are closed: a type, and a slice that must be understood |
///
/// Program 2 was in use once more after program 3 had not yet written a deposit.
protocol BankProgram: Sendable {
  /// Its number.
  static var number: Int { get }
  static var types: EventTypes<BankEvent<Self>> { get }
  static var revision: UInt32 { get }
  /// What accounts have gained when revision 1's state is taken over; `nil` for a program that cannot take it over.
  static var migrationBonus: Int64? { get }
  static var knowsLimits: Bool { get }
  /// What a program without limits does with one.
  static var limitRule: UnknownReaderRule { get }
  /// Whether a note counts as a deposit.
  static var countsNotes: Bool { get }
}

extension BankProgram {
  static var revision: UInt32 { number < 4 ? 1 : 2 }
  static var migrationBonus: Int64? { 0 }
  static var knowsLimits: Bool { number >= 5 }
  static var limitRule: UnknownReaderRule { .mustUnderstand }
  static var countsNotes: Bool { false }
}

enum Bank1: BankProgram {
  static let number = 1
  static let types = EventTypes<BankEvent<Bank1>>("bank", .opened(), .deposited())
}

enum Bank2: BankProgram {
  static let number = 2
  static let types = EventTypes<BankEvent<Bank2>>("bank", .opened(), .deposited(), .noted())
}

enum Bank3: BankProgram {
  static let number = 3
  static let types = EventTypes<BankEvent<Bank3>>("bank", .opened(), .deposited(), .noted()).readingEuros()
}

enum Bank4: BankProgram {
  static let number = 4
  static let types = EventTypes<BankEvent<Bank4>>("bank", .opened(), .deposited(), .noted()).readingEuros()
}

enum Bank5: BankProgram {
  static let number = 5
  static let types = EventTypes<BankEvent<Bank5>>("bank", .opened(), .deposited(), .noted(), .limited()).readingEuros()
}

enum Bank6: BankProgram {
  static let number = 6
  static let types = EventTypes<BankEvent<Bank6>>(
    "bank", .opened(), .deposited(), .noted(), .limited(), .closed()
  ).readingEuros()
}

/// Program 4 with another migration under the same revision, as it must not be.
enum Bank4Changed: BankProgram {
  static let number = 4
  static let types = EventTypes<BankEvent<Bank4Changed>>("bank", .opened(), .deposited(), .noted()).readingEuros()
  static var migrationBonus: Int64? { 1 }
}

/// Program 1 with notes that change a slice of program 1.
enum Bank1Noting: BankProgram {
  static let number = 1
  static let types = EventTypes<BankEvent<Bank1Noting>>("bank", .opened(), .deposited(), .noted())
  static var countsNotes: Bool { true }
}

/// Program 1 with limits that programs without them may leave out.
enum Bank1Limiting: BankProgram {
  static let number = 1
  static let types = EventTypes<BankEvent<Bank1Limiting>>("bank", .opened(), .deposited(), .limited())
  static var knowsLimits: Bool { true }
  static var limitRule: UnknownReaderRule { .ignorable }
}

/// A program whose revision takes over no state.
enum Bank7: BankProgram {
  static let number = 4
  static let types = EventTypes<BankEvent<Bank7>>("bank", .opened(), .deposited(), .noted()).readingEuros()
  static var revision: UInt32 { 3 }
  static var migrationBonus: Int64? { nil }
}

extension EventTypes {
  /// Deposits of version 1 are in euros.
  fileprivate func readingEuros<Program: BankProgram>() -> Self where Event == BankEvent<Program> {
    upcasting { (old: DepositInEuros) in
      switch old {
      case .deposited(let account, let euros): .deposited(account: account, amount: euros * 100)
      }
    }
  }
}

/// What deposits were before program 3.
enum DepositInEuros: EventList {
  case deposited(account: UInt64 = 0, euros: Int64 = 0)

  static let types = EventTypes<DepositInEuros>("bank", .deposited())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> DepositInEuros {
    switch self {
    case .deposited(let account, let euros):
      try list.event(
        2, "money.deposited",
        .deposited(account: list.field(1, "account", account), euros: list.field(2, "euros", euros)))
    }
  }
}

/// What happens in a bank.
enum BankEvent<Program: BankProgram>: EventList {
  case opened(account: UInt64 = 0, owner: String = "")
  /// The amount is in euros before program 3, and in cents since then.
  case deposited(account: UInt64 = 0, amount: Int64 = 0)
  case noted(text: String = "")
  case limited(account: UInt64 = 0, cents: Int64 = 0)
  case closed(account: UInt64 = 0)

  static var types: EventTypes<BankEvent> { Program.types }

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> BankEvent {
    switch self {
    case .opened(let account, let owner):
      try list.event(
        1, "account.opened",
        .opened(
          account: list.field(1, "account", account), owner: list.field(2, "owner", owner, privacy: .account)))
    case .deposited(let account, let amount):
      try list.event(
        2, "money.deposited",
        .deposited(
          account: list.field(1, "account", account),
          amount: Program.number < 3 ? list.field(2, "euros", amount) : list.field(3, "cents", amount)),
        version: Program.number < 3 ? 1 : 2)
    case .noted(let text):
      try list.event(3, "note.taken", .noted(text: list.field(1, "text", text)), unknownReaders: .ignorable)
    case .limited(let account, let cents):
      try list.event(
        4, "account.limited",
        .limited(account: list.field(1, "account", account), cents: list.field(2, "cents", cents)),
        unknownReaders: Program.limitRule)
    case .closed(let account):
      try list.event(5, "account.closed", .closed(account: list.field(1, "account", account)))
    }
  }
}

/// An account of a bank.
struct BankAccount<Program: BankProgram>: FieldTree, TableRow {
  var number: UInt64 = 0
  var owner = ""
  var cents: Int64 = 0
  /// Since program 5.
  var limit: Int64 = 0

  static var blank: BankAccount { BankAccount() }
  /// What is not there before program 5.
  static var derivedProperties: [String] { Program.knowsLimits ? [] : ["limit"] }
  var key: UInt64 { number }

  static func visit<V: FieldVisitor>(_ account: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &account.number)
    try field(2, "owner", &account.owner, privacy: .account)
    try field(3, "cents", &account.cents)
    if Program.knowsLimits { try field(4, "limit", &account.limit) }
  }
}

/// A bank's state, which is divided as its program says.
struct Bank<Program: BankProgram>: Aggregate {
  var accounts = StateTable<BankAccount<Program>>()
  var deposits: UInt64 = 0
  /// Since program 2.
  var notes: [String] = []
  /// Since program 6.
  var closed: [UInt64] = []

  static var types: EventTypes<BankEvent<Program>> { Program.types }
  static var revision: UInt32 { Program.revision }
  static var ignorableSlices: [String] { ["notes"] }
  /// What is not there in earlier programs.
  static var derivedProperties: [String] {
    (Program.number >= 2 ? [] : ["notes"]) + (Program.number >= 6 ? [] : ["closed"])
  }

  mutating func visit<V: FieldVisitor>(_ field: inout V) throws(V.Failure) {
    try field(1, "accounts", &accounts)
    try field(2, "deposits", &deposits)
    if Program.number >= 2 { try field(3, "notes", &notes) }
    if Program.number >= 6 { try field(4, "closed", &closed) }
  }

  mutating func apply(_ event: BankEvent<Program>, _ context: EventContext) {
    switch event {
    case .opened(let number, let owner): accounts.set(BankAccount(number: number, owner: owner))
    case .deposited(let number, let amount):
      guard var account = accounts[key: number] else { return }
      let cents = Program.number < 3 ? amount * 100 : amount
      account.cents += cents + (Self.revision > 1 && cents >= 10_000 ? 100 : 0)
      accounts.set(account)
      deposits += 1
    case .noted(let text):
      notes.append(text)
      if Program.countsNotes { deposits += 1 }
    case .limited(let number, let cents):
      guard var account = accounts[key: number] else { return }
      account.limit = cents
      accounts.set(account)
    case .closed(let number):
      accounts.remove(number)
      closed.append(number)
    }
  }

  func check(_ event: BankEvent<Program>) throws(Refusal) {
    if case .deposited(let number, _) = event, accounts[key: number] == nil {
      throw Refusal("no account has that number")
    }
  }

  /// Revision 1 gave nothing for large deposits, and no event is left that would say which there were.
  static func migrate(_ stored: StoredState<Bank>) throws(WireError) -> Bank? {
    guard stored.revision == 1, let bonus = Program.migrationBonus else { return nil }
    var bank = try stored.decoded()
    bank.accounts.updateAll { $0.cents += bonus }
    return bank
  }
}
