import Expectations
import AppProtection
import EventSourcing
import Journal
import Testing
import WireFormat

@testable import CommandSupport
@testable import Forensics
@testable import JournalCommands
@testable import ReplayTool

/// A journal with a link in every text of every event type, about which every output has to answer alike.
@Suite("Answers about planted links")
struct PlantedAnswerTests {
  /// What is planted.
  enum Link: String, CaseIterable {
    /// One that is shown as a whole where its field is.
    case plain
    /// One with a secret in it; every second is one of the parameters of a query, and has another secret beside it.
    case code
    /// One that names a tenant.
    case tenant

    func text(_ number: Int) -> String {
      switch self {
      case .plain: "https://host.example/a/planted\(number)x"
      case .code where number % 2 == 1:
        "code=hidden\(number)x?hidden\(number)x&u=//h/planted\(number)x?state=1&code=hidden\(number)x"
      case .code: "msauth.host://auth/planted\(number)x?state=1&code=hidden\(number)x"
      case .tenant: "https://login.microsoftonline.com/planted\(number)x.example/oauth2"
      }
    }

    /// What is shown of it, where it is shown.
    func shown(_ number: Int) -> String {
      text(number).replacing("?hidden\(number)x", with: "").replacing("hidden\(number)x", with: "(secret)")
    }
  }

  /// Fills bodies, with a number for each text.
  struct Planter {
    let link: Link
    /// The class of each planted text, by its number.
    private(set) var classes: [Privacy] = []

    init(_ link: Link) { self.link = link }

    mutating func text(_ privacy: Privacy) -> String {
      classes.append(privacy)
      return link.text(classes.count - 1)
    }

    mutating func body(_ message: MessageDescriptor, _ outer: Privacy = .public, _ depth: Int = 0) -> [UInt8] {
      var writer = WireWriter()
      for field in message.fields {
        let privacy = field.privacy.rawValue > outer.rawValue ? field.privacy : outer
        switch field.type {
        case .bool: writer.write(field.number, bool: true)
        case .unsigned: writer.write(field.number, unsigned: PlantedSecretTests.number(field))
        case .signed, .duration: writer.write(field.number, signed: 7)
        case .string: writer.write(field.number, string: string(field, privacy))
        case .json:
          writer.write(field.number, string: #"{"a":["\#(text(privacy))"]}"#)
        case .bytes, .guid: writer.write(field.number, bytes: [UInt8](repeating: 1, count: 16))
        case .time: writer.write(field.number, fixed: 1_600_000_000_000_000_000)
        case .reference, .sequence: writer.write(field.number, unsigned: 1)
        case .enumeration(let names): writer.write(field.number, unsigned: names.members.last?.number ?? 0)
        case .message(let inner):
          guard depth < 4 else { continue }
          writer.write(field.number, message: { $0.append(encoded: body(inner, privacy, depth + 1)) })
        }
      }
      return writer.bytes
    }

    /// A policy with a date or a duration that is none cannot be read.
    private mutating func string(_ field: FieldDescriptor, _ privacy: Privacy) -> String {
      switch PlantedSecretTests.setting(field) {
      case .date: "2020-09-13T12:26:40Z"
      case .duration: "PT7H"
      default: text(privacy)
      }
    }

    /// The numbers of the texts of these classes.
    func numbers(_ classes: [Privacy]) -> Set<Int> {
      Set(self.classes.indices.filter { classes.contains(self.classes[$0]) })
    }
  }

  /// Writes an event of every type; returns what was planted.
  static func write(_ link: Link, to path: String) throws -> Planter {
    var planter = Planter(link)
    let id = try #require(JournalID(bytes: [UInt8](repeating: 9, count: 16)))
    let journal = try JournalWriter.create(
      at: path, id: id, createdNanoseconds: 0, options: JournalOptions(of: AppProtectionEvent.self))
    var batch = JournalBatch()
    for (index, entry) in AppProtectionEvent.catalog.entries.enumerated() {
      var envelope = Envelope(
        type: entry.number, at: Moment(wallNanoseconds: 1_600_000_000_000_000_000 + Int64(index) * 1_000_000_000))
      envelope.version = entry.version
      envelope.unknownReaders = entry.unknownReaders
      envelope.process = 1
      envelope.attributes = CommandAttributes(
        stream: planter.text(.account), metadata: [MetadataEntry("key", planter.text(.account))])
      envelope.body = planter.body(entry.body)
      var writer = WireWriter()
      envelope.encode(into: &writer)
      try batch.append(payload: writer.bytes, label: 1)
      _ = try journal.append(&batch)
    }
    try journal.close()
    return planter
  }

