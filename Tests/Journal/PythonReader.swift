import Foundation
import Testing

@testable import Journal

/// What a reader says of a journal's files: its findings, without their words, and the events with their chain values.
struct PlainReading: Equatable {
  var findings: [String]
  var events: [String]

  /// As this module reads them.
  init(_ files: [String: [UInt8]]) throws {
    let reader = try JournalReader(path: "j", fileSystem: MemoryFileSystem(files))
    findings = try (reader.verify().findings + reader.lostEvents()).map { finding in
      let lost = finding.lostEvents.map { "[\($0.lowerBound),\($0.upperBound)]" } ?? "null"
      return #"{"kind":"finding","verdict":"\#(finding.verdict.name)","isDamage":\#(finding.isDamage),"#
        + #""file":"\#(finding.file)","from":\#(finding.byteRange.lowerBound),"to":\#(finding.byteRange.upperBound),"#
        + #""lostEvents":\#(lost)"#
    }.sorted()
    events = []
    var cursor = try reader.cursor(beyondDamage: true)
    while let item = try cursor.next() {
      if case .event(let event) = item, !event.payload.isEmpty {
        let digits = String(event.chain, radix: 16)
        events.append("\(event.sequence) \(String(repeating: "0", count: 8 - digits.count) + digits)")
      }
    }
  }

  /// As `tools/read_journal.py` reads them, which knows only the page.
  init(byPython files: [String: [UInt8]]) throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    let output = try withTemporaryDirectory { output in
      try withTemporaryDirectory { path in
        for (name, bytes) in files {
          try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name.dropFirst("j/".count)))
        }
        _ = system("python3 -B \(root)/tools/read_journal.py \(path) > \(output)/out 2> \(output)/err")
      }
      #expect(try Data(contentsOf: URL(fileURLWithPath: output + "/err")).isEmpty)
      return String(decoding: try Data(contentsOf: URL(fileURLWithPath: output + "/out")), as: UTF8.self)
    }
    (findings, events) = ([], [])
    for line in output.split(separator: "\n") {
      if line.hasPrefix(#"{"kind":"finding""#) {
        findings.append(String(line.split(separator: #","cause":"#)[0]))
      } else if line.hasPrefix(#"{"kind":"event","seq":"#) {
        let sequence = line.dropFirst(#"{"kind":"event","seq":"#.count).prefix { $0 != "," }
        let chain = try #require(line.split(separator: #""chain":""#).dropFirst().first).prefix(8)
        events.append("\(sequence) \(chain)")
      }
    }
    findings.sort()
  }
}
