import EventSourcing
import WireFormat

/// Accounts with balances: a machine that is small and has everything, as the subject of these tests.
struct LedgerState: MachineState {
  struct Account: Equatable, Sendable {
    var number: UInt64
    var owner: String
    var email: String?
    var balance: Int64 = 0
    var openedBy: UInt64 = 0
  }

  var accounts: [Account] = []
  var transfers: UInt64 = 0
  var lastTransferTime: Int64?
  var notes: [String] = []

  static let sliceNames = ["accounts", "totals", "notes"]

  func encodeSlice(_ index: Int, into writer: inout WireWriter) {
    switch index {
    case 0:
      for account in accounts {
        writer.write(
          1,
          message: {
            $0.write(1, unsigned: account.number)
            $0.write(2, string: account.owner)
            if let email = account.email { $0.writePresent(3, string: email) }
            $0.write(4, signed: account.balance)
            $0.write(5, unsigned: account.openedBy)
          })
      }
    case 1:
      writer.write(1, unsigned: transfers)
      if let lastTransferTime { writer.writePresent(2, signed: lastTransferTime) }
    default:
      for note in notes { writer.writePresent(1, string: note) }
    }
  }

  mutating func decodeSlice(_ index: Int, from reader: inout WireReader) throws(WireError) {
    while let field = try reader.nextField() {
      switch (index, field.number) {
      case (0, 1):
        let account = try reader.message(field) { (inner) throws(WireError) -> Account in
          var account = Account(number: 0, owner: "")
          while let field = try inner.nextField() {
            switch field.number {
            case 1: account.number = try inner.unsigned(field)
            case 2: account.owner = try inner.string(field)
            case 3: account.email = try inner.string(field)
            case 4: account.balance = try inner.signed(field)
            case 5: account.openedBy = try inner.unsigned(field)
            default: try inner.skip(field)
            }
          }
          return account
        }
        accounts.append(account)
      case (1, 1): transfers = try reader.unsigned(field)
      case (1, 2): lastTransferTime = try reader.signed(field)
      case (2, 1): notes.append(try reader.string(field))
      default: try reader.skip(field)
      }
    }
  }

  func tree() -> StateTree {
    .members((0..<3).map { StateTree.Member(Self.sliceNames[$0], tree(ofSlice: $0)) })
  }

  func tree(ofSlice index: Int) -> StateTree {
    switch index {
    case 0:
      .members(
        accounts.map { account in
          StateTree.Member(
            "a\(account.number)",
            .members([
              .init("owner", .text(account.owner)),
              .init("email", account.email.map { .personal($0, .account) } ?? .unset),
              .init("balance", .integer(account.balance)),
              .init("openedBy", .sequence(account.openedBy)),
            ]))
        })
    case 1:
      .members([
        .init("transfers", .integer(Int64(clamping: transfers))),
        .init("lastTransferTime", lastTransferTime.map { .time($0) } ?? .unset),
      ])
    default: .value(notes.isEmpty ? .unset : .list(notes.map { .text($0) }))
    }
  }

  func slice(_ index: Int, equals other: LedgerState) -> Bool {
    switch index {
    case 0: accounts == other.accounts
    case 1: transfers == other.transfers && lastTransferTime == other.lastTransferTime
    default: notes == other.notes
    }
  }
}

/// What happens in a ledger.
enum LedgerEvent: JournaledEvent {
  case opened(account: UInt64, owner: String, email: String?)
  case moved(from: UInt64, to: UInt64, amount: Int64)
  case noted(String)
  case closed(account: UInt64)
  case started

  static let account = ReferenceDescriptor("account", prefix: "a")

  static let owner = MessageDescriptor(
    "Owner",
    [
      FieldDescriptor(1, "name", .string, .single, privacy: .account, "the owner's name"),
      FieldDescriptor(2, "email", .string, .optional, privacy: .secret, "where statements go"),
    ])

  static let domain = "ledger"

