import Expectations
import Archives
import JournalSimulation
import Testing

@testable import CommandSupport
@testable import ProtectionSupport

/// Journals as users send them: packed by whatever they had at hand.
@Suite("Archives")
struct ArchiveTests {
  /// Packs a folder `journal` in the current folder; `PACKED` stands for the file.
  private static let packers = [
    "tar -cf PACKED journal", "tar -czf PACKED journal", "tar -cJf PACKED journal", "tar --zstd -cf PACKED journal",
    "zip -qr PACKED journal", "(cd journal && tar -cf PACKED .)", "(cd journal && zip -q PACKED *)",
    "mkdir -p a/b && cp -r journal a/b/ && zip -qr PACKED a", "python3 -m zipfile -c PACKED journal",
  ]

  /// Runs a line in a folder that holds a copy of a golden journal, with `PACKED` for a file in it; gives the file to
  /// `body`.
  private static func pack(_ line: String, _ journal: String = "interrupted-wipe", _ body: (String) throws -> Void)
    throws
  {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.copy(Repository.journal(journal), to: "\(folder)/journal")
      let code = TestFiles.shell("cd \(folder) && \(line.replacing("PACKED", with: "\(folder)/packed"))")
      expectEqual(code, 0, "\(line)")
      let names = try TestFiles.names(in: folder).filter { $0.hasPrefix("packed") }
      try body("\(folder)/\(try #require(names.first))")
    }
  }

  /// Python that writes a zip file of the journal, and then whatever `more` does with the file `z`.
  private static func zip(_ more: String) -> String {
    "python3 -W ignore -c \"import zipfile,os,struct;z=zipfile.ZipFile('PACKED','w',zipfile.ZIP_DEFLATED);"
      + "[z.write('journal/'+n) for n in sorted(os.listdir('journal'))];\(more);z.close()\""
  }

  @Test("A journal opens from any archive that holds it, in any folder", arguments: packers)
  func opens(packer: String) throws {
    try Self.pack(packer) { file in
      let journal = Repository.journal("interrupted-wipe")
      let run = ToolRun("log", file)
      expectEqual(run.code, .done, "\(run.notes)")
      expectEqual(run.output, ToolRun("log", journal).output)
      // A journal that lies deeper is named.
      let isNested = packer.contains("a/b")
      expectEqual(run.notes, isNested ? "pj log: \(file): the journal in it is a/b/journal\n" : "", "\(run.notes)")
      expectEqual(ToolRun("verify", file).code, .done)
      expectEqual(ToolRun("state", "\(file)@12", "--flat").output, ToolRun("state", "\(journal)@12", "--flat").output)
    }
  }

  @Test("Several journals in one archive are named, and one is chosen by its folder")
  func several() throws {
    try Self.pack("cp -r journal other && tar -czf PACKED journal other") { file in
      let run = ToolRun("log", file)
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.contains(": the archive holds 2 journals: journal, other. Next: pj log "), "\(run.notes)")
      expectEqual(ToolRun("log", "\(file)/other").output, ToolRun("log", Repository.journal("interrupted-wipe")).output)
      let third = ToolRun("log", "\(file)/third")
      expectEqual(third.code, .unreadable)
      #expect(third.notes.contains(": the archive has no journal third: journal, other. Next: "), "\(third.notes)")
    }
  }

  @Test("A journal in an archive is chosen by what its folder is called, and a wrong name is answered with the nearest")
  func folders() throws {
    let wipe = ToolRun("log", Repository.journal("interrupted-wipe")).output
    try Self.pack("mkdir -p a/b && cp -r journal a/b/ && cp -r journal top && tar -cf PACKED a journal -C top .") {
      file in
      let all = "the archive holds 3 journals: . (in no folder), a/b/journal, journal"
      for (typed, command) in [(file, "verify \(file)/."), ("\(file)/", "verify \(file)/.")] {
        let run = ToolRun("verify", typed)
        #expect(run.code == .wrongUse && run.notes.contains("\(all). Next: pj \(command)\n"), "\(run.notes)")
      }
      for name in [".", "a/b/journal", "journal/"] {
        expectEqual(ToolRun("log", "\(file)/\(name)").output, wipe, "\(name)")
      }
      for (wrong, nearest) in [("a", "a/b/journal"), ("a/b", "a/b/journal"), ("jurnal", "journal")] {
        let run = ToolRun("log", "\(file)/\(wrong)", "-n", "3")
        #expect(
          run.code == .unreadable && run.notes.hasSuffix("Next: pj log \(file)/\(nearest) -n 3\n"), "\(run.notes)")
      }
    }
    try Self.pack("mkdir -p a/b && mv journal a/b/ && tar -cf PACKED a") { file in
      let run = ToolRun("log", file)
      #expect(run.code == .done && run.output == wipe)
      expectEqual(run.notes, "pj log: \(file): the journal in it is a/b/journal\n")
      #expect(ToolRun("log", "\(file)/a/b/journal").notes.isEmpty)
    }
  }

  @Test("Names in an archive with an address in them are withheld unless revealed, and so is the next step")
  func names() throws {
    let two = "mkdir p && cp -r journal p/alice@contoso.com && mv journal p/bob@contoso.com && tar -cf PACKED p"
    try Self.pack(two) { file in
      for options in [[], ["-j"]] {
        let run = ToolRun(["log", file] + options)
        #expect(run.code == .wrongUse && !"\(run)".contains("contoso"), "\(run)")
        #expect(
          run.notes.contains(
            "the archive holds 2 journals: p/(withheld), p/(withheld). Next: the same command with --reveal, which shows the names"
          ),
          "\(run.notes)")
      }
      let revealed = ToolRun("log", file, "--reveal")
      #expect(revealed.notes.hasSuffix("Next: pj log \(file)/p/alice@contoso.com --reveal\n"), "\(revealed.notes)")
      let chosen = ToolRun("state", "\(file)/p/alice@contoso.com/", "--flat")
      #expect(chosen.code == .done && !chosen.output.contains("contoso"), "\(chosen.notes)")
    }
    let one = "mkdir p && mv journal p/bob@contoso.com && tar -cf PACKED p && truncate -s 3000 PACKED"
    try Self.pack(one) { file in
      for words in [
        ["diagnose", file], ["verify", file, "-j"], ["fleet", file, "-j"], ["salvage", file, "-o", "\(file).pj"],
      ] {
        let run = ToolRun(words)
        #expect(!"\(run)".contains("contoso"), "\(run)")
        guard words[0] == "salvage" else { continue }
        #expect(
          !run.notes.contains("Next: pj salvage") && run.notes.contains("Next: ask for the file again"), "\(run.notes)")
      }
      #expect(ToolRun("diagnose", file, "--reveal").notes.contains("bob@contoso.com"))
    }
  }

  @Test("Several journals from standard input are chosen by name in a file")
  func piped() throws {
    try Self.pack("cp -r journal other && tar -cf PACKED journal other") { file in
      var environment = ToolEnvironment.withoutPauses
      let bytes = try TestFiles.read(file)
      environment.readStandardInput = { _ in .bytes(bytes) }
      let run = ToolRun(["log", "-"], environment: environment)
      expectEqual(run.code, .wrongUse)
      #expect(run.notes.hasSuffix("Next: keep it as FILE, and type pj log FILE/journal\n"), "\(run.notes)")
    }
  }

  @Test("What an archive holds beside a journal is counted and named")
  func others() throws {
    let line =
      "mkdir -p mail && for n in 1 2 3 4 5 6 7; do echo x > mail/$n.txt; done && touch journal/LOCK journal/HEAD.tmp"
    try Self.pack("\(line) && tar -cf PACKED --sort=name journal mail") { file in
      let run = ToolRun("log", file)
      let names = (1...5).map { "mail/\($0).txt" }.joined(separator: ", ")
      expectEqual(run.code, .done)
      expectEqual(run.notes, "pj log: \(file): 7 entries are no part of a journal and left out: \(names) and 2 more\n")
    }
    try Self.pack("echo x > a && tar -cf PACKED a journal") { file in
      #expect(ToolRun("log", file).notes.hasSuffix(": 1 entry is no part of a journal and left out: a\n"))
    }
    try Self.pack("mkdir journal/00000000000000000077.seg && tar -cf PACKED journal") { file in
      expectEqual(ToolRun("log", file).notes, "")
    }
    let links = "for n in $(seq 10 40); do ln -s x journal/000000000000000000$n.seg; done && tar -cf PACKED journal"
    try Self.pack(links) { file in
      #expect(ToolRun("log", file).notes.hasSuffix(": 11 entries are more ignored\n"))
    }
    try Self.pack("rm journal/* && ln -s x journal/JOURNAL && tar -cf PACKED journal") { file in
      let run = ToolRun("log", file)
      #expect(
        run.notes.contains("the archive holds no journal; journal/JOURNAL: it is a link or a special file"),
        "\(run.notes)")
    }
  }

  @Test(
    "What only a folder can be used for is refused with the command that makes one, and an import with what opens it")
  func foldersOnly() throws {
    for (packer, unpacking) in [("tar -czf PACKED journal", "tar -xf"), ("zip -qr PACKED journal", "unzip")] {
      try Self.pack(packer) { file in
        for (words, next) in [
          (["retire", file, "5"], "\(unpacking) \(file)"), (["check", file, "--rebuild"], "\(unpacking) \(file)"),
          (["log", file, "-f"], "pj log \(file)"),
        ] {
          let run = ToolRun(words)
          #expect(
            run.code == .wrongUse && run.notes.hasSuffix(", and this is an archive. Next: \(next)\n"),
            "\(words): \(run.notes)")
        }
        let run = ToolRun("import", file, "-o", "\(file).pj")
        #expect(
          run.code == .wrongUse
            && run.notes.hasSuffix(
              ": this is an archive, and what pj export wrote is imported; every command opens the journal in it as it is. Next: pj log \(file)\n"
            ),
          "\(run.notes)")
      }
    }
    try Self.pack("echo hello | gzip > PACKED") { file in
      #expect(ToolRun("import", file, "-o", "\(file).pj").notes.contains("this is not an export"))
    }
  }

  @Test("Links, names that lead out and second entries of one name are ignored by name")
  func ignored() throws {
    let link = "ln -s /etc/passwd journal/00000000000000000099.seg && tar -cf PACKED journal"
    try Self.pack(link) { file in
      let run = ToolRun("log", file)
      #expect(run.code == .done && run.notes.contains("00000000000000000099.seg: it is a link"), "\(run.notes)")
    }
    try Self.pack(Self.zip("z.writestr('../../journal/JOURNAL',b'x');z.writestr('/tmp/x/HEAD',b'x')")) { file in
      let run = ToolRun("log", file)
      expectEqual(run.code, .done, "\(run.notes)")
      #expect(run.notes.contains("../../journal/JOURNAL: its name leads out"), "\(run.notes)")
    }
    try Self.pack(Self.zip("z.writestr('journal/JOURNAL',b'x')")) { file in
      let run = ToolRun("log", file)
      #expect(run.notes.contains("another entry has the same name"), "\(run.notes)")
      expectEqual(run.output, ToolRun("log", Repository.journal("interrupted-wipe")).output)
    }
  }

  @Test("What would fill the memory is refused, however it is packed")
  func bombs() throws {
    let zeros = Self.zip("z.writestr('journal/00000000000000000050.seg',bytes(192<<20))")
    let entries = Self.zip("[z.writestr('x/%d'%i,b'') for i in range(11000)]")
    let refusals = [
      (zeros, ": each byte of the archive unpacks to more than 200. Next: "),
      (entries, ": the archive has more than 10,000 entries. Next: "),
    ]
    for (line, note) in refusals {
      try Self.pack(line) { file in
        let run = ToolRun("log", file)
        #expect(run.code == .unreadable && run.output.isEmpty && run.notes.contains(note), "\(run.notes)")
      }
    }
    try Self.pack("head -c 2097152 /dev/zero >journal/00000000000000000050.seg && tar -cf PACKED journal") { file in
      var limits = ArchiveLimits()
      limits.contentBytes = 1 << 20
      let bytes = try TestFiles.read(file)
      do throws(Failure) {
        _ = try ArchiveInput(bytes, "field.tar", limits: limits)
        Issue.record("it is read")
      } catch {
        expectEqual(error.message, "field.tar: the journals in the archive have more than 1 MiB")
      }
      limits.contentBytes = 4 << 20
      limits.streamBytes = 1 << 20
      do throws(Failure) {
        _ = try ArchiveInput(bytes, "field.tar", limits: limits)
        Issue.record("it is read")
      } catch {
        expectEqual(error.message, "field.tar: the archive unpacks to more than 1 MiB")
      }
    }
    // What is left out of a compressed tar file is decompressed all the same.
    try Self.pack("head -c 300000000 /dev/zero >a && tar -czf PACKED a journal") { file in
      let run = ToolRun("log", file)
      #expect(run.code == .unreadable && run.output.isEmpty, "\(run.notes)")
      #expect(run.notes.contains("each byte of the archive unpacks to more than 200"), "\(run.notes)")
    }
    // What is no part of a journal is not unpacked at all.
    try Self.pack(Self.zip("z.writestr('journal/movie.mp4',bytes(64<<20))")) { file in
      expectEqual(ToolRun("log", file).code, .done)
    }
  }

  @Test("A zip file without its directory opens as far as its entries go, and one that unpacks to too much is refused")
  func zipWithoutDirectory() throws {
    // Python writes lengths after the entries of what cannot be sought in.
    let stream =
      "python3 -c \"import zipfile,os,sys;z=zipfile.ZipFile(sys.stdout.buffer,'w',zipfile.ZIP_DEFLATED);"
      + "[z.write('journal/'+n) for n in sorted(os.listdir('journal'))];MORE;z.close()\" | cat >PACKED"
    func directory(of bytes: [UInt8]) -> Int? {
      bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) }
    }
    try Self.pack(stream.replacing("MORE", with: "z.writestr('journal/note.txt','x'*1000)")) { file in
      let bytes = try TestFiles.read(file)
      let whole = ToolRun("log", file)
      expectEqual(whole.code, .done, "\(whole.notes)")
      try TestFiles.write(Array(bytes[..<(try #require(directory(of: bytes)))]), to: file)
      let run = ToolRun("log", file)
      // Every event, then what is missing, then how many they are.
      #expect(run.code == .partial && run.lines.starts(with: whole.lines.dropLast()), "\(run.notes)")
      #expect(run.lines.last == whole.lines.last && run.lines.dropLast().last?.contains("tail lost") == true, "\(run)")
    }
    try Self.pack(stream.replacing("MORE", with: "z.writestr('movie.mp4',bytes(192<<20))")) { file in
      expectEqual(ToolRun("log", file).code, .done)
      let bytes = try TestFiles.read(file)
      try TestFiles.write(Array(bytes[..<(try #require(directory(of: bytes)))]), to: file)
      for words in [["log", file], ["policy", "lint", file], ["fleet", file]] {
        let run = ToolRun(words)
        #expect("\(run)".contains("each byte of the archive unpacks to more than 200"), "\(words): \(run)")
      }
    }
  }

  @Test("A segment with the room that its writer reserved opens from any archive", arguments: packers)
  func reserved(packer: String) throws {
    let extend = "truncate -s +40M $(ls journal/*.seg | tail -n 1)"
    try Self.pack("\(extend) && \(packer)") { file in
      let run = ToolRun("verify", file)
      expectEqual(run.code, .done, "\(run.notes)\(run.output)")
    }
  }

  @Test("The slash that completions of shells add changes nothing")
  func slashes() throws {
    try Self.pack("tar -cf PACKED journal") { file in
      let log = ToolRun("log", Repository.journal("interrupted-wipe")).output
      for path in ["\(file)/", "\(file)//", "\(file)/journal", "\(file)/journal/"] {
        let run = ToolRun("log", path)
        #expect(run.code == .done && run.output == log, "\(path): \(run.notes)")
      }
    }
    try TestFiles.withTemporaryFolder { folder in
      _ = ToolRun("export", Repository.journal("interrupted-wipe"), "-o", "\(folder)/a.pjx")
      expectEqual(ToolRun("log", "\(folder)/a.pjx/").output, ToolRun("log", "\(folder)/a.pjx").output)
    }
  }

  @Test("An archive without a journal, or that needs a password, says so")
  func without() throws {
    try Self.pack("tar -cf PACKED --exclude '*' journal; echo x > x && tar -cf PACKED x") { file in
      let run = ToolRun("log", file)
      #expect(run.code == .unreadable && run.notes.contains(": the archive holds no journal. Next: "), "\(run.notes)")
    }
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write([0x50, 0x4B, 3, 4] + [UInt8](repeating: 7, count: 40), to: "\(folder)/field.zip")
      let run = ToolRun("log", "\(folder)/field.zip")
      let note = ": this is neither an export nor an archive of a journal: "
      #expect(run.code == .unreadable && run.notes.contains(note), "\(run.notes)")
    }
    try Self.pack("zip -qr -P secret PACKED journal") { file in
      let run = ToolRun("log", file)
      #expect(run.code != .done, "\(run.notes)")
    }
  }

  @Test("A salvage looks for segments in a file that only begins as an archive does")
  func salvaged() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = Repository.journal("interrupted-wipe")
      let segment = try TestFiles.read("\(journal)/00000000000000000001.seg")
      for beginning in [[0x1F, 0x8B], [0x50, 0x4B, 3, 4]] as [[UInt8]] {
        let file = "\(folder)/disk\(beginning.count)"
        let padding = [UInt8](repeating: 0, count: 512 - beginning.count)
        try TestFiles.write(beginning + padding + segment, to: file)
        let run = ToolRun("salvage", file, "-o", "\(file).pj")
        #expect(run.code == .partial && run.output.contains("22 events"), "\(run.notes)")
      }
    }
  }

  @Test("A cut archive says what is missing, and never ends as if it were whole")
  func cut() throws {
    try Self.pack("tar -cf PACKED journal") { file in
      let bytes = try TestFiles.read(file)
      for length in stride(from: 600, to: bytes.count - 10_240, by: 1700) {
        try TestFiles.write(Array(bytes[..<length]), to: file)
        let run = ToolRun("log", file)
        #expect(run.code != .done, "\(length): \(run.notes)")
      }
    }
  }

  @Test(
    "Mutated archives do not stop the reader", arguments: [1, 2] as [UInt64],
    ["tar -czf PACKED journal", "zip -qr PACKED journal"])
  func mutations(seed: UInt64, packer: String) throws {
    try Self.pack(packer, "first-enrollment") { file in
      let original = try TestFiles.read(file)
      var random = SeededGenerator(seed: seed)
      for round in 0..<120 {
        var bytes = original
        for _ in 0...random.below(3) {
          let place = random.below(bytes.count)
          if random.oneIn(4) {
            bytes.removeSubrange(place..<min(bytes.count, place + random.below(200)))
          } else {
            bytes[place] = UInt8(random.below(256))
          }
          if bytes.isEmpty { bytes = [0] }
        }
        try TestFiles.write(bytes, to: file)
        let run = ToolRun("log", file)
        #expect(run.code != .bug, "seed \(seed), round \(round)")
      }
    }
  }
}
