import AppProtection
import EventSourcing

/// What a command costs in states of different sizes.
enum Growth {
  static let sizes = [10, 100, 1_000, 10_000]
  private static let commandCount = 2_000

  /// Prints a line for each size: microseconds of processor time per event of each kind of command, and those of a difference of two states.
  static func measure(_ sizes: [Int], in directory: String, policies: String) throws {
    let (document, other) = try twoPolicies(of: policies)
    Platform.print("accounts  token  by name  identity  check-in  due  new policy  difference (us each)")
    for size in sizes {
      let store = try EventStore<AppProtectionMachine>.create(
        at: "\(directory)/\(size)", journalID: Fixtures.journalID(5), createdNanoseconds: Histories.start,
        options: Fixtures.unsynced)
      var life = Life(store: store, size: size)
      try life.begin(with: document)
      let token = try life.time { number in
        [.removeToken(Life.numbered(number)), .acquireToken(Life.numbered(number))]
      }
      let named = try life.time { number in
        [.removeToken(Life.reference(number)), .acquireToken(Life.reference(number))]
      }
      let identity = try life.time { number in [.setIdentity(.ui, .account(Life.numbered(number)))] }
      let checkIn = try life.time { number in
        [.requestCheckIn(Life.numbered(number), .launch), .answerCheckIn(Life.numbered(number), .unchanged)]
      }
      let due = try life.timeDueWork()
      var hasOther = [Bool](repeating: false, count: size + 1)
      let changed = try life.time { number in
        hasOther[number].toggle()
        let answer = ServiceAnswer.policy(hasOther[number] ? other : document)
        return [.requestCheckIn(Life.numbered(number), .launch), .answerCheckIn(Life.numbered(number), answer)]
      }
      let earlier = store.state
      try life.give([.removeToken(Life.numbered(size / 2))])
      let later = store.state
      let difference = Sample.timing(100) { for _ in 0..<100 { _ = earlier.changes(to: later) } }
      let all = [token, named, identity, checkIn, due, changed, difference].map { sample in
        let hundredths = Int(sample.processorSeconds / sample.amount * 1e8)
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
      }
      Platform.print("\(size)  " + all.joined(separator: "  "))
      try store.close()
    }
  }

  private static func twoPolicies(of path: String) throws -> (PolicyDocument, PolicyDocument) {
    var first: PolicyDocument?
    var cursor = try History<AppProtectionMachine>(at: path).events()
    while let item = try cursor.next() {
      guard case .event(let step) = item, case .policyReceived(let event)? = step.record.event else { continue }
      if let first, first != event.document { return (first, event.document) }
      first = event.document
    }
    throw Failure("\(path) has less than two policies")
  }

  /// An app with so many managed accounts.
  private struct Life {
    let store: EventStore<AppProtectionMachine>
    let size: Int
    var time: Int64 = 1_583_398_800_000_000_000
    /// The time between two commands.
    var pause = Life.usualPause
    static let usualPause: Int64 = 7_000_000_000

    init(store: EventStore<AppProtectionMachine>, size: Int) {
      self.store = store
      self.size = size
    }

    static func reference(_ number: Int) -> AccountReference {
      let digits = String(1_000_000 + number)
      return AccountReference(
        objectID: GUID("1f5c0b1a-6f0e-4b7e-9a51-0c6f2\(digits)"), userPrincipalName: "user\(number)@contoso.com")
    }

    static func numbered(_ number: Int) -> AccountReference {
      AccountNumber(UInt32(number)).map { AccountReference($0) } ?? reference(number)
    }

    mutating func begin(with document: PolicyDocument) throws {
      var settings = AppSettings()
      settings.multiIdentity = true
      settings.maximumManagedAccounts = UInt32(size)
      var process = ProcessStart()
      (process.appVersion, process.sdkVersion, process.osVersion) = ("3.0", "19.2.0", "17.5")
      try give([.startProcess(process, settings: settings)])
      for number in 1...size {
        let reference = Self.reference(number)
        try give([.registerAndEnroll(reference), .answerEnrollment(reference, .policy(document))])
      }
      try give([.startProcess(process, settings: nil)])
    }

    mutating func give(_ commands: [AppProtectionCommand]) throws {
      for command in commands { _ = try give(command) }
    }

    private mutating func give(_ command: AppProtectionCommand) throws -> AppendResult<AppProtectionMachine> {
      time += pause
      do throws(StoreError<AppProtectionRejection>) {
        return try store.append(command, at: moment)
      } catch {
        throw Failure("\(command) is refused: \(error)")
      }
    }

    private var moment: Moment {
      Moment(wallNanoseconds: time, uptimeNanoseconds: time - 1_583_390_000_000_000_000)
    }

    /// Waits for each check-in that falls due, looks for work as an engine does, starts it and answers it.
    mutating func timeDueWork() throws -> Sample {
      defer { pause = Self.usualPause }
      // Once all at the same time. Then they fall due one by one: all of them within the half hour between two check-ins
      // of an account, and further apart than the two commands of each take.
      time += 3_600_000_000_000
      pause = 150_000_000
      try workDue()
      pause = 50_000_000
      return try fastest { life in
        life.time = max(life.time, life.store.state.nextDue(after: life.moment) ?? 0)
        guard life.store.state.pendingWork(at: life.moment).count == 1 else {
          throw Failure("not one check-in is due, but \(life.store.state.pendingWork(at: life.moment))")
        }
        try life.workDue()
      }
    }

    private mutating func workDue() throws {
      for case .checkInRequested(let event) in try give(.startDueWork).events.map(\.event) {
        _ = try give(.answerCheckIn(AccountReference(event.account), .unchanged))
      }
    }

    /// Gives commands for accounts from all over the table.
    mutating func time(_ commands: (Int) -> [AppProtectionCommand]) throws -> Sample {
      var number = 0
      return try fastest { life in
        number += 7
        try life.give(commands(number % life.size + 1))
      }
    }

    /// The cost of an event in the fastest of five rounds.
    private mutating func fastest(_ step: (inout Life) throws -> Void) throws -> Sample {
      var best: Sample?
      for _ in 0..<5 {
        let last = store.lastSequence
        let sample = try Sample.timing {
          for _ in 0..<(Growth.commandCount / 5) { try step(&self) }
          return Double(max(1, store.lastSequence - last))
        }
        let isBest = best.map { sample.processorSeconds / sample.amount < $0.processorSeconds / $0.amount } ?? true
        if isBest { best = sample }
      }
      return best ?? Sample(1, wallSeconds: 0, processorSeconds: 0)
    }
  }
}
