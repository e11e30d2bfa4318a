import AppProtection
import EventSourcing
import FileProtection
import Journal
import JournalSimulation
import ProcessTesting

/// A phone whose app and share extension are killed: what is on it, what they were told, and what must be there afterwards.
struct KilledPhone {
  static let alice = "alice@contoso.com"
  static let bob = "bob@fabrikam.com"
  /// In every text of Alice's, and in nothing else on the phone.
  static let secret = "TOP-SECRET"

  private let path: String
  /// Alice's letter as the other app hands it out: encrypted, with her as its owner.
  private var letter: [UInt8] = []
  private let disk = PosixFileSystem()
  /// Whether a policy is in force for Alice.
  private(set) var isManaged = false
  /// The texts that each note may have: more than one after a write that was not answered.
  private var notes: [String: [String: [String]]] = [:]
  /// Writes that the app which is about to die was told.
  private var pending: [Note] = []
  /// What its extension was told: a note that is shared, or `nil` for what is handed over to the app.
  private var pendingShares: [Note?] = []
  private var lastText = 0

  private struct Note {
    var account: String
    var name: String
    var text: String
  }

  /// The number that the journal gives Alice: Bob signs in first.
  private static let number = "a2"
  private var documents: String { "\(path)/phone/notes/documents" }

