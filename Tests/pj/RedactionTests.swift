import Expectations
import AppProtection
import EventSourcing
import Forensics
import Journal
import JSON
import Testing

@testable import CommandSupport

/// Nothing that identifies a person leaves the tool unless somebody asks for it.
@Suite("Redaction")
struct RedactionTests {
  /// Everything that reads a journal, in text and in JSON.
  private static func commands(_ path: String) -> [[String]] {
    let texts = [
      ["log", path], ["log", path, "-g", "."], ["show", path, "account.introduced"], ["show", path, "1", "end"],
      ["state", path], ["state", path, "--flat"], ["state", path, "--path", "/accounts"],
      ["diff", path, "start..end", "--full"], ["diff", path], ["stats", path], ["verify", path],
      ["retire", path, "end", "--dry-run"], ["fork", path, "end", "\(path)-fork", "--dry-run"],
      ["export", path, "--preview"], ["compare", path, path], ["compare", path, "journals/torn-tail/journal"],
      ["compare", "journals/framework-history/journal", path], ["compare", path, "--accounts", "a1,a1"],
    ]
    return texts + texts.map { $0 + ["-j"] }
  }

  /// The object ids and names of a scenario's accounts, in lower case.
  private static func identities(_ journal: String) throws -> [String] {
    let bytes = try TestFiles.read("\(Repository.root)/journals/\(journal)/scenario.json")
    let root = try JSONDocument.parse(bytes).root
    var identities: [String] = []
    for account in try root.required("accounts").members() {
      for member in try account.node.members() { identities.append(try member.node.string().lowercased()) }
    }
    return identities
  }

  @Test("No command shows an object id or a name", arguments: Repository.journals)
  func nothingIsShown(journal: String) throws {
    let identities = try Self.identities(journal)
    #expect(!identities.isEmpty)
    for words in Self.commands(Repository.journal(journal)) {
      let run = ToolRun(words)
      let text = (run.output + run.notes).lowercased()
      for identity in identities {
        #expect(!TestFiles.isFound(identity, in: text), "\(words)")
        #expect(!TestFiles.isFound(identity.replacing("-", with: ""), in: text), "\(words), as digits")
      }
    }
  }

  @Test("With --reveal the accounts' names are shown where they are", arguments: Repository.journals)
  func revealed(journal: String) throws {
    let identities = try Self.identities(journal)
    let path = Repository.journal(journal)
    for words in [["log", path], ["state", path, "--path", "/accounts"], ["show", path, "account.introduced#1"]] {
      #expect(identities.contains { ToolRun(words + ["--reveal"]).output.lowercased().contains($0) }, "\(words)")
    }
  }

  @Test("A name finds its account without being shown, and a wildcard finds no name")
  func accountsAreFound() throws {
    let path = Repository.journal("interrupted-wipe")
    let name = try #require(try Self.identities("interrupted-wipe").first { $0.contains("@") })
    let byPseudonym = ToolRun("log", path, "--account", "a1")
    expectEqual(ToolRun("log", path, "--account", name.uppercased()).output, byPseudonym.output)
    #expect(ToolRun("log", path, "--account", "*@contoso.com").output.isEmpty)
    #expect(ToolRun("log", path, "-g", name).output.isEmpty)
    #expect(!ToolRun("log", path, "-g", name, "--reveal").output.isEmpty)
  }

