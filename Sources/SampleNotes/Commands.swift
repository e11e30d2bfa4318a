import AppProtectionKit

extension NotesApp {
  /// Carries out a command, and says what went wrong.
  func carryOut(_ words: [String]) async -> ExitStatus {
    guard !isPaused || words.first == "resume" else {
      return terminal.report(NotesRefusal("the app is paused: resume it first"))
    }
    return await NotesCommand.carryOut(words, of: Self.commands, in: self, terminal)
  }

  /// What the app does.
  static let commands: [NotesCommand<NotesApp>] = [
    NotesCommand("sign-in", "[ACCOUNT]", "signs in, with a name like alice@contoso.com") {
      try await $0.signIn($1.first)
    },
    NotesCommand("sign-out", "ACCOUNT", "signs out, and removes the account's notes") { try await $0.signOut($1[0]) },
    NotesCommand("accounts", "", "lists the accounts") { app, _ in app.listAccounts() },
    NotesCommand("switch", "[ACCOUNT]", "shows the notes of an account; without a name, your own") {
      try await $0.show(try $1.first.map { try AccountReference(typed: $0) })
    },
    NotesCommand("overview", "", "shows all notes of all accounts in a window") { app, _ in try await app.overview() },
    NotesCommand("list", "", "lists the notes on the screen") { app, _ in app.list() },
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
      try await $0.open($1[0], from: $1[1], as: $1[2], $1.count > 3 ? $1[3] : nil)
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
    NotesCommand("pause", "", "leaves the app, as when another one comes to the front") { app, _ in
      try await app.pause()
    },
    NotesCommand("resume", "", "comes back to the app after a pause") { app, _ in try await app.resume() },
    NotesCommand("check-in", "ACCOUNT", "asks the organization for news") { try await $0.checkIn($1[0]) },
    NotesCommand("wipe", "ACCOUNT", "removes the organization's data from this phone") { try await $0.wipe($1[0]) },
    NotesCommand("remediate", "ACCOUNT", "does what conditional access asks for") { try await $0.remediate($1[0]) },
    NotesCommand("config", "KEY", "shows what the administrator configured") { $0.showConfiguration($1[0]) },
  ]
}

extension ShareExtension {
  /// What the share extension does.
  @MainActor static let commands: [NotesCommand<ShareExtension>] = [
    NotesCommand("accounts", "", "lists the accounts for which something can be taken in") { share, _ in
      try share.listAccounts()
    },
    NotesCommand("share", "FILE NOTE [ACCOUNT]", "takes in a file: for its owner, unless an account is named") {
      try $0.receive(.file($1[0]), as: $1[1], for: $1.count > 2 ? $1[2] : nil)
    },
    NotesCommand("share-text", "TEXT NOTE [ACCOUNT]", "takes in a text in the same way") {
      try $0.receive(.text($1[0]), as: $1[1], for: $1.count > 2 ? $1[2] : nil)
    },
    NotesCommand("check-in", "ACCOUNT", "has the app ask the organization for news") {
      try $0.handOver(.requestCheckIn(try AccountReference(typed: $1[0])))
    },
    NotesCommand("wipe", "ACCOUNT", "has the app remove the organization's data") {
      try $0.handOver(.requestWipe(try AccountReference(typed: $1[0]), .appRequest, .app))
    },
    NotesCommand("remediate", "ACCOUNT", "has the app do what conditional access asks for") {
      try $0.handOver(.remediateCompliance(try AccountReference(typed: $1[0]), isSilent: false))
    },
    NotesCommand("outcomes", "", "shows how what was handed over ended") { share, _ in try share.listOutcomes() },
  ]
}

extension Program {
  static var help: String {
    """
    Usage: sample-notes [--phone FOLDER] [--service FOLDER] [--app NAME] [--extension] [COMMAND]

    Notes of several accounts, some of which an organization protects. Without a command, commands are read from
    standard input, one a line; 'quit' ends. The answers to questions are lines, too.

    \(NotesCommand.help(NotesApp.commands))

      --phone FOLDER    stands for the phone; phone unless given
      --service FOLDER  what the organization's administrator edits; company unless given
      --app NAME        one of several apps on the phone; notes unless given
      --extension       starts the app's share extension instead, a process of its own, with these commands:

    \(NotesCommand.help(ShareExtension.commands))

    pj log PHONE/APP/journal prints the journal. Exit codes: 0 done, 1 refused, 2 wrong use, 4 failed,
    also where the service did not answer or refused.
    """
  }
}
