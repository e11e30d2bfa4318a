import EventSourcing
import WireFormat

/// Customers of a bank: a domain with personal data in events, in rows of a state, and in events alone.
enum CustomerEvent: EventList {
  case opened(
    customer: UInt64 = 0, name: Personal<String> = Personal(wrappedValue: ""),
    email: Personal<String?> = Personal(wrappedValue: nil))
  case renamed(customer: UInt64 = 0, name: Personal<String> = Personal(wrappedValue: ""))
  case deposited(customer: UInt64 = 0, cents: Int64 = 0)
  case complained(customer: UInt64 = 0, text: Personal<String> = Personal(wrappedValue: ""))

  static let types = EventTypes<CustomerEvent>("bank", .opened(), .renamed(), .deposited(), .complained())

  func visit<V>(_ list: inout EventVisitor<V>) throws(V.Failure) -> CustomerEvent {
    switch self {
    case .opened(let customer, let name, let email):
      try list.event(
        1, "customer.opened",
        .opened(
          customer: list.field(1, "customer", customer), name: list.field(2, "name", name, privacy: .account),
          email: list.field(3, "email", email, privacy: .account)))
    case .renamed(let customer, let name):
      try list.event(
        2, "customer.renamed",
        .renamed(customer: list.field(1, "customer", customer), name: list.field(2, "name", name, privacy: .account)))
    case .deposited(let customer, let cents):
      try list.event(
        3, "money.deposited",
        .deposited(customer: list.field(1, "customer", customer), cents: list.field(2, "cents", cents)))
    case .complained(let customer, let text):
      try list.event(
        4, "customer.complained",
        .complained(customer: list.field(1, "customer", customer), text: list.field(2, "text", text, privacy: .account))
      )
    }
  }

  var sealingAccount: UInt64 {
    switch self {
    case .opened(let customer, _, _), .renamed(let customer, _), .deposited(let customer, _),
      .complained(let customer, _):
      customer
    }
  }
}

/// One customer of the state.
struct BankCustomer: TableRow, FieldTree {
  var number: UInt64 = 0
  @Personal var name = ""
  @Personal var email: String?
  var cents: Int64 = 0

  var key: UInt64 { number }
  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ customer: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "number", &customer.number, required: true)
    try field(2, "name", &customer.$name, privacy: .account)
    try field(3, "email", &customer.$email, privacy: .account)
    try field(4, "cents", &customer.cents)
  }
}

struct CustomerState: MachineState, FieldTree {
  var customers = StateTable<BankCustomer>()
  var complaints: UInt64 = 0
  @Personal var lastComplaint = ""

  static var blank: Self { Self() }

  static func visit<V: FieldVisitor>(_ state: inout Self, _ field: inout V) throws(V.Failure) {
    try field(1, "customers", &state.customers)
    try field(2, "complaints", &state.complaints)
    try field(3, "lastComplaint", &state.$lastComplaint, privacy: .account)
  }
}

enum BankCommand: Sendable {
  case greet(String, email: String? = nil)
  case rename(String, to: String)
  case deposit(String, Int64)
  case complain(String, String)
}

enum BankRejection: Error, Equatable, CustomStringConvertible {
  case unknownCustomer
  var description: String { "no customer has this name" }
}

enum Customers: Decider {
  typealias State = CustomerState
  typealias Event = CustomerEvent

  static func reduce(into state: inout CustomerState, _ event: CustomerEvent, _ context: EventContext) {
    switch event {
    case .opened(let number, let name, let email):
      var customer = BankCustomer(number: number)
      (customer.$name, customer.$email) = (name, email)
      state.customers.set(customer)
    case .renamed(let number, let name): state.customers.update(number) { $0.$name = name }
    case .deposited(let number, let cents): state.customers.update(number) { $0.cents += cents }
    case .complained(_, let text):
      state.complaints += 1
      state.$lastComplaint = text
    }
  }

  static func decide(
    _ command: BankCommand, in state: CustomerState, at next: EventContext, explanation: inout Explanation
  ) throws(BankRejection) -> DecidedEvents<Self> {
    func known(_ name: String) -> UInt64? { state.customers.first { $0.name == name }?.number }
    func find(_ name: String) throws(BankRejection) -> UInt64 {
      guard let number = known(name) else { throw .unknownCustomer }
      return number
    }
    var events: [CustomerEvent] = []
    switch command {
    case .greet(let name, let email):
      let number = known(name) ?? (state.customers.last?.number ?? 0) + 1
      if known(name) == nil {
        events.append(
          .opened(customer: number, name: Personal(wrappedValue: name), email: Personal(wrappedValue: email)))
      }
      events.append(.deposited(customer: number, cents: 1))
    case .rename(let name, let other):
      events = [.renamed(customer: try find(name), name: Personal(wrappedValue: other))]
    case .deposit(let name, let cents): events = [.deposited(customer: try find(name), cents: cents)]
    case .complain(let name, let text):
      events = [.complained(customer: try find(name), text: Personal(wrappedValue: text))]
    }
    return DecidedEvents(events, in: state, at: next)
  }

  static func encode(_ command: BankCommand, into writer: inout WireWriter) {
    switch command {
    case .greet(let name, let email):
      writer.write(1, string: name)
      if let email { writer.writePresent(2, string: email) }
    case .rename(let name, let new):
      writer.write(1, string: name)
      writer.write(3, string: new)
    case .deposit(let name, let cents):
      writer.write(1, string: name)
      writer.writePresent(4, signed: cents)
    case .complain(let name, let text):
      writer.write(1, string: name)
      writer.write(5, string: text)
    }
  }
}
