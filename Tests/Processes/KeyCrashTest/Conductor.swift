import FileProtection
import Journal
import JournalSimulation
import ProcessTesting

/// Kills two processes that share a key file, and checks what they left.
struct Conductor {
  private(set) var made = 0
  private(set) var destroyed = 0
  private(set) var cutShort = 0
  private(set) var copies = 0

  /// What a worker said about an account.
  private enum Word: Equatable {
    case making
    case made(String)
    case destroying(String)
    case destroyed(String)
  }

  private let program: String
  private let folder: String
  private var generator: SeededGenerator
  private var words: [[Int: Word]] = [[:], [:]]
  private var number = 0
  private static let names = ["app", "extension"]
  private let disk = PosixFileSystem()

  /// Begins a key file.
  init(program: String, in folder: String, seed: UInt64) throws {
    self.program = program
    self.folder = folder
    generator = SeededGenerator(seed: seed)
    for path in [folder, "\(folder)/keychain"] { try disk.createDirectory(path) }
    try Keychain(in: "\(folder)/keychain").begin()
    _ = try Worker.open(folder, create: true)
  }

  /// Starts both, kills one after the other, and checks.
  mutating func runOnce() throws {
    var workers: [ChildProcess] = []
    for (index, name) in Self.names.enumerated() {
      let next = (words[index].keys.max() ?? -1) + 1
      workers.append(
        try ChildProcess(program, ["worker", folder, name, "\(generator.next() >> 1)", "\(next)"]))
    }
    // The other one goes on for a while with what the first one left.
    let first = generator.below(2)
    for index in [first, 1 - first] {
      Platform.pause(microseconds: UInt64(3_000 + generator.below(22_000)))
      workers[index].kill()
    }
    for (index, worker) in workers.enumerated() {
      for line in worker.remainingLines() { try note(line, index) }
      let status = worker.wait()
      guard status == -9 else { throw ProcessFailure("the \(Self.names[index]) ended by itself with \(status)") }
    }
    try check()
  }

  private mutating func note(_ line: String, _ index: Int) throws(ProcessFailure) {
    let parts = line.split(separator: " ").map(String.init)
    guard parts.count >= 2, let account = Int(parts[1]) else {
      throw ProcessFailure("the \(Self.names[index]) says: \(line)")
    }
    let known = words[index][account]
    switch (parts[0], known) {
    case ("making", nil): words[index][account] = .making
    case ("made", .making?) where parts.count == 3:
      words[index][account] = .made(parts[2])
      made += 1
    case ("destroying", .made(let id)?): words[index][account] = .destroying(id)
    case ("destroyed", .destroying(let id)?):
      words[index][account] = .destroyed(id)
      destroyed += 1
    default: throw ProcessFailure("the \(Self.names[index]) says: \(line)")
    }
  }

  /// Every key that was made and not destroyed is the same, a destroyed one is gone, and once another one is destroyed, no copy
  /// of the file from before opens.
  private mutating func check() throws {
    let keychain = Keychain(in: "\(folder)/keychain")
    if try keychain.wrappingKeys().count > 1 { cutShort += 1 }
    let store = try Worker.open(folder, create: false)
    for (index, accounts) in words.enumerated() {
      for (account, word) in accounts {
        let entry = try store.key(named: Worker.keyName(Self.names[index], account))
        let id: String? = if case .key(let key)? = entry { key.id?.description } else { nil }
        let isRight =
          switch word {
          case .making: entry != .destroyed
          case .made(let made): id == made
          case .destroying(let made): id == made || entry == .destroyed
          case .destroyed: entry == .destroyed
          }
        guard isRight else { throw ProcessFailure("account \(account) of the \(Self.names[index]) is \(word)") }
      }
    }
    let copy = "\(folder)/copy"
    try disk.replace(copy, by: copy + ".new", try bytes("\(folder)/keys"))
    let name = KeyName(scope: "conductor", account: "\(number)")
    number += 1
    _ = try store.makeKey(named: name, epoch: 0)
    try store.destroyKey(named: name, until: nil)
    guard try keychain.wrappingKeys().count == 1 else { throw ProcessFailure("two wrapping keys are left") }
    do throws(KeyStoreError) {
      _ = try FileKeyStore(at: copy, create: false, wrappingKeys: keychain, randomBytes: { randomBytes($0) })
    } catch {
      guard error.code == .damaged else { throw error }
      copies += 1
      return
    }
    throw ProcessFailure("a copy of the key file from before the last destroyed key opens")
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    let file = try disk.open(path, .read)
    defer { disk.close(file) }
    return try disk.bytes(of: file, in: 0..<(try disk.size(of: file)))
  }
}