  @Test("S-93: no command shows a configured value that is a secret, whatever is asked for, and none finds it")
  func secret() throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = folder + "/journal"
      try Self.writeSecret("hunter2", to: path)
      let searches = [["log", path, "-g", "hunter2"], ["log", path, "-g", "hunter2", "-j"]]
      for words in Self.commands(path) + searches + [["show", path, "configuration.received"]] {
        for options in [[], ["--reveal"]] {
          let run = ToolRun(words + options)
          #expect(!(run.output + run.notes).contains("hunter2") || words.contains("hunter2"), "\(words + options)")
        }
      }
      for words in searches { #expect(!ToolRun(words + ["--reveal"]).output.contains("configuration"), "\(words)") }
      let shown = ToolRun("state", path, "--path", "/configuration/a1", "--flat", "--reveal").output
      #expect(shown.contains("(secret)") && shown.contains("visible"))
    }
  }

  /// A journal in which a1 is configured with a secret, and with a value that is none.
  private static func writeSecret(_ secret: String, to path: String) throws {
    let store = try EventStore<AppProtectionMachine>.create(
      at: path, journalID: try #require(JournalID(bytes: [UInt8](repeating: 7, count: 16))), createdNanoseconds: 0,
      options: StoreOptions())
    let account = AccountReference(userPrincipalName: "a@contoso.com")
    let values = [ConfigurationValue("key", secret), ConfigurationValue("other", "visible")]
    let commands: [AppProtectionCommand] = [
      .startProcess(ProcessStart()), .registerAndEnroll(account), .answerEnrollment(account, .noPolicy),
      .deliverConfiguration(account, [ConfigurationEntry(values)]), .setDeviceConfiguration(values),
    ]
    for (index, command) in commands.enumerated() {
      _ = try store.append(
        LogScrubber([secret]).scrub(command), at: Moment(wallNanoseconds: Int64(index) * 1_000_000_000))
    }
    try store.close()
  }

  @Test("Text that is public by its field is withheld where an address stands in it, in every command")
  func addresses() throws {
    let (text, json) = (ValueText(.on), ValueJSON(.on))
    let address = StateValue.text("Ask alice@contoso.com")
    #expect(text.text(address) == "(withheld)" && text.text(.list([address])) == "[(withheld)]")
    expectEqual(json.json(address).description, #"{"redacted":"account"}"#)
    expectEqual(text.text(MessageFields.Value.text("alice@contoso.com"), .public), "(withheld)")
    expectEqual(text.text(MessageFields.Value.json(#"{"a":"alice@contoso.com"}"#), .public), "(withheld)")
    expectEqual(ValueText(.revealing).text(address), #""Ask alice@contoso.com""#)
    #expect(
      text.text(.text("15.0")) == "15.0" && text.text(.text("assignments@odata.context")).hasPrefix("assignments"))
  }

  @Test("A withheld value is said to be withheld, and is never empty")
  func withheld() throws {
    let path = Repository.journal("first-enrollment")
    let text = ToolRun("show", path, "account.introduced").output
    #expect(text.contains("objectID           (withheld)"))
    let json = ToolRun("show", path, "account.introduced", "-j").output
    #expect(json.contains("\"objectID\":{\"redacted\":\"account\"}"))
  }

  @Test("Messages about scenarios name nobody unless asked", arguments: [false, true])
  func scenarioMessages(reveals: Bool) throws {
    let id = "11111111-2222-3333-4444-555555555555"
    try TestFiles.withTemporaryFolder { folder in
      func run(_ step: String) throws -> ToolRun {
        let scenario = """
          {"scenario": 1, "title": "t", "start": "2026-10-05T09:00:00Z",
           "accounts": {"alice": {"upn": "alice@contoso.com", "objectID": "\(id)"}},
           "steps": [{"service": {"alice": "noPolicy"}}, {"launch": {}}, {"registerAndEnroll": "alice"}, \(step)]}
          """
        try TestFiles.write(Array(scenario.utf8), to: "\(folder)/s.json")
        return ToolRun(
          ["simulate", "\(folder)/s.json", "-o", "\(folder)/\(step.utf8.count)"] + (reveals ? ["--reveal"] : []))
      }
      let unmet = try run(#"{"expect": {"state": {"/accounts/alice/objectID": "other"}}}"#)
      expectEqual(unmet.code, .different)
      #expect(unmet.output.contains(reveals ? "found     \"\(id)\"" : "found     (withheld)"))
      expectEqual(unmet.output.contains(id), reveals)
      for step in [#"{"registerAndEnroll": "alice@contoso.com"}"#, #"{"service": {"alice@contoso.com": "noPolicy"}}"#] {
        let wrong = try run(step)
        expectEqual(wrong.code, .wrongUse)
        expectEqual(wrong.notes.contains("alice@contoso.com"), reveals, "\(wrong.notes)")
      }
    }
  }

  @Test("Keys that name persons and groups are withheld in paths too")
  func paths() throws {
    let (address, group) = ("alice@contoso.com", "99998888-7777-6666-5555-444433332222")
    let scenario = """
      {"scenario":1,"title":"paths","app":{"multiIdentity":true},
      "accounts":{"alice":{"objectID":"6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01","upn":"\(address)"}},
      "policies":{"std":{"document":{"@odata.type":"#microsoft.graph.iosManagedAppProtection","displayName":"p",
      "assignments":[{"target":{"groupId":"\(group)"}}]}}},
      "start":"2026-09-07T08:10:00Z","steps":[{"service":{"alice":{"policy":"std"}}},{"launch":{}},
      {"registerAndEnroll":"alice"},{"wait":"PT2M"},
      {"configuration":{"account":"alice","default":{"x":"y"},"targeted":[{"\(address)":"v"}]}},{"exit":{}}]}
      """
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/s.json")
      let journal = "\(folder)/j"
      expectEqual(ToolRun("simulate", "\(folder)/s.json", "-o", journal).code, .done)
      let revealed = ToolRun("state", journal, "--flat", "--reveal").output
      #expect(revealed.contains("/\(address) ") && revealed.contains("/\(group)/"), "\(revealed)")
      let asked = [
        ["state", journal, "--flat"], ["state", journal], ["state", journal, "-j"], ["fields", journal],
        ["fields", journal, "-j"], ["blame", journal, "/configuration/*"], ["blame", journal, "/policies/*", "-j"],
        ["diff", journal, "start..end", "--full"], ["diff", journal, "start..end", "-j"], ["log", journal, "-j"],
        ["show", journal, "policy.received"], ["show", journal, "policy.received", "-j"],
        ["timeline", journal, "-o", "\(folder)/t.html"],
      ]
      for words in asked {
        let run = ToolRun(words)
        let code: ExitCode = words[0] == "diff" ? .different : .done
        #expect(run.code == code && !run.output.contains(address) && !run.output.contains(group), "\(words)")
      }
      let near = "/configuration/a1/2/values/alise@contoso.com"
      for words in [
        ["state", journal, "--path", near], ["blame", journal, near], ["fields", journal, near],
        ["bisect", journal, "--where", "\(near) = 3"], ["log", journal, "--path", near],
        ["diff", journal, "start..end", "--path", near],
      ] {
        let run = ToolRun(words)
        let text = run.output + run.notes
        #expect(text.contains("/values/(withheld)") && !text.contains(address), "\(words): \(text)")
      }
      let page = String(decoding: try TestFiles.read("\(folder)/t.html"), as: UTF8.self)
      #expect(page.contains("/configuration/") && !page.contains(address) && !page.contains(group))
      let export = "\(folder)/e.pjx"
      expectEqual(ToolRun("export", journal, "-o", export).code, .done)
      // A pseudonym is no name.
      #expect(ToolRun("state", export, "--flat").output.contains(".invalid = "))
    }
  }

  @Test("A redacted export holds no secret that the text beside it names so, however short it is")
  func secretsByName() throws {
    let scenario = """
      {"scenario":1,"title":"secrets","app":{"multiIdentity":true},
      "accounts":{"alice":{"objectID":"6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01","upn":"alice@contoso.com"}},
      "policies":{"std":{"document":{"@odata.type":"#microsoft.graph.iosManagedAppProtection","displayName":"p"}}},
      "start":"2026-09-07T08:10:00Z","steps":[{"service":{"alice":{"policy":"std"}}},{"launch":{}},
      {"registerAndEnroll":"alice"},{"wait":"PT2M"},
      {"configuration":{"account":"alice","default":{"doorPIN":"739","floor":"412"}}},
      {"overrides":{"aadAuthorityUriOverride":"https://login.microsoftonline.com/contoso.com"}},{"exit":{}}]}
      """
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/s.json")
      expectEqual(ToolRun("simulate", "\(folder)/s.json", "-o", "\(folder)/j").code, .done)
      #expect(ToolRun("show", "\(folder)/j", "configuration.received", "--reveal").output.contains("(secret)"))
      let preview = ToolRun("export", "\(folder)/j", "--preview").output
      #expect(preview.contains("secret"), "\(preview)")
      expectEqual(ToolRun("export", "\(folder)/j", "-o", "\(folder)/e.pjx").code, .done)
      expectEqual(TestFiles.shell("gzip -dc < \(folder)/e.pjx > \(folder)/plain"), 0)
      let payloads = try ExportReader.read(TestFiles.read("\(folder)/plain")).payloads
      let configured = payloads.filter { $0.firstRange(of: Array("doorPIN".utf8)) != nil }
      // The event, and no state beside it: the export begins with the history.
      expectEqual(configured.count, 1)
      #expect(!payloads.contains { $0.firstRange(of: Array("contoso".utf8)) != nil })
      for payload in configured {
        #expect(payload.firstRange(of: Array("739".utf8)) == nil)
        #expect(payload.firstRange(of: Array("withheld".utf8)) != nil)
        #expect(payload.firstRange(of: Array("412".utf8)) != nil)
      }
      expectEqual(ToolRun("import", "\(folder)/e.pjx", "-o", "\(folder)/again").code, .done)
      expectEqual(ToolRun("export", "\(folder)/again", "-o", "\(folder)/again.pjx").code, .done)
      try expectEqual(TestFiles.read("\(folder)/again.pjx"), TestFiles.read("\(folder)/e.pjx"))
    }
  }
}
