import Expectations
import CommandLineInterface
import Journal
import JSON
import Testing

/// `pj salvage`: what it writes, prints and returns.
@Suite("pj salvage")
struct SalvageTests {
  private static let id = "ff934490-609c-d1bb-c975-d095c3b1c02b"

  /// Runs the tool with a target in a folder of its own, whose name does not stand in the texts.
  private func salvage(
    _ words: [String], _ body: (ToolRun, _ target: String, _ folder: String) throws -> Void
  ) throws {
    try TestFiles.withTemporaryFolder { folder in
      try body(ToolRun(["salvage"] + words + ["-o", "\(folder)/copy"]), "\(folder)/copy", folder)
    }
  }

  @Test("A sound journal is copied, and the copy has the same history")
  func sound() throws {
    let journal = Repository.journal("first-enrollment")
    try salvage([journal]) { run, target, _ in
      #expect(run.code == .done && run.notes.isEmpty)
      expectEqual(
        run.output,
        "salvaged 20 events of journal 29d02769-0ef7-12c1-019a-b6cdcdd2b28c into \(target). Next: pj log \(target)\n")
      expectEqual(ToolRun("verify", target).code, .done)
      expectEqual(ToolRun("compare", journal, target).code, .done)
      let log = ToolRun("log", target)
      #expect(log.code == .done && log.output == ToolRun("log", journal).output)
    }
  }

