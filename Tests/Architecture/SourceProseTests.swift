import Testing

/// Comments and sentences in the sources are read as pages are: words for which there are better ones stay out of them.
@Suite("The prose of the sources")
struct SourceProseTests {
  /// Words that say less than others, and what says it better.
  private static let avoided: [(words: String, instead: String)] = [
    ("anew", "again"), ("parted", "separated"), ("behind", "after"), ("told", "notified, reported, determined"),
    ("tells of", "reports"), ("whoever", "the reader, the caller, the app, the user"),
    ("nobody", "no caller, no user"), ("nobody's", "no account's"), ("somebody", "a caller, a user"),
    ("anybody", "any caller, any app"),
  ]

  /// Where such a word is right, and why.
  private static let exceptions: [(phrase: String, reason: String)] = [
    ("later versions add columns behind", "a published schema"),
    ("anybody may ask a file provider", "a rule's reason"), ("nothing behind", "an idiom"), ("left behind", "an idiom"),
    ("stay behind", "an idiom"),
    ("lag behind", "an idiom"),
    ("too far behind", "an idiom"), ("behind a reference", "where a value is kept"),
    ("behind one reference", "where a value is kept"), ("remediation told", "an event's name"),
    // Journals carry these sentences in their catalogues, which may not change.
    ("parted by semicolons", "a field's meaning"), ("is registered anew", "an event's meaning"),
    ("recheck period begins anew", "a field's meaning"), ("nobody looked", "a field's meaning"),
    ("explicitly nobody's", "a field's meaning"), ("fact that nobody reported", "a field's meaning"),
    ("is told apart from another partner", "a field's meaning"), ("callback tells of 220", "a field's meaning"),
    ("could not be told and still counts", "a field's meaning"), ("service cannot be told", "an event's remedy"),
    ("app is still to be told", "a field's meaning"), ("when it was told with the event", "a field's meaning"),
    ("the app was told how the account's remediation ended", "an event's meaning"),
    ("in silence before the app is told", "a field's meaning"), ("service is to be told", "an event's meaning"),
    ("service could not be told that", "an event's meaning"),
    ("service is told that the account leaves", "a field's meaning"),
  ]

  @Test("No comment and no sentence has a word for which there is a better one")
  func words() throws {
    var used: Set<String> = []
    let sources = try SwiftSource.all(below: "Sources").filter { $0.module != "pj" }
    #expect(sources.count > 1_000)
    for source in sources {
      for passage in source.prose {
        for found in Self.avoided(in: passage, &used) { Issue.record("\(source.path):\(passage.line): \(found)") }
      }
    }
    let idle = Self.exceptions.map(\.phrase).filter { !used.contains($0) }
    #expect(idle == [], "these exceptions are no longer needed")
  }

  /// The avoided words of a passage, and what to write. Adds the exceptions that it needs.
  private static func avoided(in passage: SwiftSource.Passage, _ used: inout Set<String>) -> [String] {
    let words = words(of: passage.text)
    // A text of one word is a name or a value.
    guard passage.isComment || words.count > 1 else { return [] }
    return avoided.flatMap { word, instead in
      places(of: Self.words(of: word), in: words).compactMap { place -> String? in
        let exception = exceptions.first { exception in
          let phrase = Self.words(of: exception.phrase)
          return places(of: phrase, in: words).contains { $0 <= place && place < $0 + phrase.count }
        }
        if let exception { used.insert(exception.phrase) }
        let context = words[max(0, place - 5)...place].joined(separator: " ")
        return exception == nil ? "“\(context)”: write \(instead)" : nil
      }
    }
  }

  /// The words in lower case, without code.
  private static func words(of text: String) -> [Substring] {
    let prose = text.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 0 }
      .map(\.element).joined(separator: " ")
    return prose.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }
  }

  private static func places(of phrase: [Substring], in words: [Substring]) -> [Int] {
    guard let first = phrase.first, words.count >= phrase.count else { return [] }
    return (0...(words.count - phrase.count)).filter {
      words[$0] == first && words[$0..<($0 + phrase.count)].elementsEqual(phrase)
    }
  }

  @Test(
    "A word is found in comments, over their lines, and in texts, but not in code, names and exceptions",
    arguments: [
      ("// It tells\n// of a loss.", 1), ("/// It leaves nothing\n/// behind.", 0), ("let told = 1", 0),
      ("/// The `told` one.", 0), ("let a = \"it was told \\(told) begins anew\"", 2), ("let b = \"nobody\"", 0),
      ("let c = 1  // Nobody reads it.", 1), ("let d = \"\"\"\n  the account\n  behind it\n  \"\"\"", 1),
    ])
  func reading(text: String, count: Int) {
    var used: Set<String> = []
    let source = SwiftSource(path: "Sources/A/B.swift", bytes: Array(text.utf8))
    #expect(source.prose.flatMap { Self.avoided(in: $0, &used) }.count == count)
  }
}
