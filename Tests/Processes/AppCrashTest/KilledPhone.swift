import AppProtection
import EventSourcing
import FileProtection
import Journal
import JournalSimulation
import ProcessTesting

/// A phone whose app is killed: what is on it, what the app was told, and what must be there afterwards.
struct KilledPhone {
  static let alice = "alice@contoso.com"
  static let bob = "bob@fabrikam.com"
  /// In every text of Alice's, and in nothing else on the phone.
  static let secret = "TOP-SECRET"

  private let path: String
  private let disk = PosixFileSystem()
  /// Whether a policy is in force for Alice.
  private(set) var isManaged = false
  /// The texts that each note may have: more than one behind a write that was not answered.
  private var notes: [String: [String: [String]]] = [:]
  /// Writes that the process which is about to die was told.
  private var pending: [(account: String, name: String, text: String)] = []
  private var lastText = 0

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
      pending.append((account, name, text))
      lines.append("write \(name) \(text)")
    }
    return lines
  }

  /// The administrator orders a wipe.
  func orderWipe() { try? write(#"{"wipes": [{"user": "\#(Self.alice)"}]}"#, to: "company/wipes.json") }

  /// Starts the app, tells it the lines, and kills it.
  ///
  /// - Parameters:
  ///   - answers: How many lines it prints before; `nil` counts the time from its start.
  /// - Returns: What it printed.
  mutating func kill(
    after answers: Int?, delayMicroseconds: UInt64, telling lines: [String]
  ) throws(ProcessFailure) -> [String] {
    try layLinks()
    let app = try start("notes")
    for line in lines { app.send(line) }
    var told: [String] = []
    // Not every line is answered by one of the app's: silence says that nothing more comes.
    while told.count < answers ?? 0, let line = app.nextLine(withinMicroseconds: 300_000) { told.append(line) }
    Platform.pause(microseconds: delayMicroseconds)
    app.kill()
    told += app.remainingLines()
    let status = app.wait()
    guard status == -9 else { throw ProcessFailure("the app ended by itself with \(status): \(told)") }
    return told
  }

  // MARK: What must be there

  /// Starts the app once more, and checks everything that its death may have left wrong.
  mutating func recover(from story: Story, told: [String]) throws(ProcessFailure) -> (notes: Int, Void) {
    let launched = try tell([])
    let state = try state()
    try checkNothingIsUndone(in: state)
    let alice = state.accounts.records.first { $0.account.description == Self.number }
    let status = alice?.enrollment.status ?? .unknown
    let printed = told + launched
    try checkOutcome(of: story, status, printed)
    isManaged = status == .enrolledWithPolicy
    try checkFiles()
    try checkForeign()
    disk.removeFile("\(path)/company/wipes.json")
    settleWrites(told.filter { $0 == "written" }.count)
    return (try readNotes(), ())
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

  /// What the app said before its death holds.
  private func checkOutcome(
    of story: Story, _ status: EnrollmentStatus, _ printed: [String]
  ) throws(ProcessFailure) {
    let isGone = printed.contains { $0.hasSuffix("the organization's data is gone from this phone") }
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
      if file.hasSuffix(".draft") || file.hasSuffix("-protecting") || file.hasSuffix("-unprotecting") {
        throw ProcessFailure("\(file) was left")
      }
    }
    let own = files.filter { $0.hasPrefix("\(documents)/\(Self.number)/") }
    if !isManaged, let file = own.first { throw ProcessFailure("\(file) is left of a wiped account") }
    // Any key that she still has after a wipe would open copies of her files.
    if !isManaged, case .key? = try key() { throw ProcessFailure("the key of a wiped account is left") }
  }

  private func key() throws(ProcessFailure) -> KeyEntry? {
    do {
      guard let secret = SecretKey(bytes: try disk.bytes(of: "\(path)/phone/keychain/wrapping-key")) else { return nil }
      let keys = try FileKeyStore(
        at: "\(path)/phone/shared/keys", create: false, wrappingKey: { secret }, randomBytes: { _ in [] })
      return try keys.key(named: KeyName(scope: "com.contoso.notes", account: String(Self.number.dropFirst())))
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
  }

  /// Alice's notes in the other app are as they were, whatever happened in this one.
  func checkOtherApp() throws(ProcessFailure) {
    let printed = try tell(["switch \(Self.alice)", "read letter"], app: "mail")
    guard printed.last == Self.secret else { throw ProcessFailure("the other app's note reads \(printed)") }
  }

  // MARK: Notes

  /// Sorts out which of the told writes were answered: those must be there, and the next one may be.
  private mutating func settleWrites(_ answered: Int) {
    for (place, write) in pending.prefix(answered + 1).enumerated() {
      if place < answered {
        notes[write.account, default: [:]][write.name] = [write.text]
      } else {
        notes[write.account, default: [:]][write.name, default: [""]].append(write.text)
      }
    }
    pending = []
    if !isManaged { notes[Self.alice] = nil }
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
        let isAbsent = possible.contains("") && text.contains("o such file or directory")
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

  private func start(_ app: String) throws(ProcessFailure) -> ChildProcess {
    let program = CommandLine.arguments[0].split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return try ChildProcess(
      (program + ["sample-notes"]).joined(separator: "/"),
      ["--phone", "\(path)/phone", "--service", "\(path)/company", "--app", app])
  }

  /// Runs the app to its end.
  private func tell(_ lines: [String], app: String = "notes") throws(ProcessFailure) -> [String] {
    let process = try start(app)
    for line in lines { process.send(line) }
    process.closeInput()
    let printed = process.remainingLines()
    let status = process.wait()
    guard status == 0 || status == 4 && printed.contains(where: { $0.contains("o such file or directory") }) else {
      throw ProcessFailure("the app ended with \(status): \(printed.map { $0.prefix(200) })")
    }
    return printed
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