  /// The numbers between a word and an x in a text.
  private static func numbers(after word: String, in text: String) -> Set<Int> {
    var (numbers, rest) = (Set<Int>(), text.utf8[...])
    let word = Array(word.utf8)
    while let found = rest.firstRange(of: word) {
      rest = rest[found.upperBound...]
      let digits = rest.prefix { 0x30...0x39 ~= $0 }
      if rest.dropFirst(digits.count).first == UInt8(ascii: "x"), let number = Int(Substring(digits)) {
        numbers.insert(number)
      }
    }
    return numbers
  }

  /// Runs a body with a journal of planted links and a folder for what is written.
  private static func withJournal(
    _ link: Link, _ body: (_ path: String, _ folder: String, _ planted: Planter) throws -> Void
  ) throws {
    try TestFiles.withTemporaryFolder { folder in
      let planted = try write(link, to: "\(folder)/journal")
      #expect(planted.classes.count > 200)
      for name in ["on", "reveal"] {
        expectEqual(TestFiles.shell("mkdir \(folder)/\(name)"), 0)
        try TestFiles.write(Array(PlantedSecretTests.scenario.utf8), to: "\(folder)/\(name)/scenario.json")
      }
      try body("\(folder)/journal", folder, planted)
    }
  }

  /// What may be shown: links of tenants identify someone.
  private static func allowed(_ planted: Planter, reveals: Bool) -> Set<Int> {
    reveals ? planted.numbers([.public, .account]) : planted.link == .tenant ? [] : planted.numbers([.public])
  }

  @Test("No command shows more of a link than its class allows, and none a secret in it", arguments: Link.allCases)
  func commands(link: Link) throws {
    try Self.withJournal(link) { path, folder, planted in
      for reveals in [false, true] {
        let allowed = Self.allowed(planted, reveals: reveals)
        func check(_ text: String, _ what: String) {
          let hidden = Self.numbers(after: "hidden", in: text)
          #expect(hidden.isEmpty, "\(what): \(hidden.sorted().prefix(5))")
          let excess = Self.numbers(after: "planted", in: text).subtracting(allowed)
          #expect(excess.isEmpty, "\(what): \(excess.sorted().prefix(5))")
        }
        let target = "\(folder)/\(reveals ? "reveal" : "on")"
        // The account has no policy: it is not enrolled.
        var lines = PlantedSecretTests.commandLines(path, target).filter {
          !["policy", "completions", "help", "schema", "version"].contains($0[0])
        }
        lines += [["fleet", path], ["blame", path, "/**"]]
        for words in lines {
          for options in PlantedSecretTests.forms(of: words) {
            let leaks = reveals && words[0] == "export" && words.contains("-o")
            // A file is not written twice.
            let run = ToolRun(words + options + (reveals ? ["--reveal"] : []) + (leaks ? ["--secrets"] : []))
            #expect(run.code != .wrongUse, "\(words + options): \(run.notes)")
            check(run.output + run.notes, "\(words + options), \(reveals)")
          }
        }
        for name in ["page.html", "trace.json", "file.pjx", "tables"] {
          expectEqual(TestFiles.shell("find \(target)/\(name) -type f | sort | xargs gzip -dcf > \(target)/text"), 0)
          check(String(decoding: try TestFiles.read("\(target)/text"), as: UTF8.self), "\(name), \(reveals)")
        }
        for name in ["file.pjx", "imported"] {
          for words in [["log", "-j"], ["state", "--flat"], ["show", "5"], ["blame", "/**"]] {
            let run = ToolRun([words[0], "\(target)/\(name)"] + words.dropFirst() + (reveals ? ["--reveal"] : []))
            check(run.output + run.notes, "\(words) of \(name), \(reveals)")
          }
        }
      }
    }
  }

  @Test("Outputs that have every field answer alike for each link in it", arguments: Link.allCases)
  func answers(link: Link) throws {
    try Self.withJournal(link) { path, folder, planted in
      for reveals in [false, true] {
        let allowed = Self.allowed(planted, reveals: reveals)
        let options = reveals ? ["--reveal"] : []
        let all = (1...AppProtectionEvent.catalog.entries.count).map { "\($0)" }
        var outputs = [
          ("show", ToolRun(["show", path] + all + options).output),
          ("show -j", ToolRun(["show", path, "-j"] + all + options).output),
          ("log -j", ToolRun(["log", path, "-j"] + options).output),
        ]
        let target = "\(folder)/\(reveals ? "reveal" : "on")"
        let secrets = reveals ? ["--secrets"] : []
        _ = ToolRun(["export", path, "-o", "\(target)/file.pjx"] + options + secrets)
        _ = ToolRun("import", "\(target)/file.pjx", "-o", "\(target)/imported")
        outputs.append(("import", ToolRun(["log", "\(target)/imported", "-j"] + options).output))
        _ = ToolRun(["timeline", path, "-o", "\(target)/page.html"] + options)
        outputs.append(("timeline", String(decoding: try TestFiles.read("\(target)/page.html"), as: UTF8.self)))
        _ = ToolRun(["tables", path, "-o", "\(target)/tables"] + options)
        outputs.append(("tables", try TablesTests.text(.events, in: "\(target)/tables")))
        for (name, text) in outputs {
          let shown = Self.numbers(after: "planted", in: text)
          // A page cuts the texts of large events.
          let isCut = name == "timeline" && shown.isSubset(of: allowed) && 4 * shown.count >= 3 * allowed.count
          let wrong = shown.symmetricDifference(allowed).sorted().prefix(5)
          #expect(isCut || shown == allowed, "\(name), \(reveals): \(wrong)")
          let marks = text.split(separator: "planted").dropFirst().count {
            $0.prefix(40).contains("x?state=1&code=(secret)")
          }
          #expect(isCut || link != .code || marks >= shown.count, "\(name), \(reveals): \(marks) of \(shown.count)")
        }
      }
    }
  }

