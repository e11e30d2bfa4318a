import Expectations
import JournalSimulation
import JSON
import SensitiveText
import Testing

@testable import CommandSupport

/// The reader in Python knows the published pages and nothing else, so that where both agree, the pages are right.
@Suite("The independent reader")
struct IndependentReaderTests {
  /// What the rules of the domain and the filters say of an event, and no journal.
  private static let derivedMembers: Set<String> = ["changes", "conditions", "findings", "match", "orderedBy"]

  /// What both print of a journal, and how they end.
  struct Reading: Equatable {
    var events: [JSONObject] = []
    /// Verdict, file and byte range of every finding, in the order of their text.
    var findings: [String] = []
    var code: Int32

    init(_ records: [JSONValue?], code: Int32) throws {
      self.code = code
      for record in records {
        let object = try #require(record?.object)
        switch object["kind"]?.string {
        case "event":
          events.append(JSONObject(object.members.filter { !IndependentReaderTests.derivedMembers.contains($0.name) }))
        case "finding":
          let names = ["verdict", "isDamage", "file", "from", "to", "lostEvents"]
          let place = object.members.filter { names.contains($0.name) }
          findings.append(JSONValue.object(place).text(style: .compact))
        default: break
        }
      }
      findings.sort()
    }

    /// The same without what the two say differently of an event whose body cannot be read: the reason, and how much of it
    /// is shown.
    var withoutUnreadable: Reading {
      var reading = self
      reading.events = events.map { event in
        guard event["undecodable"] != nil else { return event }
        let members = event.members.filter { !["data", "undecodable"].contains($0.name) }
        return JSONObject(members + [JSONObject.Member("undecodable", .bool(true))])
      }
      return reading
    }

    /// In what two readings differ, member by member.
    func differences(from other: Reading) -> [String] {
      var result: [String] = []
      if code != other.code { result.append("exit code \(code), \(other.code)") }
      if findings != other.findings { result.append("findings \(findings), \(other.findings)") }
      if events.count != other.events.count { result.append("\(events.count) events, \(other.events.count)") }
      for (one, two) in zip(events, other.events) where one != two {
        for name in one.members.map(\.name) + two.members.map(\.name) where one[name] != two[name] {
          let pair = [one[name], two[name]].map { $0?.text(style: .compact) ?? "nothing" }
          result.append("event \(one["seq"]?.text(style: .compact) ?? "?"), \(name): \(pair[0]), \(pair[1])")
        }
        if one.members.map(\.name) != two.members.map(\.name) { result.append("other members or another order") }
      }
      return result
    }
  }

  func tool(_ journal: String) throws -> Reading {
    let run = ToolRun("log", "-j", "--reveal", journal)
    return try Reading(run.records, code: run.code.rawValue)
  }

  func reader(_ journal: String, options: String = "") throws -> Reading {
    try TestFiles.withTemporaryFolder { folder in
      let script = "\(Repository.root)/tools/read_journal.py"
      let code = TestFiles.shell("python3 -B \(script) \(journal) \(options) > \(folder)/out 2> \(folder)/err")
      try expectEqual(TestFiles.read("\(folder)/err"), [])
      let lines = String(decoding: try TestFiles.read("\(folder)/out"), as: UTF8.self).split(separator: "\n")
      return try Reading(lines.map { try JSONDocument.parse(Array($0.utf8)).root.value }, code: code)
    }
  }

  /// In what the two readers differ about a journal.
  func differs(on journal: String) throws -> [String] {
    try reader(journal).differences(from: tool(journal))
  }

  @Test(
    "It prints of every golden journal what pj prints, by the schema and by the catalogue inside, and ends as pj does",
    arguments: Repository.journals, ["", "--by-catalog"])
  func agrees(name: String, options: String) throws {
    let tool = try tool(Repository.journal(name))
    #expect(!tool.events.isEmpty)
    try expectEqual(reader(Repository.journal(name), options: options).differences(from: tool), [])
  }

