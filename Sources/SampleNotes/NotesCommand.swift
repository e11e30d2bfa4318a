/// A command: its words, what they mean, and the part of the app that carries it out.
@MainActor
struct NotesCommand {
  private let name: String
  /// The words behind the name; those in brackets may be left out, and the last one with dots takes the rest of the line.
  private let parameters: String
  private let meaning: String
  private let body: @MainActor (NotesApp, [String]) async throws -> Void

  private static let all = [
    NotesCommand("sign-in", "[ACCOUNT]", "signs in, with a name like alice@contoso.com") {
      try await $0.signIn($1.first)
    },
    NotesCommand("sign-out", "ACCOUNT", "signs out, and removes the account's notes") { try await $0.signOut($1[0]) },
    NotesCommand("accounts", "", "lists the accounts") { app, _ in app.listAccounts() },
    NotesCommand("switch", "[ACCOUNT]", "shows the notes of an account; without a name, your own") {
      let account = try $1.first.map($0.account)
      try await $0.show(account)
    },
    NotesCommand("overview", "", "shows all notes of all accounts in a window") { app, _ in try await app.overview() },
    NotesCommand("list", "", "lists the notes on the screen") { app, _ in try app.list() },
    NotesCommand("write", "NOTE TEXT...", "writes a note") {
      try $0.write($1.dropFirst().joined(separator: " "), to: $1[0])
      $0.terminal.write("written")
    },
    NotesCommand("read", "NOTE", "shows a note") { try $0.read($1[0]) },
    NotesCommand("delete", "NOTE", "deletes a note") { try $0.delete($1[0]) },
    NotesCommand("save", "NOTE LOCATION FILE [ACCOUNT]", "saves a copy to a storage, which an account may own") {
      try $0.save($1[0], to: $1[1], as: $1[2], $1.count > 3 ? $1[3] : nil)
    },
    NotesCommand("open", "FILE LOCATION NOTE [ACCOUNT]", "opens a file of a storage as a note") {
      try $0.open($1[0], from: $1[1], as: $1[2], $1.count > 3 ? $1[3] : nil)
    },
    NotesCommand("share", "NOTE APP FILE", "hands a copy to an app: unmanaged, or one in which ACCOUNT is signed in") {
      try $0.share($1[0], with: $1[1], as: $1[2])
    },
    NotesCommand("import", "FILE NOTE", "fetches a file of another app") {
      try await $0.receive($1[0], as: $1[1], switches: false)
    },
    NotesCommand("receive", "FILE NOTE", "takes a file that another app sends") {
      try await $0.receive($1[0], as: $1[1], switches: true)
    },
    NotesCommand("print", "NOTE", "prints a note") { try $0.print($1[0]) },
    NotesCommand("capture", "", "takes a picture of the screen") { app, _ in try app.capture() },
    NotesCommand("resume", "", "comes back to the app after a pause") { app, _ in try await app.resume() },
    NotesCommand("check-in", "ACCOUNT", "asks the organization for news") { try await $0.checkIn($1[0]) },
    NotesCommand("wipe", "ACCOUNT", "removes the organization's data from this phone") { try await $0.wipe($1[0]) },
    NotesCommand("remediate", "ACCOUNT", "does what conditional access asks for") { try await $0.remediate($1[0]) },
    NotesCommand("config", "KEY", "shows what the administrator configured") { $0.showConfiguration($1[0]) },
  ]

  private init(
    _ name: String, _ parameters: String, _ meaning: String,
    _ body: @escaping @MainActor (NotesApp, [String]) async throws -> Void
  ) {
    self.name = name
    self.parameters = parameters
    self.meaning = meaning
    self.body = body
  }

  /// Carries a command out, and says what went wrong.
  static func carryOut(_ words: [String], in app: NotesApp) async -> ExitCode {
    do {
      guard let command = all.first(where: { $0.name == words.first }) else {
        throw UsageError("there is no command \(words.first ?? "")")
      }
      let arguments = Array(words.dropFirst())
      guard command.takes(arguments.count) else {
        throw UsageError("write: \(command.name) \(command.parameters)")
      }
      try await command.body(app, arguments)
      return .done
    } catch {
      return app.terminal.report(error)
    }
  }

  private func takes(_ count: Int) -> Bool {
    let words = parameters.split(separator: " ")
    let required = words.count { !$0.hasPrefix("[") }
    return count >= required && (count <= words.count || parameters.hasSuffix("..."))
  }

  static var help: String {
    let usages = all.map { "\($0.name) \($0.parameters)" }
    let width = usages.map(\.count).max() ?? 0
    let lines = zip(usages, all).map { usage, command in
      "  \(usage)\(String(repeating: " ", count: width - usage.count))  \(command.meaning)"
    }
    return """
      Usage: sample-notes [--phone FOLDER] [--service FOLDER] [--app NAME] [COMMAND]

      Notes of several accounts, some of which an organization protects. Without a command, commands are read from
      standard input, one a line; 'quit' ends. The answers to questions are lines, too.

      \(lines.joined(separator: "\n"))

        --phone FOLDER    stands for the phone; phone unless given
        --service FOLDER  what the organization's administrator edits; company unless given
        --app NAME        one of several apps on the phone; notes unless given

      pj log PHONE/APP/journal prints the journal. Exit codes: 0 done, 1 refused, 2 wrong use, 4 failed.
      """
  }
}