  @Test("A lost event is named, the copy is sound, and its log shows what is lost")
  func lostEvent() throws {
    let journal = Repository.journal("damaged-frame")
    try salvage([journal]) { run, target, _ in
      expectEqual(run.code, .partial)
      #expect(
        // The catalogue stands before the event, and grows.
        run.output.replacing(/bytes [0-9,]+–[0-9,]+:/, with: "bytes …:") == """
          lost  event 12  \(journal)/00000000000000000001.seg: bytes …: these bytes do not verify
          salvaged 18 of 19 events of journal \(Self.id) into \(target). Next: pj log \(target) (shows where events are lost)

          """)
      expectEqual(ToolRun("verify", target).code, .partial)
      let log = ToolRun("log", target)
      expectEqual(log.code, .partial)
      #expect(
        log.lines.contains {
          $0.contains("event 12 was lost before this journal was salvaged")
            && $0.contains("salvage the original files again, with a copy that still has it")
        })
      expectEqual(log.lines.count { $0.contains(" 12 Oct ") }, 18)
      expectEqual(ToolRun("state", target).code, .partial)
      expectEqual(ToolRun("state", target, "--at", "11").code, .done)
      expectEqual(ToolRun("state", target, "--at", "13").code, .partial)
      #expect(
        ToolRun("show", target, "12").notes.contains("event 12 is lost: it was lost before this journal was salvaged"))
      let finding =
        #"{"kind":"finding","verdict":"lost","isDamage":false,"file":"00000000000000000001.seg","#
      #expect(ToolRun("log", target, "-j").output.contains(finding))
      #expect(ToolRun("stats", target, "-j").output.contains(finding))
      let note = "1 event lost before this journal was salvaged"
      for words in [["log"], ["stats"]] { #expect(ToolRun(words + [target]).notes.contains("\(target): \(note); ")) }
      for words in [["state"], ["check"]] {
        #expect(
          ToolRun(words + [target]).notes.contains(
            "the state after event 11 is unknown: event 12 was lost before this journal was salvaged"))
      }
    }
  }

  @Test("A pipe where keyframes should be costs no event, and a link that leads to nothing is no place to write to")
  func otherKinds() throws {
    try TestFiles.withTemporaryFolder { folder in
      let source = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("interrupted-wipe"), to: source)
      for name in ["KEYFRAMES", "KEPT"] { try TestFiles.create(.pipe, "\(source)/\(name)") }
      let run = ToolRun("salvage", source, "-o", "\(folder)/copy")
      #expect(run.code == .done && run.output.contains("salvaged 22 events of journal "))
      #expect(
        run.output.contains("header  \(source)/KEYFRAMES  it is not a regular file, and no event is ever in it\n"))
      expectEqual(ToolRun("verify", "\(folder)/copy").code, .done)
      try TestFiles.create(.pipe, "\(source)/00000000000000000023.seg")
      expectEqual(ToolRun("salvage", source, "-o", "\(folder)/other").code, .partial, "a segment may have been there")
      expectEqual(TestFiles.shell("ln -s nowhere \(folder)/link"), 0)
      let link = ToolRun("salvage", source, "-o", "\(folder)/link")
      #expect(link.code == .wrongUse && link.output.isEmpty)
      expectEqual(
        link.notes,
        "pj salvage: --output \(folder)/link: this link leads nowhere; name a folder that does not "
          + "exist yet. Next: ls -ld \(folder)/link\n")
    }
  }

  @Test("What a salvaged journal lacks stays lost: another salvage of it, verify and stats say so")
  func lostBefore() throws {
    try salvage([Repository.journal("damaged-frame")]) { _, first, folder in
      let again = ToolRun("salvage", first, "-o", "\(folder)/second")
      expectEqual(again.code, .partial)
      let line = again.lines.first ?? ""
      #expect(line.hasPrefix("lost  event 12  \(first)/00000000000000000001.seg: bytes "))
      #expect(
        line.hasSuffix(": lost before this journal was salvaged; events without a payload keep the place"), "\(line)")
      #expect(again.output.contains("salvaged 18 of 19 events"))
      for copy in [first, "\(folder)/second"] {
        let verify = ToolRun("verify", copy)
        #expect(verify.code == .partial && verify.output.contains("event 12 was lost before this journal was salvaged"))
        #expect(
          verify.lines.last?.hasPrefix(
            "The bytes are sound, but they are 18 of 19 events: 1 was lost before this journal was salvaged; ") ?? false
        )
        let records = ToolRun("verify", copy, "-j")
        #expect(
          records.output.contains(#""lostEvents":[12,12]"#)
            && records.output.contains(#""sound":true,"events":18,"lost":1,"#))
        #expect(records.output.contains(#"{"kind":"lost","verdict":"lost","isDamage":false,"#))
        let stats = ToolRun("stats", copy)
        #expect(stats.code == .partial && stats.output.contains("event 12 was lost before this journal was salvaged"))
        #expect(
          stats.notes.contains("1 event lost before this journal was salvaged; the counts cover the other events"))
        #expect(ToolRun("stats", copy, "-j").output.contains(#""complete":false"#))
        expectEqual(ToolRun("stats", copy, "1..11").code, .done)
      }
    }
  }

  @Test("A salvaged journal and a copy of its original that lacks another event give the whole history")
  func laterCopy() throws {
    let original = Repository.journal("first-enrollment")
    try TestFiles.withTemporaryFolder { folder in
      for (name, lost) in [("a", UInt64(4)), ("b", 11)] {
        try TestFiles.copy(original, to: "\(folder)/\(name)")
        let reader = try JournalReader(path: "\(folder)/\(name)")
        var cursor = try reader.cursor()
        while let item = try cursor.next() {
          guard case .event(let event) = item, event.sequence == lost else { continue }
          let file = "\(folder)/\(name)/\(event.file)"
          var bytes = try TestFiles.read(file)
          bytes[Int(event.offset) + 20] ^= 8
          try TestFiles.write(bytes, to: file)
        }
        let run = ToolRun("salvage", "\(folder)/\(name)", "-o", "\(folder)/\(name).copy")
        #expect(run.code == .partial && run.output.contains("salvaged 19 of 20 events"))
      }
      for (number, inputs) in [["a.copy", "b"], ["b.copy", "a"], ["a.copy", "b.copy"]].enumerated() {
        let target = "\(folder)/whole\(number)"
        let run = ToolRun(["salvage"] + inputs.map { "\(folder)/\($0)" } + ["-o", target])
        #expect(run.code == .done && run.output.contains("salvaged 20 events of journal 29d02769-"), "\(run.output)")
        expectEqual(ToolRun("compare", original, target).code, .done)
        #expect(ToolRun("verify", target).output.contains("was salvaged into this journal"))
      }
    }
  }

  @Test("Without HEAD the end is unknown after the last event that is known, also when that event is lost")
  func unknownEndBehindLostEvents() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: journal)
      try TestFiles.removeFile("\(journal)/HEAD")
      let lost = try TestFiles.offset(ofEvent: 215, in: journal)
      for (name, start) in [("00000000000000000189.seg", lost), ("00000000000000000334.seg", 224)] {
        var bytes = try TestFiles.read("\(journal)/\(name)")
        for place in start..<bytes.count { bytes[place] = 0 }
        try TestFiles.write(bytes, to: "\(journal)/\(name)")
      }
      let run = ToolRun("salvage", journal, "-o", "\(folder)/copy")
      #expect(
        run.output.contains("lost    events 215–333") && run.output.contains("whether events followed 333 is unknown"))
      #expect(ToolRun("verify", "\(folder)/copy").output.contains("whether there were events after 333 was not known"))
    }
  }

  @Test("Where readers take a folder for a journal without an event, the one with events must be chosen")
  func otherJournalThanReaders() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("framework-history"), to: journal)
      for name in ["HEAD", "JOURNAL"] {
        try TestFiles.write(
          try TestFiles.read("\(Repository.journal("first-enrollment"))/\(name)"), to: "\(journal)/\(name)")
      }
      for name in ["00000000000000000076", "00000000000000000189", "00000000000000000334"] {
        try TestFiles.removeFile("\(journal)/\(name).seg")
      }
      let id = "879d2bbf-30be-93fe-94ca-9f90182fe408"
      #expect(ToolRun("verify", journal).output.contains("its header belongs to journal \(id)"))
      let refused = ToolRun("salvage", journal, "-o", "\(folder)/copy")
      #expect(refused.code == .wrongUse && refused.notes.contains("choose \(id) (75 events)"), "\(refused.notes)")
      let chosen = ToolRun("salvage", journal, "-o", "\(folder)/copy", "--journal", id)
      #expect(chosen.code == .partial && chosen.output.contains("salvaged 75 events of journal \(id)"))
    }
  }

  @Test("Without HEAD it is not known whether there were later events, and the code says so")
  func unknownEnd() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/journal"
      try TestFiles.copy(Repository.journal("first-enrollment"), to: journal)
      let head = try TestFiles.read("\(journal)/HEAD")
      try TestFiles.removeFile("\(journal)/HEAD")
      let run = ToolRun("salvage", journal, "-o", "\(folder)/copy")
      expectEqual(run.code, .partial)
      #expect(
        run.output.hasPrefix(
          "no end    no HEAD was found that says how far the journal reached: whether events followed 20 is unknown, and the "
            + "new journal records that\n"), "\(run.output)")
      let copy = "\(folder)/copy"
      let unknown = "whether there were events after 20 was not known when this journal was salvaged"
      for words in [["verify", copy], ["log", copy], ["log", copy, "19.."], ["stats", copy]] {
        let run = ToolRun(words)
        #expect(run.code == .partial && run.output.contains(unknown), "\(words): \(run.output)")
      }
      #expect(
        ToolRun("verify", copy).output.hasSuffix(
          "Sound: 20 events; closed in good order. Whether later events existed before it was salvaged is unknown.\n"
        ))
      let verify = ToolRun("verify", copy, "-j")
      #expect(verify.output.contains(#""lostEvents":null"#) && verify.output.contains(#""endKnown":false"#))
      let state = ToolRun("state", copy)
      #expect(
        state.code == .partial
          && state.notes.contains(
            ": an end that was unknown when this journal was salvaged; no event up to 20 is lost.")
      )
      expectEqual(ToolRun("compare", Repository.journal("first-enrollment"), copy).code, .partial)
      expectEqual(ToolRun("state", copy, "--at", "2030-01").code, .partial, "what was then may be behind the end")
      for words in [
        ["state", copy, "--at", "19"], ["log", copy, "..19"], ["show", copy, "20"], ["stats", copy, "1..20"],
      ] {
        expectEqual(ToolRun(words).code, .done, "\(words)")
      }
      #expect(ToolRun("verify", copy).output.contains("nothing that was salvaged said how far the original journal"))
      let second = ToolRun("salvage", copy, "-o", "\(folder)/second")
      #expect(
        second.output.contains("no end    an earlier salvage wrote this journal without knowing"), "\(second.output)")
      let again = ToolRun("salvage", copy, "-o", "\(folder)/again", "-j")
      #expect(again.code == .partial && again.output.contains(#""endKnown":false"#))
      let records = ToolRun("salvage", journal, "-o", "\(folder)/other", "-j")
      #expect(records.output.contains(#""endKnown":false"#) && records.output.contains(#""complete":false,"exit":3"#))
      try TestFiles.write(head, to: "\(folder)/HEAD")
      let known = ToolRun("salvage", journal, "\(folder)/HEAD", "-o", "\(folder)/third", "-j")
      #expect(known.code == .done && known.output.contains(#""endKnown":true"#))
      expectEqual(ToolRun("verify", "\(folder)/third").code, .done)
    }
  }

  @Test("Events that were lost before the first one that was found stay lost, whatever is asked")
  func lostBeginning() throws {
    try TestFiles.withTemporaryFolder { folder in
      let (journal, copy) = ("\(folder)/journal", "\(folder)/copy")
      try TestFiles.copy(Repository.journal("framework-history"), to: journal)
      let segments = try JournalReader(path: journal).segments
      let first = segments[1].firstSequence
      try TestFiles.removeFile("\(journal)/\(segments[0].file)")
      expectEqual(ToolRun("salvage", journal, "-o", copy).code, .partial)
      let lost = "events 1–\(first - 1) were lost before this journal was salvaged"
      let verify = ToolRun("verify", copy)
      #expect(verify.code == .partial && verify.output.contains(lost))
      #expect(verify.output.contains("the journal begins after them, and no checkpoint tells the state there"))
      let held = try JournalReader(path: copy).durableSequence - first + 1
      #expect(ToolRun("verify", copy, "-j").output.contains(#""events":\#(held),"lost":\#(first - 1),"#))
      let stats = ToolRun("stats", copy, "-j")
      #expect(stats.code == .partial && stats.output.contains(#""complete":false"#) && stats.output.contains(lost))
      let gone = "event 3 is lost: the first one left is \(first)"
      let noStart = "the journal begins with event \(first), and no usable checkpoint holds the state before it"
      for (words, reason) in [
        (["diff", copy], noStart), (["state", copy, "--at", "start"], noStart), (["show", copy, "3"], gone),
        (["state", copy, "--at", "3"], gone), (["log", copy, "3.."], gone), (["diff", copy, "3", "end"], gone),
        (["stats", copy, "3..5"], gone), (["check", copy], noStart),
        (["log", copy], "\(first - 1) events lost before this journal was salvaged; what is shown is sound"),
        (["show", copy, "2001-01"], "the state at that time is "),
      ] {
        let run = ToolRun(words)
        #expect(run.code == .partial && run.notes.contains(reason), "\(words): \(run.notes)")
      }
    }
  }

  @Test("As JSON Lines every file, every loss and the new journal's identity are told")
  func json() throws {
    try salvage([Repository.journal("damaged-frame"), "-j"]) { run, _, _ in
      #expect(run.code == .partial && !run.records.contains(nil))
      let kinds = run.lines.compactMap { $0.split(separator: "\"").dropFirst(3).first }
      #expect(kinds.first == "start" && kinds.last == "end" && kinds.count { $0 == "lost" } == 1)
      #expect(run.output.contains(#""events":[12,12]"#) && run.output.contains(#""certainty":"certain""#))
      #expect(run.output.contains(#""source":"\#(Self.id)""#) && run.output.contains(#""salvaged":18,"lost":1"#))
    }
  }

  @Test("Several journals ask for a choice, and the choice is taken")
  func choice() throws {
    let journals = [Repository.journal("damaged-frame"), Repository.journal("first-enrollment")]
    try salvage(journals) { run, _, _ in
      #expect(run.code == .wrongUse && run.output.isEmpty)
      #expect(
        run.notes == """
          pj salvage: events of 2 journals were found; choose one of 29d02769-0ef7-12c1-019a-b6cdcdd2b28c (20 events), \
          \(Self.id) (18 events). Next: pj help salvage

          """)
    }
    try salvage(journals + ["--journal", Self.id]) { run, _, _ in
      #expect(run.code == .partial && run.output.contains("salvaged 18 of 19 events of journal \(Self.id)"))
      #expect(run.output.contains("20 events of another journal"))
    }
  }

  @Test("A single journal's folder needs no choice, and events of another journal in it are named and left out")
  func otherInFolder() throws {
    let wipe = Repository.journal("interrupted-wipe")
    let other = try JournalReader(path: wipe).identity.id
    let foreign = try TestFiles.read("\(wipe)/00000000000000000001.seg")
    let start = try TestFiles.offset(ofEvent: 1, in: wipe)
    let end = try TestFiles.offset(ofEvent: 3, in: wipe)
    for isStart in [false, true] {
      try TestFiles.withTemporaryFolder { folder in
        let path = "\(folder)/journal"
        try TestFiles.copy(Repository.journal("framework-history"), to: path)
        let name = "\(path)/00000000000000000\(isStart ? "334" : "379").seg"
        try TestFiles.write(
          isStart ? Array(foreign[..<end] + (try TestFiles.read(name))[end...]) : foreign, to: name)
        let run = ToolRun("salvage", path, "-o", "\(folder)/copy")
        #expect(run.code == .partial && run.notes == "", "\(run.notes)")
        #expect(
          run.lines.contains {
            $0.hasPrefix("left out") && $0.contains("\(name), byte \(start.grouped): ")
              && $0.hasSuffix("they belong to another journal; --journal \(other) takes them")
          }, "\(run.output)")
        let salvaged = try JournalReader(path: "\(folder)/copy")
        expectEqual(salvaged.identity.parent?.id, try JournalReader(path: path).identity.id)
        expectEqual(salvaged.durableSequence, 378)
        let json = ToolRun("salvage", path, "-o", "\(folder)/json", "-j")
        #expect(json.output.contains("\"reason\":\"otherJournal\",\"journal\":\"\(other)\""))
        // Who asks for one of them gets that one.
        let asked = ToolRun("salvage", path, "-o", "\(folder)/other", "--journal", "\(other)")
        #expect(asked.output.contains("of journal \(other) into") && !asked.output.contains("left out"))
        // Two folders are not one journal.
        let both = ToolRun("salvage", path, wipe, "-o", "\(folder)/both")
        #expect(both.code == .wrongUse && both.notes.contains("events of 2 journals were found"))
      }
    }
  }

  @Test("Wrong use and files without events end with the reason and the next command")
  func failures() throws {
    let journal = Repository.journal("first-enrollment")
    try salvage([journal, "--journal", "7"]) { run, _, _ in
      #expect(run.code == .wrongUse && run.notes.contains("--journal 7: an id has 32 hexadecimal digits"))
    }
    try salvage(["/nowhere"]) { run, _, _ in
      #expect(
        run.code == .unreadable && run.notes.hasPrefix("pj salvage: /nowhere: there is no such file or directory"))
    }
    try salvage([]) { run, _, _ in #expect(run.code == .wrongUse) }
    #expect(ToolRun("salvage", journal).notes.hasPrefix("pj salvage: --output is missing"))
    #expect(ToolRun("salvage", journal, "-o", journal).notes.contains("this is one of the files to salvage from"))
    try salvage([journal]) { _, target, folder in
      let again = ToolRun("salvage", journal, "-o", target)
      #expect(again.code == .wrongUse && again.notes.contains("the directory is not empty"))
      try TestFiles.write([1, 2, 3], to: "\(folder)/noise")
      let nothing = ToolRun("salvage", "\(folder)/noise", "-o", "\(folder)/other")
      #expect(nothing.code == .unreadable && nothing.notes.contains("no event that can be read was found"))
    }
  }

  @Test("A journal is never written into what it is salvaged from, however that is spelled")
  func intoInput() throws {
    try TestFiles.withTemporaryFolder { folder in
      let journal = "\(folder)/field"
      try TestFiles.copy(Repository.journal("first-enrollment"), to: journal)
      let before = try TestFiles.names(in: journal)
      for target in [
        "\(journal)/sub", "\(folder)/../\(folder.split(separator: "/").last ?? "")/field/a/b", "\(journal)/.",
      ] {
        let run = ToolRun("salvage", journal, "-o", target)
        #expect(
          run.code == .wrongUse && run.notes.contains("it lies inside a directory that is salvaged from"), "\(target)")
      }
      try expectEqual(TestFiles.names(in: journal), before)
      expectEqual(ToolRun("salvage", journal, "-o", "\(journal)/../beside").code, .done)
    }
  }

  @Test("A file that cannot be written is named with its folder")
  func unwritable() throws {
    try TestFiles.withTemporaryFolder { folder in
      try TestFiles.write([1], to: "\(folder)/file")
      let run = ToolRun("salvage", Repository.journal("first-enrollment"), "-o", "\(folder)/file/copy")
      #expect(run.code == .unreadable && run.notes.contains("\(folder)/file/copy"))
    }
  }

  @Test("An id that is none is refused before anything is read")
  func wrongID() {
    let run = ToolRun("salvage", "no such input", "-o", "no such output", "--journal", "12")
    #expect(run.code == .wrongUse && run.notes.contains("--journal 12: an id has 32 hexadecimal digits"))
  }
}