  static let catalog = EventCatalog([
    EventDescriptor(
      1, "account.opened",
      body: MessageDescriptor(
        "AccountOpened",
        [
          FieldDescriptor(1, "account", .reference(account), .single, "the account"),
          FieldDescriptor(2, "owner", .message(owner), .single, "whose it is"),
        ]), meaning: "An account was opened."),
    EventDescriptor(
      2, "money.moved",
      body: MessageDescriptor(
        "MoneyMoved",
        [
          FieldDescriptor(1, "from", .reference(account), .single, "the account it leaves"),
          FieldDescriptor(2, "to", .reference(account), .single, "the account it reaches"),
          FieldDescriptor(3, "amount", .signed, .single, "how much, in cents"),
        ]), meaning: "Money went from one account to another."),
    EventDescriptor(
      3, "note.added", unknownReaders: .ignorable,
      body: MessageDescriptor("NoteAdded", [FieldDescriptor(1, "text", .string, .single, "what was noted")]),
      meaning: "A note was added."),
    EventDescriptor(
      4, "account.closed",
      body: MessageDescriptor(
        "AccountClosed", [FieldDescriptor(1, "account", .reference(account), .single, "the account")]),
      meaning: "An account was closed."),
    EventDescriptor(
      9, "process.started", unknownReaders: .ignorable, body: MessageDescriptor("ProcessStarted", []),
      meaning: "The program was started."),
  ])

  var type: UInt32 {
    switch self {
    case .opened: 1
    case .moved: 2
    case .noted: 3
    case .closed: 4
    case .started: 9
    }
  }

  func encodeBody(into writer: inout WireWriter) {
    switch self {
    case .opened(let account, let owner, let email):
      writer.write(1, unsigned: account)
      writer.write(
        2,
        message: {
          $0.write(1, string: owner)
          if let email { $0.writePresent(2, string: email) }
        })
    case .moved(let from, let to, let amount):
      writer.write(1, unsigned: from)
      writer.write(2, unsigned: to)
      writer.write(3, signed: amount)
    case .noted(let text): writer.write(1, string: text)
    case .closed(let account): writer.write(1, unsigned: account)
    case .started: break
    }
  }

  static func decode(type: UInt32, version: UInt32, body: inout WireReader) throws(WireError) -> LedgerEvent? {
    guard version == 1 else { return nil }
    var numbers: (UInt64, UInt64) = (0, 0)
    var amount: Int64 = 0
    var owner = ""
    var email: String?
    guard [1, 2, 3, 4, 9].contains(type) else { return nil }
    while let field = try body.nextField() {
      switch (type, field.number) {
      case (1, 1), (2, 1), (4, 1): numbers.0 = try body.unsigned(field)
      case (1, 2):
        try body.message(field) { (inner) throws(WireError) in
          while let field = try inner.nextField() {
            switch field.number {
            case 1: owner = try inner.string(field)
            case 2: email = try inner.string(field)
            default: try inner.skip(field)
            }
          }
        }
      case (2, 2): numbers.1 = try body.unsigned(field)
      case (2, 3): amount = try body.signed(field)
      case (3, 1): owner = try body.string(field)
      default: try body.skip(field)
      }
    }
    return switch type {
    case 1: .opened(account: numbers.0, owner: owner, email: email)
    case 2: .moved(from: numbers.0, to: numbers.1, amount: amount)
    case 3: .noted(owner)
    case 4: .closed(account: numbers.0)
    default: .started
    }
  }
}

enum LedgerCommand: Sendable {
  case open(String, email: String? = nil)
  case move(from: UInt64, to: UInt64, Int64)
  case note([String])
  case close(UInt64)
  case start
}

enum LedgerRejection: Error, Equatable, CustomStringConvertible {
  case noAccount(UInt64)
  case balanceTooLow(UInt64)

  var description: String {
    switch self {
    case .noAccount(let number): "there is no account a\(number)"
    case .balanceTooLow(let number): "a\(number) does not have as much"
    }
  }
}

