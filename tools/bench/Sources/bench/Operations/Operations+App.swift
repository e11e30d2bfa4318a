extension Operations {
  /// The sample app, started as its users start it. In its journal, an account was enrolled with a policy.
  func app() -> [Operation] {
    let program = Platform.folderOfProgram + "/sample-notes"
    return [
      Operation("app-start", "sample-notes: start, launch, list accounts, end", .time, limit: 0.05).with(.store) {
        try withPhone(program) { words in
          try Sample.timing(1) { _ = try Platform.run(program, words + ["accounts"]) }
        }
      },
      Operation("app-memory", "sample-notes: the same but its end, most resident memory in MiB", .number).with(.store) {
        try withPhone(program) { words in
          Sample.count(Double(try Platform.peakMemory(of: program, words, telling: "accounts")) / 1_048_576)
        }
      },
      Operation("app-size", "sample-notes: program as linked, in MiB", .number).with(.store) {
        Sample.count(Double(try Platform.contents(of: program).count) / 1_048_576)
      },
    ]
  }

  /// Passes the words to `body` that lead to a phone on which an account is managed.
  private func withPhone(_ program: String, _ body: ([String]) throws -> Sample) throws -> Sample {
    try fixtures.withFreshPath { path in
      defer { Platform.remove(path) }
      let words = ["--phone", path, "--service", "Sources/SampleNotes/Company"]
      for command in [["sign-in", "alice@contoso.com"], ["accounts"]] {
        let code = try Platform.run(program, words + command)
        guard code == 0 else { throw Failure("sample-notes \(command.joined(separator: " ")) ended with \(code)") }
      }
      return try body(words)
    }
  }
}