  /// A phone with two apps. Bob is signed in to the first, and Alice to the other.
  init(at path: String) throws(ProcessFailure) {
    self.path = path
    for folder in ["", "/company", "/company/policies", "/outside", "/outside/folder"] { try make(path + folder) }
    try write(
      """
      {"groups": ["staff"], "users": [{"userPrincipalName": "\(Self.alice)", "groups": ["staff"]},
       {"userPrincipalName": "\(Self.bob)"}]}
      """, to: "company/users.json")
    try write(
      #"{"assignments": [{"document": "policies/staff.json", "groups": ["staff"]}]}"#, to: "company/assignments.json")
    try write(
      """
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Staff", "saveAsBlocked": true,
       "allowedOutboundDataTransferDestinations": "managedApps"}
      """, to: "company/policies/staff.json")
    try write(Self.foreign, to: "outside/precious")
    try write(Self.foreign, to: "outside/folder/precious")
    _ = try tell(["sign-in \(Self.alice)", "", "switch \(Self.alice)", "write letter \(Self.secret)"], app: "mail")
    _ = try tell(["switch \(Self.alice)", "share letter \(Self.alice) \(path)/outside/letter"], app: "mail")
    letter = try bytes(of: "outside/letter")
    _ = try tell(["sign-in \(Self.bob)", "switch \(Self.bob)", "write list milk", "switch", "write diary rain"])
    notes = [Self.bob: ["list": ["milk"]], "": ["diary": ["rain"]]]
    // Files of the user that the app did not write.
    try write(Self.foreign, to: "phone/notes/documents/personal/photo")
    try write(Self.foreign, to: "phone/notes/export")
  }

  private static let foreign = "nothing of the app's"

  // MARK: What is told

  /// Lines that write notes of an account.
  mutating func writes(_ count: Int, for account: String, _ generator: inout SeededGenerator) -> [String] {
    var lines: [String] = []
    for _ in 0..<count {
      lastText += 1
      let word = account == Self.alice ? "\(Self.secret)-\(lastText)" : "open-\(lastText)"
      let length = generator.oneIn(4) ? generator.below(4_000) : generator.below(8)
      let text = Array(repeating: word, count: 1 + length).joined(separator: " ")
      let name = "note-\(generator.below(6))"
      pending.append(Note(account: account, name: name, text: text))
      lines.append("write \(name) \(text)")
    }
    return lines
  }

  /// Lines that fetch Alice's letter from the other app, each under a name that no note has.
  mutating func imports(_ count: Int) -> [String] {
    (0..<count).map { _ in
      lastText += 1
      pending.append(Note(account: Self.alice, name: "imported-\(lastText)", text: Self.secret))
      return "import \(path)/outside/letter imported-\(lastText)"
    }
  }

  /// Lines for the extension that share texts and Alice's letter, each under a name that no note has.
  mutating func shares(_ count: Int, _ generator: inout SeededGenerator) -> [String] {
    (0..<count).map { _ in
      lastText += 1
      let name = "shared-\(lastText)"
      switch generator.below(4) {
      case 0:
        pendingShares.append(Note(account: Self.alice, name: name, text: Self.secret))
        return "share \(path)/outside/letter \(name) \(generator.oneIn(2) ? Self.alice : "")"
      case 1:
        pendingShares.append(Note(account: Self.bob, name: name, text: "open-\(lastText)"))
        return "share-text open-\(lastText) \(name) \(Self.bob)"
      default:
        pendingShares.append(Note(account: Self.alice, name: name, text: "\(Self.secret)-\(lastText)"))
        return "share-text \(Self.secret)-\(lastText) \(name) \(Self.alice)"
      }
    }
  }

  /// A line for the extension that hands something over to the app.
  mutating func handover(_ line: String) -> String {
    pendingShares.append(nil)
    return line
  }

  /// The administrator orders a wipe.
  func orderWipe() { try? write(#"{"wipes": [{"user": "\#(Self.alice)"}]}"#, to: "company/wipes.json") }

  /// What the processes printed.
  struct Told {
    var byApp: [String] = []
    var byExtension: [String] = []
    /// Whether a wipe was under way when the app died.
    var isWipeCut = false
  }

  /// Starts the app and its extension, tells them the lines, and kills them.
  ///
  /// - Parameters:
  ///   - answers: How many lines the app prints before; `nil` counts the time from its start.
  ///   - shared: The lines for the extension, which is not started without any.
  ///   - order: How the two die.
  mutating func kill(
    after answers: Int?, delayMicroseconds: UInt64, telling lines: [String], sharing shared: [String], _ order: Order
  ) throws(ProcessFailure) -> Told {
    try layLinks()
    let app = try start("notes")
    let share = shared.isEmpty ? nil : try start("notes", ["--extension"])
    for line in lines { app.send(line) }
    for line in shared { share?.send(line) }
    var told = Told()
    // Not every line is answered by one of the app's: silence says that nothing more comes.
    while told.byApp.count < answers ?? 0, let line = app.nextLine(withinMicroseconds: 300_000) {
      told.byApp.append(line)
    }
    Platform.pause(microseconds: delayMicroseconds)
    if order == .extensionFirst {
      share?.kill()
      Platform.pause(microseconds: delayMicroseconds)
    }
    app.kill()
    told.byApp += try finish(app)
    // The next app finds the extension at work.
    if order == .appRelaunched { told.byApp += try tell([]) }
    share?.kill()
    if let share { told.byExtension = try finish(share) }
    told.isWipeCut = try checkOrderOfWipe()
    return told
  }

  /// Starts the app and kills it: while it opens the journal, goes on with a wipe, or encrypts notes in place whose account's policy
  /// has come into force.
  ///
  /// - Returns: What it printed.
  func killLaunch(afterMicroseconds delay: UInt64) throws(ProcessFailure) -> Told {
    let app = try start("notes")
    Platform.pause(microseconds: delay)
    app.kill()
    let printed = try finish(app)
    return Told(byApp: printed, isWipeCut: try checkOrderOfWipe())
  }

  /// Which of the two dies first, and whether the app is started again while the extension lives.
  enum Order: CaseIterable { case appFirst, appRelaunched, extensionFirst }

  /// What a process still printed that was killed.
  private func finish(_ process: ChildProcess) throws(ProcessFailure) -> [String] {
    let lines = process.remainingLines()
    let status = process.wait()
    guard status == -9 else { throw ProcessFailure("a process ended by itself with \(status): \(lines)") }
    return lines
  }

  // MARK: What must be there

  /// Starts the app once more, and checks everything that its death may have left wrong.
  ///
  /// - Returns: How many notes were read back, and how many commands of the extension were carried out.
  mutating func recover(from story: Story, told: Told) throws(ProcessFailure) -> (notes: Int, handedOver: Int) {
    let launched = try tell([])
    let state = try state()
    try checkNothingIsUndone(in: state)
    let alice = state.accounts.records.first { $0.account.description == Self.number }
    let status = alice?.enrollment.status ?? .unknown
    let handedOver = told.byExtension.count { $0 == "handed over" }
    try checkOutcome(of: story, status, told.byApp + launched, handedOver: handedOver)
    isManaged = status == .enrolledWithPolicy
    try checkFiles()
    try checkSpool()
    try checkForeign()
    disk.removeFile("\(path)/company/wipes.json")
    settleWrites(told.byApp.count { $0 == "written" || $0 == "received" })
    try settleShares(told.byExtension)
    if !isManaged { notes[Self.alice] = nil }
    return (try readNotes(), handedOver)
  }

  private func state() throws(ProcessFailure) -> AppProtectionState {
    do {
      let journal = "\(path)/phone/notes/journal"
      for finding in try JournalReader(path: journal).verify().findings {
        guard case .torn = finding.verdict else { throw ProcessFailure("the journal is not sound: \(finding)") }
      }
      return try History<AppProtectionMachine>(at: journal).state(at: .end).state
    } catch let failure as ProcessFailure {
      throw failure
    } catch {
      throw ProcessFailure("the journal cannot be read: \(error)")
    }
  }

  private func checkNothingIsUndone(in state: AppProtectionState) throws(ProcessFailure) {
    for account in state.accounts.records {
      let status = account.enrollment.status
      guard [.unknown, .removed, .enrolledWithoutPolicy, .enrolledWithPolicy].contains(status) else {
        throw ProcessFailure("\(account.account) is \(status.name) after a launch")
      }
      if status == .enrolledWithPolicy, state.policies[account.account]?.isEnforced != true {
        throw ProcessFailure("the policy of \(account.account) is not in force after a launch")
      }
    }
    for wipe in state.wipes.records where wipe.phase != .completed {
      throw ProcessFailure("a wipe is \(wipe.phase.name) after a launch")
    }
    guard state.compliance.queue.isEmpty, state.compliance.untold.isEmpty else {
      throw ProcessFailure("a remediation is open after a launch, or the app was not told how it ended")
    }
  }

  /// The app is asked to remove what it keeps of Alice, and only then her files are removed: until its answer is in the journal,
  /// all her notes are there; from then on, the app remembers her no more.
  ///
  /// - Returns: Whether a wipe was under way.
  private func checkOrderOfWipe() throws(ProcessFailure) -> Bool {
    let state = try state()
    let status = state.accounts.records.first { $0.account.description == Self.number }?.enrollment.status ?? .unknown
    guard let wipe = state.wipes.records.first(where: { $0.account.description == Self.number }),
      wipe.phase != .completed || !status.isRegistered
    else { return false }
    switch wipe.phase {
    case .requested:
      for (name, texts) in notes[Self.alice] ?? [:] where !texts.contains("") {
        guard (try? disk.bytes(of: "\(documents)/\(Self.number)/\(name).note")) != nil else {
          throw ProcessFailure("the note \(name) was removed before the app answered wipeData")
        }
      }
    case .removingFiles, .unenrolling, .completed:
      guard (try? disk.bytes(of: "\(path)/phone/notes/last-shown")) != Array(Self.number.utf8) else {
        throw ProcessFailure("a wipe is \(wipe.phase.name), and the app still remembers the account: last-shown")
      }
    }
    return wipe.phase != .completed
  }

  /// What the app said before its death holds.
  private func checkOutcome(
    of story: Story, _ status: EnrollmentStatus, _ printed: [String], handedOver: Int
  ) throws(ProcessFailure) {
    // What the extension hands over in a wipe leads to one.
    let isGone =
      handedOver > 0
      || printed.contains { $0.hasSuffix("the organization's data is gone from this phone") }
    let isEnrolled = printed.contains { $0.hasSuffix("enrollment: 100 newPoliciesReceived") }
    let expected: Bool? =
      switch story {
      case .enrollment, .remediation: isManaged || isEnrolled ? true : nil
      case .writing: true
      case .wipe: isGone ? false : nil
      }
    guard let expected, (status == .enrolledWithPolicy) != expected else { return }
    throw ProcessFailure("after \(story), Alice is \(status.name): \(printed)")
  }

  /// No text of Alice's is readable anywhere on the phone, and after a wipe no file of hers is left, nor its key.
  private func checkFiles() throws(ProcessFailure) {
    var files: [String] = []
    Platform.forEachFile(below: "\(path)/phone") { files.append($0) }
    for file in files {
      guard let bytes = try? disk.bytes(of: file) else { throw ProcessFailure("\(file) cannot be read") }
      if bytes.holds(Array(Self.secret.utf8)) { throw ProcessFailure("\(file) has text of a managed account") }
      if file.hasPrefix(documents), file.hasSuffix(".tmp") { throw ProcessFailure("\(file) was left") }
    }
    let own = files.filter { $0.hasPrefix("\(documents)/\(Self.number)/") }
    if !isManaged, let file = own.first { throw ProcessFailure("\(file) is left of a wiped account") }
    // Any key that she still has after a wipe would open copies of her files.
    if !isManaged, case .key? = try key() { throw ProcessFailure("the key of a wiped account is left") }
  }

  /// Whatever the extension handed over is done with: only outcomes are left.
  private func checkSpool() throws(ProcessFailure) {
    for name in (try? disk.list("\(path)/phone/notes/spool")) ?? [] where !name.hasSuffix(".outcomes") {
      throw ProcessFailure("\(name) is left in the spool after a launch")
    }
  }

  private func key() throws(ProcessFailure) -> KeyEntry? {
    do {
      // An app that was killed while it changed the key has two.
      let secrets = ["wrapping-key", "wrapping-key.next"].compactMap { name in
        (try? disk.bytes(of: "\(path)/phone/keychain/\(name)")).flatMap { SecretKey(bytes: $0) }
      }
      guard let first = secrets.first, let last = secrets.last else { return nil }
      func keys(_ secret: SecretKey) throws(KeyStoreError) -> FileKeyStore {
        try FileKeyStore(
          at: "\(path)/phone/shared/keys", create: false, wrappingKey: { secret }, randomBytes: { _ in [] })
      }
      let keys = try (try? keys(first)) ?? keys(last)
      let installation = String(decoding: try disk.bytes(of: "\(path)/phone/notes/installation"), as: UTF8.self)
      return try keys.key(
        named: KeyName(scope: "com.contoso.notes \(installation)", account: String(Self.number.dropFirst())))
    } catch {
      throw ProcessFailure("the keys cannot be read: \(error)")
    }
  }

  /// Links from Alice's notes to the user's own files elsewhere.
  private func layLinks() throws(ProcessFailure) {
    guard isManaged else { return }
    let folder = "\(documents)/\(Self.number)"
    if (try? disk.list(folder)) == nil { try make(folder) }
    Platform.link("\(path)/outside/precious", at: "\(folder)/linked-file")
    Platform.link("\(path)/outside/folder", at: "\(folder)/linked-folder")
  }

  private func checkForeign() throws(ProcessFailure) {
    let files = [
      "outside/precious", "outside/folder/precious", "phone/notes/documents/personal/photo", "phone/notes/export",
    ]
    for file in files {
      guard (try? disk.bytes(of: "\(path)/\(file)")) == Array(Self.foreign.utf8) else {
        throw ProcessFailure("\(file) was touched")
      }
    }
    guard try bytes(of: "outside/letter") == letter else { throw ProcessFailure("the letter was touched") }
  }

  /// Alice's notes in the other app are as they were, whatever happened in this one.
  func checkOtherApp() throws(ProcessFailure) {
    let printed = try tell(["switch \(Self.alice)", "read letter"], app: "mail")
    guard printed.last == Self.secret else { throw ProcessFailure("the other app's note reads \(printed)") }
  }

  // MARK: Notes

  /// Sorts out which of the told writes were answered: those must be there, and the next one may be.
  private mutating func settleWrites(_ answered: Int) {
    for (place, write) in pending.prefix(answered + 1).enumerated() { settle(write, isAnswered: place < answered) }
    pending = []
  }

  /// The same for what was shared: the extension answers every line by one, and may refuse while nobody is signed in.
  private mutating func settleShares(_ answers: [String]) throws(ProcessFailure) {
    for (place, share) in pendingShares.prefix(answers.count + 1).enumerated() {
      guard place < answers.count else {
        if let share { settle(share, isAnswered: false) }
        break
      }
      let answer = answers[place]
      if let share, answer == "taken in: \(share.account)" {
        settle(share, isAnswered: true)
      } else if share == nil ? answer != "handed over" : share?.account != Self.alice || !Self.mayRefuse(answer) {
        throw ProcessFailure("the extension answered \(answer)")
      }
    }
    pendingShares = []
  }

  /// Before Alice is enrolled, and while she is wiped, nothing can be taken in for her.
  private static func mayRefuse(_ answer: String) -> Bool {
    answer.hasSuffix("is not signed in") || answer.hasPrefix("blocked: ") || answer.hasPrefix("102 ")
      || answer.hasPrefix("103 ") || answer.contains("the account was wiped or erased")
      || answer.contains("was destroyed") || answer.hasPrefix("a wipe of the account is pending")
  }

  private mutating func settle(_ note: Note, isAnswered: Bool) {
    if isAnswered {
      notes[note.account, default: [:]][note.name] = [note.text]
    } else {
      notes[note.account, default: [:]][note.name, default: [""]].append(note.text)
    }
  }

  /// Reads every note through the app, and compares it with the texts that it may have.
  private mutating func readNotes() throws(ProcessFailure) -> Int {
    var count = 0
    for (account, texts) in notes.sorted(by: { $0.key < $1.key }) {
      let names = texts.keys.sorted()
      let printed = try tell(["switch \(account)"] + names.map { "read \($0)" })
      guard printed.count == names.count else { throw ProcessFailure("\(names) read \(printed)") }
      for (name, text) in zip(names, printed) {
        let possible = texts[name] ?? []
        // A note whose first write was not answered need not exist.
        let isAbsent = possible.contains("") && text == "there is no note \(name)"
        guard isAbsent || possible.contains(text) else {
          throw ProcessFailure(
            "the note \(name) of \(account) reads '\(text.prefix(200))', not one of \(possible.count) texts")
        }
        notes[account]?[name] = isAbsent ? nil : [text]
        count += isAbsent ? 0 : 1
      }
    }
    return count
  }

  // MARK: The app

  private func start(_ app: String, _ options: [String] = []) throws(ProcessFailure) -> ChildProcess {
    let program = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return try ChildProcess(
      (program + ["sample-notes"]).joined(separator: "/"),
      ["--phone", "\(path)/phone", "--service", "\(path)/company", "--app", app] + options)
  }

  /// Runs the app to its end.
  private func tell(_ lines: [String], app: String = "notes") throws(ProcessFailure) -> [String] {
    let process = try start(app)
    for line in lines { process.send(line) }
    process.closeInput()
    let printed = process.remainingLines()
    let status = process.wait()
    guard status == 0 || status == 1 && printed.contains(where: { $0.hasPrefix("there is no note ") }) else {
      throw ProcessFailure("the app ended with \(status): \(printed.map { $0.prefix(200) })")
    }
    return printed
  }

  private func bytes(of name: String) throws(ProcessFailure) -> [UInt8] {
    do throws(FileSystemError) { return try disk.bytes(of: "\(path)/\(name)") } catch {
      throw ProcessFailure("\(name): \(error)")
    }
  }

  private func make(_ folder: String) throws(ProcessFailure) {
    do throws(FileSystemError) { try disk.createDirectory(folder) } catch {
      throw ProcessFailure("\(folder): \(error)")
    }
  }

  private func write(_ text: String, to name: String) throws(ProcessFailure) {
    do throws(FileSystemError) {
      let file = try disk.open("\(path)/\(name)", .replace)
      defer { disk.close(file) }
      _ = try Array(text.utf8).withUnsafeBufferPointer { (bytes) throws(FileSystemError) in
        try disk.write(file, UnsafeRawBufferPointer(bytes), at: 0)
      }
    } catch {
      throw ProcessFailure("\(name): \(error)")
    }
  }
}

extension PosixFileSystem {
  fileprivate func bytes(of path: String) throws(FileSystemError) -> [UInt8] {
    let file = try open(path, .read)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: Int(try size(of: file)))
    let count = try bytes.withUnsafeMutableBufferPointer { (bytes) throws(FileSystemError) in
      try read(file, into: UnsafeMutableRawBufferPointer(bytes), at: 0)
    }
    return Array(bytes.prefix(count))
  }

  fileprivate func removeFile(_ path: String) { try? remove(path) }
}

extension [UInt8] {
  /// Whether a text stands in it.
  fileprivate func holds(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    var rest = self[...]
    while let place = rest.firstIndex(of: first) {
      if rest[place...].starts(with: text) { return true }
      rest = rest[(place + 1)...]
    }
    return false
  }
}
