import AppProtection
import Expectations
import PlainText
import Testing

@testable import PolicyDocuments

/// The forms in which people have lines of a log. The lines are made up.
@Suite("Forms of the SDK's log")
struct FieldLogFormTests {
  private static let sentence =
    "CMAROperationScheduler: Enrollment failed for CMARScrubbedOID:aa11 with status code 201 and error code 0"

  private static func log(_ text: String, file: String = "x") -> FieldLog {
    var log = FieldLog(mostNamed: 100)
    log.read([FieldLog.File(file, Array(text.utf8))])
    return log
  }

  private static func expectOne(_ text: String, at time: Int64?, process: String = "", _ comment: Comment? = nil) {
    let log = log(text)
    #expect(
      log.facts.map(\.content) == [.answer(.enrollment, .internalError, error: "error code 0")],
      comment ?? "\(text): \(log.facts) \(log.skipped)")
    #expect(log.facts.first?.account == "aa11", comment ?? "\(text)")
    #expect(log.facts.first?.time == time, "\(text): \(log.facts)")
    #expect(log.facts.first?.process == process, "\(text)")
  }

  /// 2024-03-21T08:59:45.429Z.
  private static let time: Int64 = 1_711_011_585_429_000_000

  @Test("Tabs and any run of spaces part the fields, in release and debug builds")
  func fields() {
    let s = Self.sentence
    for fields in [
      "2024-03-21T08:59:45.429Z\tERRO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: \(s)",
      "2024-03-21T08:59:45.429Z        ERRO            com.contoso.app 0                        IntuneMAM: \(s)",
      "2024-03-21T08:59:45.429Z ERRO com.contoso.app 0 IntuneMAM: \(s)",
    ] { Self.expectOne(fields + "\n\n", at: Self.time, process: "com.contoso.app") }
    Self.expectOne(
      "2024-03-21T08:59:45.429Z   ERRO   tid=1   id=(nil),ui=(nil),io=(nil)   IntuneMAM: \(s)\n\n", at: Self.time)
  }

  @Test("Xcode's console, the unified log in each style, and mirrored lines are known by their beginnings")
  func prefixes() {
    let s = Self.sentence
    let micro = Self.time + 123_000
    for (line, time, process) in [
      ("2024-03-21 08:59:45.429123+0000 App[123:456] IntuneMAM: \(s)", micro, "App[123]"),
      ("2024-03-21 08:59:45.429123+0000 App[123:456] [mam] IntuneMAM: \(s)", micro, "App[123]"),
      (
        "2024-03-21 08:59:45.429123+0000 0x1a2b     Default     0x0                  123    0    App: (IntuneMAMSwift) "
          + "[com.contoso:mam] IntuneMAM: \(s)", micro, "App[123]"
      ),
      (
        "2024-03-21 09:59:45.429123+0100  localhost App[123]: (IntuneMAMSwift) [com.contoso:mam] IntuneMAM: \(s)",
        micro, "App[123]"
      ),
      ("2024-03-21 08:59:45.429 Df App[123:456] [com.contoso:mam] IntuneMAM: \(s)", Self.time, "App[123]"),
      ("[2024-03-21 08:59:45.429 +0000] IntuneMAM: \(s)", Self.time, ""),
      ("2024-03-21 09:59:45.429+01 IntuneMAM: \(s)", Self.time, ""),
      ("- 2024-03-21T08:59:45.429Z\\tERRO\\tcom.contoso.app\\t0\\t IntuneMAM: \(s)", Self.time, ""),
      ("2024-03-21T08:59:45.429Z\\tERRO\\t IntuneMAM: \(s)", Self.time, ""),
      ("OSLOG-7C3A0B5E-0000-0000-0000-000000000000 5 80 L 30 {t:1711011585.429123}\tIntuneMAM: \(s)", micro, ""),
      ("2024-03-21 08:59:45.429123+0000 App[123:456] (IntuneMAMSwift) [com.contoso:mam] \(s)", micro, "App[123]"),
      (
        "IntuneMAMDiagnostics.txt:12:2024-03-21T08:59:45.429123Z ERRO com.contoso.app 0 IntuneMAM: \(s)", micro,
        "com.contoso.app"
      ),
      ("\"2024-03-21T08:59:45.429Z\",\"ERRO\",\"com.contoso.app\",\"IntuneMAM: \(s)\"", Self.time, ""),
      ("OSLog-7C3A0B5E 2024-03-21 08:59:45.429123+0000 App[123:456] IntuneMAM: \(s)", micro, "App[123]"),
    ] { Self.expectOne(line + "\n\n", at: time, process: process) }
    // Without a zone the time is taken to be UTC, and that is said.
    let local = Self.log("2024-03-21 08:59:45.429 Df App[123:456] IntuneMAM: \(s)\n\n")
    #expect(local.facts.first?.inferred == [.timeZone])
  }

  @Test("Xcode may write the time below a line")
  func below() {
    Self.expectOne(
      "IntuneMAM: \(Self.sentence)\nType: Error | Timestamp: 2024-03-21 08:59:45.429000+00:00 | Library: IntuneMAMSwift\n\n",
      at: Self.time)
  }

  /// A line of a log that says no year.
  private static func undated(_ time: String) -> String {
    "\(time) iPhone App[123] <Notice>: IntuneMAM: \(sentence)\n"
  }

  /// A line that says the year, and nothing else that counts.
  private static func dated(_ day: String) -> String {
    "\(day)T08:00:00Z\tINFO\t\tcom.contoso.app\t0\t IntuneMAM: Keychain keys found: 1\n"
  }

  /// Days of facts, as `2024-03-21`, each with how its year is known.
  private static func days(_ log: FieldLog) -> [String] {
    log.facts.map { fact in
      let year = fact.inferred.filter { $0 != .timeZone }.map(\.rawValue).joined()
      return "\(fact.time.map { CivilTime(nanoseconds: $0).text.prefix(10) } ?? "none") \(year)"
    }
  }

  @Test("A line without a year has that of the nearest line that says one, before it or after it")
  func syslog() {
    for (text, days) in [
      (Self.dated("2023-05-20") + Self.undated("May 21 08:59:45"), ["2023-05-21 year"]),
      (Self.undated("May 21 08:59:45") + Self.dated("2023-05-22"), ["2023-05-21 year"]),
      (
        Self.undated("Nov 30 08:59:45") + Self.undated("Jan  2 08:59:45") + Self.dated("2023-01-03"),
        ["2022-11-30 year", "2023-01-02 year"]
      ),
      // However long before, it is the last such day.
      (Self.undated("Feb  2 08:59:45") + Self.dated("2023-12-03"), ["2023-02-02 year"]),
      // Lines of two processes may stand in each other's place.
      (Self.undated("Jan  3 08:00:01") + Self.dated("2023-01-03"), ["2023-01-03 year"]),
      (Self.undated("Feb 29 08:59:45") + Self.dated("2024-03-03"), ["2024-02-29 year"]),
    ] { expectEqual(Self.days(Self.log(text + "\n")), days, "\(text)") }
  }

  @Test("Where no line says a year, another file does, or the caller")
  func yearFromElsewhere() {
    func days(_ texts: [String], year: Int? = nil) -> [String] {
      var log = FieldLog(year: year)
      log.read(texts.enumerated().map { FieldLog.File("x\($0)", Array($1.utf8)) })
      return Self.days(log)
    }
    let line = Self.undated("Dec 30 08:59:45")
    for files in [[line, Self.dated("2025-01-04")], [Self.dated("2025-01-04"), line]] {
      expectEqual(days(files), ["2024-12-30 year"])
    }
    let information = #"{"DataStore":{"x":{"OfflineGracePeriod-SuccessTimestamp":"757382400"}}}"#
    expectEqual(days([line, information]), ["none ", "2025-01-01 unchangedPolicy", "2024-12-30 year"])
    expectEqual(days([line + Self.undated("Jan  1 00:00:00")], year: 2019), ["2019-12-30 year", "2020-01-01 year"])
    // What a log says itself counts more.
    expectEqual(days([Self.dated("2025-12-01") + line], year: 2019), ["2025-12-30 year"])
  }

  @Test("Where nothing says the year, day and clock are kept, and the year is marked as unknown")
  func unknownYear() {
    let log = Self.log(
      Self.undated("Feb 29 08:59:45") + Self.undated("Dec 30 08:59:45") + Self.undated("Jan  1 09:00:00") + "\n")
    expectEqual(Self.days(log), ["1972-02-29 unknownYear", "1972-12-30 unknownYear", "1973-01-01 unknownYear"])
    let journal = FieldLogJournal(log)
    let marks = journal.envelopes.compactMap { envelope in
      envelope.attributes?.metadata.first { $0.key == FieldLog.Inference.unknownYear.key }
    }
    expectEqual(marks.count, 3)
  }

  @Test("A time that no log can have is called that, and an empty file is")
  func flaws() {
    for (text, reason) in [
      ("1969-12-31T23:59:59Z", "the time is before 1970 or after April 2262"),
      ("2263-01-01 00:00:00.000", "the time is before 1970 or after April 2262"),
      ("2024-04-31T08:00:00Z", "the time does not exist"), ("2024-04-30T25:00:00Z", "the time does not exist"),
    ] {
      let log = Self.log("\(text)\tERRO\t\tcom.contoso.app\t0\t IntuneMAM: \(Self.sentence)\n\n")
      expectEqual(log.skipped.map(\.reason), [reason], "\(text)")
    }
    for text in ["", " \r\n\t\n"] { expectEqual(Self.log(text).skipped.map(\.reason), ["the file is empty"]) }
  }

  @Test("January after December is in the next year, and so is what follows it")
  func turnOfTheYear() {
    let line = "08:59:45 iPhone App[123] <Notice>: IntuneMAM: \(Self.sentence)\n\n"
    let log = Self.log(
      "2024-12-31T08:00:00Z\tINFO\t\tcom.contoso.app\t0\t IntuneMAM: Keychain keys found: 1\nJan  1 \(line)Feb 21 \(line)"
    )
    expectEqual(log.facts.map(\.time), [1_735_721_985_000_000_000, 1_740_128_385_000_000_000])
  }

  @Test("The unified log as JSON, whole and one object a line, and pretty-printed")
  func json() {
    let entry =
      #"{"timestamp":"2024-03-21 08:59:45.429123+0000","processImagePath":"/private/var/App.app/App","processID":123,"#
      + #""eventMessage":"IntuneMAM: \#(Self.sentence)"}"#
    let other = #"{"timestamp":"2024-03-21 08:59:46.000000+0000","eventMessage":"hello"}"#
    for text in [
      entry, "[\(entry),\(other)]", "\(entry)\n\(other)\n", "[\(entry),\n\(other)\n]",
      "[{\n" + entry.dropFirst().dropLast().replacing(",\"", with: ",\n\"") + "\n}]\n",
    ] { Self.expectOne(text, at: Self.time + 123_000, process: "App[123]") }
  }

  @Test("Quotation marks of mail, colours, carriage returns, byte order marks and marks of code are taken off")
  func wrapping() {
    let line = "2024-03-21T08:59:45.429Z\tERRO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: \(Self.sentence)"
    for text in [
      "> \(line)\n", ">> \(line)\n", "> > \(line)\r\n", "| \(line)\n", "  \(line)  \n", "`\(line)`\n",
      "```\n\(line)\n```\n",
      "\u{1B}[31m\(line)\u{1B}[0m\n", "\u{FEFF}\(line)\r\n", "\n\n\u{FEFF}\(line)\n",
      line.replacing("\t", with: "\u{A0}") + "\n",
    ] { Self.expectOne(text + "\n", at: Self.time, process: "com.contoso.app") }
    var utf16: [UInt8] = []
    for unit in (line + "\n\n").utf16 { utf16 += [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)] }
    for bytes in [utf16, [0xFF, 0xFE] + utf16] {
      var log = FieldLog()
      log.read([FieldLog.File("x", bytes)])
      #expect(log.facts.count == 1, "\(log.skipped)")
    }
  }

  @Test("Wrapped lines are put together again, at each width of mail", arguments: 66...80)
  func wrapped(width: Int) {
    let hash = String(repeating: "0123456789abcdef", count: 8)
    let line =
      "2024-03-21T08:59:45.429Z ERRO com.contoso.app 0 IntuneMAM: CMAROperationScheduler: Enrollment failed for "
      + "CMARScrubbedOID:\(hash) with status code 201 and error code 0"
    var lines = [""]
    for word in line.split(separator: " ") {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = String(word)
      } else if lines[lines.count - 1].count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    for mark in ["", "> "] {
      let log = Self.log(lines.map { mark + $0 }.joined(separator: "\n") + "\n-- \nbest regards\n")
      #expect(log.facts.map(\.content) == [.answer(.enrollment, .internalError, error: "error code 0")], "\(lines)")
      #expect(log.facts.first?.account == hash && log.facts.first?.place.part == ":1")
    }
  }

  @Test("Lines that a terminal broke within words are put together again", arguments: [80, 100, 120])
  func hardWrapped(width: Int) {
    let line =
      "2024-03-21T08:59:45.429Z ERRO com.contoso.app 0 IntuneMAM: CMAROperationScheduler: Enrollment failed for "
      + "CMARScrubbedOID:0123456789abcdef0123456789abcdef with status code 201 and error code 0"
    var (text, rest) = ("", line[...])
    while !rest.isEmpty {
      text += rest.prefix(width) + "\n"
      rest = rest.dropFirst(width)
    }
    let log = Self.log(text + "\n")
    #expect(log.facts.map(\.content) == [.answer(.enrollment, .internalError, error: "error code 0")], "\(text)")
    #expect(log.facts.first?.account == "0123456789abcdef0123456789abcdef")
  }

  @Test("A line that was broken before its text, and one that a soft break of mail parts, go on")
  func broken() {
    let words = Self.sentence
    Self.expectOne(
      "> 2024-03-21T08:59:45.429Z ERRO com.contoso.app 0\n> IntuneMAM: \(words)\n> …\n", at: Self.time,
      process: "com.contoso.app")
    let line = "2024-03-21T08:59:45.429Z ERRO com.contoso.app 0 IntuneMAM: \(words)"
    Self.expectOne(line.prefix(75) + "=\n" + line.dropFirst(75) + "\n\n", at: Self.time, process: "com.contoso.app")
  }

  @Test("What follows a line and does not belong to it takes nothing of it, and is counted")
  func rest() {
    let line = "2024-03-21T08:59:45.429Z\tERRO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: \(Self.sentence)"
    let log = Self.log(
      "hello\n\(line)\n-- log rotated --\n\(line.replacing("08:59", with: "09:59"))\n{ \"unclosed\": [\n\(line.replacing("08:59", with: "10:59"))\nend\n"
    )
    #expect(log.facts.count == 3, "\(log.skipped)")
    #expect(log.skippedCounts["the line does not begin with a time"] == 3, "\(log.skippedCounts)")
    #expect(log.skippedCounts["the block is cut short"] == 1)
  }

  @Test("Lines of several processes are in the order of time, and each event says which it is from")
  func processes() {
    func line(_ second: Int, _ process: String, _ code: Int) -> String {
      "2024-03-21 08:59:\(second).000000+0000 \(process) IntuneMAM: check-in failed for CMARScrubbedOID:a\(process.count) with status code \(code)\n"
    }
    let journal = FieldLogJournal(
      Self.log(line(30, "App[1:2]", 212) + line(10, "Share[3:4]", 216) + line(20, "App[1:2]", 214) + "\n"))
    let answers = journal.envelopes.filter { $0.type == AppProtectionEvent.checkInFailed(.blank).type }
    let processes = answers.map { $0.attributes?.metadata.first { $0.key == "process" }?.value }
    #expect(processes == ["Share[3]", "App[1]", "App[1]"])
    let one = FieldLogJournal(Self.log(line(30, "App[1:2]", 212) + "\n"))
    #expect(!one.envelopes.contains { $0.attributes?.metadata.contains { $0.key == "process" } ?? false })
  }

  @Test("Without a time in any line, the lines keep their order")
  func untimed() {
    let log = Self.log(
      "IntuneMAM: Enrollment failed with status code 203\nIntuneMAM: Enrollment failed with status code 225\n\n")
    #expect(log.facts.map(\.time) == [nil, nil])
    let journal = FieldLogJournal(log)
    #expect(journal.envelopes.count { $0.type == AppProtectionEvent.enrollmentFailed(.blank).type } == 2)
  }

  @Test("Many lines that begin as a known sentence and go on as none are each read once, and counted")
  func length() {
    let line =
      "2024-03-21T08:59:45.429Z\tERRO\t\tcom.contoso.app\t0\t\t\t IntuneMAM: Enrollment enrollment enrollment status of \n"
    let log = Self.log(String(repeating: line, count: 2_000))
    #expect(log.facts.isEmpty)
    #expect(log.skippedCounts.values.reduce(0, +) == 2_000, "\(log.skippedCounts)")
    #expect(FieldLogJournal(log).envelopes.isEmpty)
  }
}