/// What can be planted in the ledger's rules.
protocol LedgerRules: Sendable {
  static var revision: UInt32 { get }
  /// What the receiver of more than 50 loses on the way.
  static var fee: Int64 { get }
}

enum CurrentRules: LedgerRules {
  static let revision: UInt32 = 3
  static let fee: Int64 = 0
}

/// Changed rules whose revision was not raised.
enum SilentlyChangedRules: LedgerRules {
  static let revision: UInt32 = 3
  static let fee: Int64 = 1
}

/// The rules were changed as they should be.
enum NextRules: LedgerRules {
  static let revision: UInt32 = 4
  static let fee: Int64 = 1
}

typealias Ledger = LedgerMachine<CurrentRules>

enum LedgerMachine<Rules: LedgerRules>: Decider {
  typealias State = LedgerState
  typealias Event = LedgerEvent

  static var revision: UInt32 { Rules.revision }
  static var initialState: LedgerState { LedgerState() }
  static var processStart: UInt32? { 9 }

  static func reduce(into state: inout LedgerState, _ event: LedgerEvent, _ context: EventContext) {
    switch event {
    case .opened(let number, let owner, let email):
      guard !state.accounts.contains(where: { $0.number == number }) else { return }
      state.accounts.append(.init(number: number, owner: owner, email: email, openedBy: context.sequence))
    case .moved(let from, let to, let amount):
      guard let source = state.accounts.firstIndex(where: { $0.number == from }),
        let target = state.accounts.firstIndex(where: { $0.number == to })
      else { return }
      state.accounts[source].balance -= amount
      state.accounts[target].balance += amount > 50 ? amount - Rules.fee : amount
      state.transfers += 1
      state.lastTransferTime = context.moment.wallNanoseconds
    case .noted(let text):
      state.notes.append(text)
      if state.notes.count > 3 { state.notes.removeFirst() }
    case .closed(let number): state.accounts.removeAll { $0.number == number }
    case .started: break
    }
  }

  static func decide(
    _ command: LedgerCommand, in state: LedgerState, at next: EventContext, explanation: inout Explanation
  ) throws(LedgerRejection) -> DecidedEvents<Self> {
    DecidedEvents(try events(for: command, in: state, &explanation), in: state, at: next)
  }

  private static func events(
    for command: LedgerCommand, in state: LedgerState, _ explanation: inout Explanation
  ) throws(LedgerRejection) -> [LedgerEvent] {
    func require(_ number: UInt64) throws(LedgerRejection) -> LedgerState.Account {
      let account = state.accounts.first { $0.number == number }
      explanation.evaluate("exists", "a\(number) exists", account != nil)
      guard let account else { throw .noAccount(number) }
      return account
    }
    switch command {
    case .open(let owner, let email):
      return [.opened(account: (state.accounts.map(\.number).max() ?? 0) + 1, owner: owner, email: email)]
    case .move(let from, let to, let amount):
      guard from != to else { return [] }
      let source = try require(from)
      _ = try require(to)
      guard source.balance - amount >= -1000 else { throw .balanceTooLow(from) }
      return [.moved(from: from, to: to, amount: amount)]
    case .note(let texts): return texts.map { .noted($0) }
    case .close(let number): return [.closed(account: try require(number).number)]
    case .start: return [.started]
    }
  }

  static func encode(_ command: LedgerCommand, into writer: inout WireWriter) {
    switch command {
    case .open(let owner, let email):
      writer.write(1, string: owner)
      if let email { writer.writePresent(2, string: email) }
    case .move(let from, let to, let amount):
      writer.write(3, unsigned: from)
      writer.write(4, unsigned: to)
      writer.write(5, signed: amount)
    case .note(let texts): for text in texts { writer.writePresent(6, string: text) }
    case .close(let number): writer.write(7, unsigned: number)
    case .start: writer.write(8, bool: true)
    }
  }
}