  @Test("A simulation answers as the journal does that it writes", arguments: Link.allCases)
  func simulated(link: Link) throws {
    try TestFiles.withTemporaryFolder { folder in
      let scenario = """
        {"scenario": 1, "title": "planted", "app": {"multiIdentity": true},
         "accounts": {"alice": {"objectID": "11111111-2222-4333-8444-555555555555", "upn": "alice@example.com"}},
         "policies": {"std": {"document": {"@odata.type": "#microsoft.graph.iosManagedAppProtection",
           "displayName": "\(link.text(900))", "description": "\(link.text(901))"}}},
         "start": "2026-10-05T09:00:00Z",
         "steps": [{"service": {"alice": {"policy": "std"}}}, {"launch": {}}, {"registerAndEnroll": "alice"},
         {"wait": "PT2M"}, {"expect": {"state": {"/policies/alice/displayName": "\(link.text(902))",
           "/accounts/alice/userPrincipalName": "\(link.text(903))"}}}]}
        """
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/scenario.json")
      for reveals in [false, true] {
        let options = reveals ? ["--reveal"] : []
        func check(_ words: [String], _ expected: Set<Int>) {
          let run = ToolRun(words + options)
          let text = run.output + run.notes
          #expect(Self.numbers(after: "hidden", in: text).isEmpty, "\(words + options): \(text)")
          expectEqual(Self.numbers(after: "planted", in: text), expected, "\(words + options): \(text)")
        }
        let isShown = reveals || link != .tenant
        for form in [[], ["-j"]] {
          let out = "\(folder)/\(reveals)\(form.count)"
          // What was expected of the account is personal.
          check(
            ["simulate", "\(folder)/scenario.json", "-o", out] + form,
            isShown ? reveals ? [900, 902, 903] : [900, 902] : [])
          for words in [["log", out, "-j"], ["state", out, "--flat"], ["policy", "show", out, "--account", "a1"]] {
            check(words, isShown ? [900, 901] : [])
          }
        }
      }
    }
  }

  @Test(
    "An export has pseudonyms for what other outputs withhold, and no secret in its bytes", arguments: Link.allCases)
  func exported(link: Link) throws {
    try Self.withJournal(link) { path, folder, planted in
      let key = [UInt8](repeating: 7, count: 32)
      let pseudonyms = try #require(Pseudonyms(key: key))
      let export = ToolRun(["export", path, "-o", "\(folder)/file.pjx", "--key", Digest.hex(key)])
      expectEqual(export.code, .done, "\(export.notes)")
      expectEqual(TestFiles.shell("gzip -dc < \(folder)/file.pjx > \(folder)/plain"), 0)
      let plain = try TestFiles.read("\(folder)/plain")
      let payloads = try ExportReader.read(plain).payloads.map {
        String(decoding: $0.map { max($0, 1) }, as: UTF8.self)
      }.joined()
      #expect(Self.numbers(after: "hidden", in: payloads).isEmpty)
      let allowed = Self.allowed(planted, reveals: false)
      expectEqual(Self.numbers(after: "planted", in: payloads), allowed)
      let lines = String(decoding: plain, as: UTF8.self)
      for number in planted.classes.indices where planted.classes[number] != .secret {
        // A document is judged text by text.
        let expected = allowed.contains(number) ? link.shown(number) : pseudonyms.text(link.text(number))
        #expect(TestFiles.isFound(expected, in: payloads), "\(number): \(expected)")
        if planted.classes[number] == .public {
          #expect(TestFiles.isFound(expected, in: lines), "\(number): \(expected)")
        }
      }
      expectEqual(ToolRun("import", "\(folder)/file.pjx", "-o", "\(folder)/imported").code, .done)
      expectEqual(ToolRun("export", "\(folder)/imported", "-o", "\(folder)/again.pjx").code, .done)
      try expectEqual(TestFiles.read("\(folder)/again.pjx"), TestFiles.read("\(folder)/file.pjx"))
    }
  }
}
