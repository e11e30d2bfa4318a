import Expectations
import Testing

extension PlantedSecretTests {
  /// A question of each form.
  static let questions = [
    "managed(a1)", "offline(a1)", "launch(a1)", "due(a1)", "pin(a1)", "identity(ui)", "identity(file)",
    "saveTo(oneDriveForBusiness, a1)", "openFrom(camera, a1)", "transfer(a1, none)", "shareSheet(unmanagedApp, a1)",
    "receive(none, a1)", "paste(a1, none)", "thirdPartyKeyboards()", "dictation(a1)", "use(printing, a1)",
    "notification(a1)", "screenCapture(a1)", "webView(unset)", "url(https://a.example/b, a1)",
    "universalLink(https://a.example/b, a1)", "browser(a1)", "dialer(a1)", "messaging(a1)", "fileProtection(a1)",
    "fileEncryption(a1)", "fileProvider(a1)", "protect(plain, a1)", "unprotect(plain)", "protectionInfo(plain)",
  ]

  /// Command lines that ask one journal in every way, besides those that every command is tried with.
  private static func questions(about path: String) -> [[String]] {
    let sound = Repository.journal("first-enrollment")
    let lines = [
      ["diagnose", path, "--against", path], ["diagnose", path, "--against", sound],
      ["diagnose", sound, "--against", path], ["diagnose", path, "--at", "20"],
      ["diagnose", path, "10..", "--only", "now"],
      ["fleet", path], ["fleet", path, "--csv"], ["fleet", path, "--list"], ["log", path, "--findings"],
      ["log", path, "--template", "{headline} {account} {findings} {conditions}"], ["log", path, "--reverse"],
      ["stats", path],
      ["blame", path, "/policies/**"], ["blame", path, "/configuration/**"], ["diff", path, "1..20"],
      ["compare", path, sound], ["compare", sound, path],
    ]
    return lines + questions.flatMap { [["explain", path, $0], ["explain", path, $0, "--when"]] }
  }

  @Test("No question about the journal, or about its redacted export, is answered with one, in text or JSON")
  func asked() throws {
    try Self.withJournal(.everywhere) { path, folder in
      expectEqual(ToolRun("export", path, "-o", "\(folder)/file.pjx").code, .done)
      for words in Self.questions(about: path) + Self.questions(about: "\(folder)/file.pjx") {
        let hasOneForm = words.contains("--csv") || words.contains("--template")
        for options in hasOneForm ? [[]] : [[], ["-j"]] {
          let run = ToolRun(words + options)
          #expect(run.code != .wrongUse, "\(words + options): \(run.notes)")
          Self.expectNothing(in: run.output + run.notes, "\(words + options)")
        }
      }
    }
  }
}