  @Test("It prints of a journal of another domain what pj prints")
  func agreesOnOtherDomains() throws {
    try OtherDomainTests.withBank { path in
      let tool = try tool(path)
      #expect(tool.events.count == 3 && tool.code == 0)
      try expectEqual(reader(path).differences(from: tool), [])
    }
  }

  @Test("It withholds secrets in links, and those that the text beside them names, as pj does")
  func agreesOnSecrets() throws {
    try TestFiles.withTemporaryFolder { folder in
      _ = try PlantedAnswerTests.write(.code, to: "\(folder)/links")
      try PlantedSecretTests.write(to: "\(folder)/named", .named)
      for (name, mark) in [("links", "(secret)"), ("named", #"{"redacted":"secret"}"#)] {
        let tool = try tool("\(folder)/\(name)").withoutUnreadable
        for options in ["", "--by-catalog"] {
          let reader = try reader("\(folder)/\(name)", options: options).withoutUnreadable
          expectEqual(reader.differences(from: tool), [])
          #expect(reader.events.contains { JSONValue.object($0.members).text(style: .compact).contains(mark) })
        }
      }
    }
  }

  @Test("It finds the same secrets in any text")
  func agreesOnTexts() throws {
    let parts = [
      "code", "=", "=", "pwd", "x", "Key", "&", ";", "?", "#", "//", "/", ":", "@", "h.example", "80", "'", "\"", "\\",
      " ",
      "%3D", "%2F%2F", "%3Fcode%3Da", "%25", "true", "(secret)", "é", "ab", "<", ".",
    ]
    var generator = SeededGenerator(seed: 36)
    let texts = (0..<20_000).map { _ in
      (0..<Int.random(in: 1...12, using: &generator)).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
    }
    try TestFiles.withTemporaryFolder { folder in
      let json = JSONValue.array(texts.map { .string($0) }).text(style: .compact)
      try TestFiles.write(Array(json.utf8), to: "\(folder)/texts")
      let program =
        "import json, sys; from sensitive_text import without_secrets; "
        + "json.dump(without_secrets(json.load(open(sys.argv[1]))), open(sys.argv[2], 'w'))"
      expectEqual(
        TestFiles.shell(
          "cd \(Repository.root)/tools && python3 -B -c \"\(program)\" \(folder)/texts \(folder)/shown"), 0)
      let shown = try JSONDocument.parse(TestFiles.read("\(folder)/shown")).value.array ?? []
      expectEqual(shown.count, texts.count)
      for (text, shown) in zip(texts, shown) where shown.string != TextPrivacy.withoutSecrets(text) {
        Issue.record("\(text): \(shown.string ?? ""), \(TextPrivacy.withoutSecrets(text))")
      }
    }
  }

  /// A way to damage a journal of several segments.
  struct Damage: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Which file, counted among the names in their order; negative counts from the end: HEAD, JOURNAL, LOCK.
    let file: Int
    /// The bytes that are left of it; `nil` removes the file.
    let change: @Sendable ([UInt8]) -> [UInt8]?

    init(_ description: String, _ file: Int, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]?) {
      (testDescription, self.file, self.change) = (description, file, change)
    }

