import AppProtection
import AppProtectionKit
import EventSourcing
import Foundation
import Synchronization
import Testing

@testable import SampleNotes

/// A phone with the notes app on it, and the organization whose administrator decides about it. Removed at the end.
@MainActor
final class TestPhone {
  let folder: String
  private let clock = TestClock()
  private let input = Mutex<[String]>([])
  private let output = Mutex<[String]>([])

  /// The members of a policy that keeps data among managed apps, as the guides ask for it, and saves nothing elsewhere.
  static let strict = """
    "allowedOutboundDataTransferDestinations": "managedApps", "allowedInboundDataTransferSources": "managedApps",
    "saveAsBlocked": true, "printBlocked": true
    """

  /// An organization with this policy for Alice and Carol. Bob belongs to another one, which has none for him.
  init(policy: String = TestPhone.strict) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "sample-notes-\(UUID())").path
    for name in ["company/policies", "company/configurations"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    try write(
      "company/users.json",
      """
      {"groups": ["staff"], "users": [
        {"id": "0a1b2c3d-0000-4000-8000-00000000000a", "userPrincipalName": "alice@contoso.com", "groups": ["staff"]},
        {"id": "0a1b2c3d-0000-4000-8000-00000000000c", "userPrincipalName": "carol@contoso.com", "groups": ["staff"]},
        {"userPrincipalName": "bob@fabrikam.com"}]}
      """)
    try write(
      "company/assignments.json", #"{"assignments": [{"document": "policies/staff.json", "groups": ["staff"]}]}"#)
    try setPolicy(policy)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The administrator saves another policy.
  func setPolicy(_ members: String) throws {
    try write(
      "company/policies/staff.json",
      """
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Staff", \(members)}
      """)
  }

  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
  }

  /// A path on the phone's disk, or the administrator's.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func text(_ name: String) -> String? { try? String(contentsOfFile: path(name), encoding: .utf8) }

  /// Starts the app, types the lines, and ends the app at their end.
  ///
  /// - Returns: What it printed.
  @discardableResult
  func type(_ lines: String, app: String = "notes", isExtension: Bool = false) async -> [String] {
    await start(lines, app: app, isExtension: isExtension).printed
  }

  /// The same, with the code with which the program ends: 0 done, 1 refused, 2 wrong use, 4 failed.
  func start(
    _ lines: String, app: String = "notes", isExtension: Bool = false
  ) async -> (printed: [String], code: Int32) {
    let terminal = terminal(typing: lines)
    let code = await Program.run(arguments(app) + (isExtension ? ["--extension"] : []), on: terminal, clock: clock)
    return (output.withLock { $0 }, code)
  }

  /// Starts the share extension, which runs beside the app or without it.
  func startExtension() throws -> ShareExtension {
    try ShareExtension(Options(arguments("notes")), terminal(typing: ""), clock)
  }

  /// Types a command into a running extension.
  @discardableResult
  func type(_ line: String, into share: ShareExtension) async throws -> [String] {
    let terminal = terminal(typing: line)
    var options = try Options([])
    let words = options.nextCommand(from: terminal) ?? []
    _ = await NotesCommand.carryOut(words, of: ShareExtension.commands, in: share, terminal)
    return output.withLock { $0 }
  }

  /// Starts the app and leaves it running: dropping it is what a kill does.
  func launch() async throws -> NotesApp {
    try await NotesApp.launch(Options(arguments("notes")), terminal(typing: ""), clock)
  }

  /// Types a command into a running app.
  @discardableResult
  func type(_ line: String, into app: NotesApp) async throws -> [String] {
    output.withLock { $0 = [] }
    var options = try Options([])
    input.withLock { $0 = [line] }
    let words = options.nextCommand(from: app.terminal) ?? []
    _ = await app.carryOut(words)
    return output.withLock { $0 }
  }

  /// Starts the app where the phone is another folder.
  static func start(phone: String) async -> (printed: [String], code: Int32) {
    let output = Mutex<[String]>([])
    let terminal = Terminal(read: { nil }, write: { line in output.withLock { $0.append(line) } })
    let code = await Program.run(["--phone", phone, "accounts"], on: terminal)
    return (output.withLock { $0 }, code)
  }

  private func arguments(_ app: String) -> [String] {
    ["--phone", path("phone"), "--service", path("company"), "--app", app]
  }

  private func terminal(typing lines: String) -> Terminal {
    input.withLock { $0 = lines.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    output.withLock { $0 = [] }
    return Terminal(
      read: { self.input.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
      write: { line in self.output.withLock { $0.append(line) } })
  }

  /// Signs in an account that a policy targets, and lets the app start again.
  func signInAlice(app: String = "notes") async { await type("sign-in alice@contoso.com\n\n", app: app) }

  /// Signs in a managed and an unmanaged account, as most of the guide's tests ask for.
  func signInBoth() async { await type("sign-in alice@contoso.com\n\nsign-in bob@fabrikam.com") }

  /// Whether a policy holds for what these lines bring to the screen: each way out of the app is tried. `nil` if some are
  /// open and some closed, or a file says another thing than the answers.
  func isPolicyApplied(after lines: String) async -> Bool? {
    let copy = path("copy-\(UUID())")
    let printed = await type(
      """
      \(lines)
      write probe 'plain to see'
      save probe box \(copy)
      share probe unmanaged \(copy)
      print probe
      capture
      """
    ).suffix(4)
    let isClosed = printed.map { $0.hasPrefix("blocked: ") }
    guard Set(isClosed).count == 1, let answer = isClosed.first,
      FileManager.default.fileExists(atPath: copy) == !answer
    else { return nil }
    return answer
  }

  /// The names of the files of an account that hold this text in the open.
  func filesShowing(_ text: String, of account: String) -> [String] {
    files(of: account).filter { name in
      (try? Data(contentsOf: URL(fileURLWithPath: path("phone/notes/documents/\(account)/\(name)"))))?
        .range(of: Data(text.utf8)) != nil
    }
  }

  /// The names of an account's files.
  func files(of account: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path("phone/notes/documents/\(account)"))) ?? []).sorted()
  }
}

/// A clock that a second passes at each reading.
final class TestClock: TimeSource {
  private let seconds = Mutex<Int64>(0)

  func now() -> Moment {
    let passed = seconds.withLock { seconds in
      seconds += 1
      return seconds * 1_000_000_000
    }
    return Moment(wallNanoseconds: 1_790_000_000_000_000_000 + passed, uptimeNanoseconds: passed)
  }
}