    static func flip(_ bytes: [UInt8], at index: Int) -> [UInt8] {
      var bytes = bytes
      bytes[index] ^= 0x10
      return bytes
    }
  }

  private static let damages = [
    Damage("a payload in the first segment", 0) { Damage.flip($0, at: 400) },
    Damage("the header of the first segment", 0) { Damage.flip($0, at: 50) },
    Damage("the header of the second segment", 1) { Damage.flip($0, at: 61) },
    Damage("a kilobyte of zeros in the second segment", 1) {
      $0[..<4096] + [UInt8](repeating: 0, count: 1024) + $0[5120...]
    },
    Damage("the trailer of the second segment", 1) { Damage.flip($0, at: $0.count - 3) },
    Damage("the second segment without its second half", 1) { Array($0[..<($0.count / 2)]) },
    Damage("the third segment without its header", 2) { Array($0[..<100]) },
    Damage("the first segment is missing", 0) { _ in nil },
    Damage("the second segment is missing, and the third speaks of a longer one than the first", 1) { _ in nil },
    Damage("the third segment is missing, and the fourth speaks of a longer one than the second", 2) { _ in nil },
    Damage("the last segment is missing", 3) { _ in nil },
    Damage("the last segment without its end", 3) { Array($0[..<($0.count - 200)]) },
    Damage("the last segment without the end of a batch, after an event of it", 3) { Array($0[..<($0.count - 472)]) },
    Damage("the last segment without the end of a batch, in an event of it", 3) { Array($0[..<($0.count - 440)]) },
    Damage("zeros after the last segment", 3) { $0 + [UInt8](repeating: 0, count: 8192) },
    Damage("an unfinished frame after the last segment", 3) { $0 + [1, 2, 3] },
    Damage("HEAD is missing", -3) { _ in nil },
    Damage("the newer slot of HEAD", -3) { Damage.flip($0, at: 560) },
    Damage("the older slot of HEAD", -3) { Damage.flip($0, at: 30) },
    Damage("JOURNAL", -2) { Damage.flip($0, at: 30) },
    Damage("JOURNAL is missing", -2) { _ in nil },
  ]

  @Test(
    "It judges damage as pj does, and shows the same events around it, also where HEAD proves nothing",
    arguments: TestFiles.share(of: damages), [true, false])
  func agreesOnDamage(damage: Damage, hasHead: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: path)
      let names = try TestFiles.names(in: path)
      expectEqual(names.count, 7, "the damages name the files of a journal with four segments")
      let name = names[damage.file < 0 ? names.count + damage.file : damage.file]
      if let bytes = damage.change(try TestFiles.read("\(path)/\(name)")) {
        try TestFiles.write(bytes, to: "\(path)/\(name)")
      } else {
        expectEqual(TestFiles.shell("rm \(path)/\(name)"), 0)
      }
      if !hasHead { _ = TestFiles.shell("rm -f \(path)/HEAD") }
      try expectEqual(reader(path).differences(from: try tool(path)), [])
    }
  }

  /// Something that is done in a journal's folder by the shell, in which `$1` to `$4` are its segments.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let command: String

    init(_ description: String, _ command: String) {
      (testDescription, self.command) = (description, command)
    }

    /// The first sector of one file over that of another.
    static func sector(of source: String, over target: String) -> Change {
      Change("the first sector of \(source) over \(target)", "dd if=\(source) of=\(target) bs=512 count=1 conv=notrunc")
    }

    static let all: [Change] = {
      var changes = [
        Change(
          "two earlier events after a sealed segment",
          "rm $3 $4; : > 00000000000000000100.seg; : > 00000000000000000110.seg"),
        Change("an event of the last segment in the name of an empty file", ": > 00000000000000000340.seg"),
        Change("an empty file with a later segment's name", ": > 00000000000000000999.seg"),
        Change("zeros with a later segment's name", "head -c 600 /dev/zero > 00000000000000000999.seg"),
        Change("an empty file with a name among the others", ": > 00000000000000000077.seg"),
        Change("an empty file after a segment without its end", "truncate -s -200 $4; : > 00000000000000000999.seg"),
        Change("an empty file in the place of the last segment", ": > $4"),
        Change("an empty file in the place of the third segment", ": > $3"),
        Change(
          "the first segment under another name, and an empty file in its place",
          "mv $1 00000000000000000999.seg; : > $1"),
        Change(
          "the second segment under another name, and zeros in its place",
          "mv $2 00000000000000000999.seg; head -c 4096 /dev/zero > $2"),
        Change(
          "the first segment once more, without its header",
          "tail -c +225 $1 > rest; (head -c 224 /dev/zero; cat rest) > 00000000000000000999.seg; rm rest"),
        Change("a directory with a later segment's name", "mkdir 00000000000000000999.seg"),
        Change("a pipe with a later segment's name", "mkfifo 00000000000000000999.seg"),
        Change("the second segment renamed as one after the third", "mv $2 00000000000000000200-0000000004.seg"),
        sector(of: "$OTHER", over: "$2"),
        Change("another journal's JOURNAL", "cp $(dirname $OTHER)/JOURNAL JOURNAL"),
        Change("another journal's HEAD", "cp $(dirname $OTHER)/HEAD HEAD"),
        Change("a link to nothing in the place of JOURNAL", "ln -sf nothing JOURNAL"),
        Change("a link to nothing in the place of HEAD", "ln -sf nothing HEAD"),
        Change(
          "a renamed segment, and a later number at its place",
          "mv $4 00000000000000000077.seg; : > ${4%.seg}-0000000009.seg"),
        Change("a later number at the place of the first segment", "rm $1; : > ${1%.seg}-0000000009.seg"),
        Change("an earlier event in the place of the last segment", "rm $4; : > 00000000000000000300.seg"),
        Change(
          "an earlier event in the place of the last segment, after damage",
          "rm $4; : > 00000000000000000300.seg; dd if=/dev/zero of=$3 bs=1 seek=9000 count=8 conv=notrunc"),
        Change(
          "HEAD and JOURNAL of another journal", "cp $(dirname $OTHER)/HEAD $(dirname $OTHER)/JOURNAL .; rm $2 $3 $4"),
      ]
      changes += changes[..<11].map { Change("\($0.testDescription), without HEAD", "\($0.command); rm HEAD") }
      changes += [
        Change("zeros after a last segment that is sealed", "rm $4 HEAD; head -c 4096 /dev/zero >> $3"),
        Change("other bytes after a last segment that is sealed", "rm $4 HEAD; echo x >> $3"),
        Change("a trailer that is cut", "rm $4 HEAD; truncate -s -3 $3"),
      ]
      for name in ["$1", "$2", "$4", "HEAD", "JOURNAL", "KEPT", "KEYFRAMES", "00000000000000000040.ckpt"] {
        changes.append(Change("a directory in the place of \(name)", "rm -f \(name); mkdir \(name)"))
      }
      for name in ["$3", "HEAD", "JOURNAL"] {
        changes.append(Change("a pipe in the place of \(name)", "rm -f \(name); mkfifo \(name)"))
      }
      let segments = ["$1", "$2", "$3", "$4"]
      for name in ["300", "333", "400", "400-0000000009"] {
        let renamed = "00000000000000000\(name).seg"
        changes.append(
          Change(
            "a segment without its header as \(renamed)",
            "dd if=/dev/zero of=$4 bs=128 count=1 conv=notrunc; mv $4 \(renamed)"))
      }
      for (index, target) in segments.enumerated() {
        for source in [segments[(index + 1) % 4], segments[(index + 2) % 4], "JOURNAL", "HEAD"] {
          changes.append(sector(of: source, over: target))
        }
      }
      return changes
    }()
  }

  @Test(
    "It takes names, kinds of files and headers in a wrong place as pj does, and never waits for a pipe",
    arguments: TestFiles.share(of: Change.all))
  func agreesOnFiles(change: Change) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: path)
      let other = "$(realpath \(Repository.journal("first-enrollment")))/00000000000000000001.seg"
      let line = "OTHER=\(other) && cd \(path) && set -- *.seg && { \(change.command); } 2> /dev/null"
      expectEqual(TestFiles.shell(line), 0)
      let tool = try tool(path)
      #expect(!tool.findings.isEmpty || change.testDescription.hasSuffix("KEYFRAMES"))
      try expectEqual(reader(path).differences(from: tool), [])
      let verified = ToolRun("verify", "-j", path).records.filter { $0?.object?["kind"]?.string == "finding" }
      try expectEqual(Reading(verified, code: tool.code).findings, tool.findings, "as verify judges it")
    }
  }

  private static let forgeries = [
    Change("an event that is there twice", "$FORGE repeat $4 5"),
    Change("an event that was taken out", "$FORGE drop $1 5"),
    Change("an event of a footer's type", "$FORGE type $1 5 4"),
    Change("two events in the other order", "$FORGE swap $1 5"),
    Change("an event with another number", "$FORGE renumber $1 5 2"),
    Change("a batch without its end, in which HEAD says that all was durable", "$FORGE open $4 0 2"),
    Change("a batch of more than 16 MiB", "$FORGE grow $4 1 6000000"),
    Change("an event with 100,000 entries of metadata", "$FORGE metadata $4 5 100000"),
    Change("a body without its end", "$FORGE cut $1 5 3"),
    Change("what a fork shares, in a journal without a parent", "$FORGE parent JOURNAL 5"),
  ]

  @Test("It judges what verifies and contradicts the rest as pj does", arguments: forgeries)
  func agreesOnForgeries(change: Change) throws {
    try expectAgreement(on: Repository.journal("framework-history"), after: change)
  }

  @Test(
    "It judges the checkpoint of a retired journal of another domain as pj does",
    arguments: [
      Change("none", "rm *.ckpt"), Change("one of a newer program", "$FORGE newer *.ckpt"),
      Change("one of another history", "$FORGE chain *.ckpt 7"),
    ])
  func agreesOnReplacements(change: Change) throws {
    let path = "\(Repository.root)/Tests/EventSourcing/Updates/frozen/program-1-retired"
    #expect(try expectAgreement(on: path, after: change) != 0)
  }

  /// Compares the two readings of a changed copy of a journal; returns the exit code.
  @discardableResult
  private func expectAgreement(on journal: String, after change: Change) throws -> Int32 {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(journal, to: path)
      let forge = "python3 -B \(Repository.root)/tools/forge_journal.py"
      expectEqual(TestFiles.shell("FORGE='\(forge)' && cd \(path) && set -- *.seg && \(change.command)"), 0)
      let tool = try tool(path)
      try expectEqual(reader(path).differences(from: tool), [])
      return tool.code
    }
  }

  @Test(
    "A name takes no acknowledged event where a slot of HEAD is torn",
    arguments: [5, 10, 11, 12, 13, 20], ["dd if=/dev/zero of=HEAD bs=512 count=1 conv=notrunc", "rm HEAD"])
  func agreesBehindTornHead(name: Int, damage: String) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("torn-tail"), to: path)
      expectEqual(TestFiles.shell("cd \(path) && \(damage) 2> /dev/null"), 0)
      let undisturbed = try tool(path)
      let number = String(repeating: "0", count: 20 - "\(name)".count) + "\(name)"
      try TestFiles.write([], to: "\(path)/\(number).seg")
      let tool = try tool(path)
      let missing = undisturbed.events.count - tool.events.count
      // What no other file proves to be durable is undecided, and not torn.
      #expect(missing <= 1 && tool.events == Array(undisturbed.events.prefix(tool.events.count)))
      #expect(missing == 0 || tool.findings.contains { $0.contains("\"damaged\"") }, "\(tool.findings)")
      try expectEqual(reader(path).differences(from: tool), [])
    }
  }

  @Test("It reads a segment once that is there twice", arguments: [0, 1, 3])
  func agreesOnCopies(file: Int) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: path)
      let name = try TestFiles.names(in: path)[file]
      let copy = "\(name.dropLast(4))-0000000099.seg"
      try TestFiles.write(try TestFiles.read("\(path)/\(name)"), to: "\(path)/\(copy)")
      let tool = try tool(path)
      #expect(tool.findings.count == 1 && tool.findings[0].contains(copy), "\(tool.findings)")
      try expectEqual(reader(path).differences(from: tool), [])
    }
  }

  @Test(
    "It takes the header's word for a segment under a wrong name, and none for a name that is no segment's",
    arguments: [
      ("00000000000000000050", false), ("00000000000000000999-0000000007", false), ("00000000000000000000", true),
      ("00000000000000000001-0000000000", true), ("00000000000000000001-00000000001", true),
      ("99999999999999999999", true),
    ])
  func agreesOnNames(name: String, isLost: Bool) throws {
    try TestFiles.withTemporaryFolder { folder in
      let path = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: path)
      let segment = "\(path)/00000000000000000001.seg"
      try TestFiles.write(try TestFiles.read(segment), to: "\(path)/\(name).seg")
      try TestFiles.removeFile(segment)
      let tool = try tool(path)
      #expect((tool.events.count == 378) == !isLost, "\(tool.events.count)")
      #expect(tool.findings.contains { $0.contains("\"file\":\"\(name).seg\"") } || !isLost, "\(tool.findings)")
      try expectEqual(reader(path).differences(from: tool), [])
    }
  }

  @Test("Where a salvage kept the places of lost events, it says that they are lost, as pj does")
  func agreesOnSalvage() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (source, path) = ("\(folder)/journal", "\(folder)/salvaged")
      try TestFiles.copy(Repository.journal("framework-history"), to: source)
      let names = try TestFiles.names(in: source)
      func place(of event: UInt64) throws -> Int { try TestFiles.offset(ofEvent: event, in: source) + 16 }
      let run = Array(stride(from: try place(of: 100), to: try place(of: 104), by: 8))
      for (name, places) in [(names[0], [try place(of: 2), try place(of: 40)]), (names[1], run)] {
        var bytes = try TestFiles.read("\(source)/\(name)")
        for place in places { bytes[place] ^= 0x10 }
        try TestFiles.write(bytes, to: "\(source)/\(name)")
      }
      expectEqual(ToolRun("salvage", source, "-o", path).code, .partial)
      let tool = try tool(path)
      #expect(tool.findings.count == 3 && tool.code == 3)
      try expectEqual(reader(path).differences(from: tool), [])
      try TestFiles.removeFile("\(source)/HEAD")
      expectEqual(ToolRun("salvage", source, "-o", "\(path)-2").code, .partial)
      let endless = try self.tool("\(path)-2")
      #expect(endless.findings.count == 4 && endless.code == 3, "its end is not known")
      try expectEqual(reader("\(path)-2").differences(from: endless), [])
    }
  }

  @Test("It follows a writer that went on after unfinished writes")
  func agreesBehindTornTails() throws {
    let policy =
      "\(Repository.root)/journals/documents/"
      + "icf_2020-04-22_97686e8_level-2-enterprise-enhanced-data-protection-iOS.json"
    let crash = """
      {"crash": {"during": "checkIn.requested", "bytes": 20}}, {"checkIn": "alice"}, {"launch": {}}, {"restart": {}}
      """
    let scenario = """
      {"scenario": 1, "title": "torn twice", "start": "2026-10-05T09:00:00Z",
       "accounts": {"alice": {"objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01"}},
       "policies": {"standard": {"path": "\(policy)"}},
       "steps": [{"service": {"alice": {"policy": "standard"}}}, {"launch": {}}, {"registerAndEnroll": "alice"},
                 {"restart": {}}, \(crash), \(crash)]}
      """
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write(Array(scenario.utf8), to: "\(folder)/torn.json")
      let path = "\(folder)/journal"
      expectEqual(ToolRun("simulate", "\(folder)/torn.json", "-o", path).notes, "")
      let tool = try tool(path)
      #expect(tool.findings.count == 2 && tool.code == 0)
      try expectEqual(reader(path).differences(from: tool), [])
    }
  }

  @Test("The comparison notices one name in one event, and a journal that is another one")
  func noticesDifferences() throws {
    let journal = Repository.journal("first-enrollment")
    let tool = try tool(journal)
    let schema = String(
      decoding: try TestFiles.read("\(Repository.root)/Sources/AppProtection/policyjournal.proto"), as: UTF8.self)
    try TestFiles.withTemporaryFolder { folder in
      let other = schema.replacing("string app_version = 3;", with: "string version_of_app = 3;")
      try TestFiles.write(Array(other.utf8), to: "\(folder)/other.proto")
      let differences = try reader(journal, options: "--schema \(folder)/other.proto").differences(from: tool)
      let starts = tool.events.filter { $0["type"] == .string("process.started") }
      #expect(starts.count > 0 && differences.count >= starts.count)
      #expect(differences.allSatisfy { $0.contains("versionOfApp") && $0.contains("appVersion") })
    }
    let differences = try reader(Repository.journal("torn-tail")).differences(from: tool)
    #expect(differences.contains { $0.hasPrefix("findings") })
    #expect(differences.contains { $0.contains(", chain: ") })
  }
}
