import CommandSupport

/// What the users of a domain complain about, for a domain that knows: `diagnose` begins with what they say.
package protocol ComplaintBook: Sendable {
  /// The words for the complaints.
  var words: [String] { get }

  /// What `-j` writes of them.
  var records: [any JSONRecordKind] { get }

  /// The names of the families whose problems lead to a complaint.
  func families(of word: String) -> [String]

  /// What the user, administrator and developer each do about a problem; empty where the problem's own step says all.
  func steps(after problem: FoundProblem) -> [(actor: String, step: String)]

  /// Asks the rules what the user of a complaint meets, from an event on, up to another one; `nil` for an unknown word.
  func ask(
    _ word: String, of journal: JournalInput, from lower: UInt64, upTo last: UInt64
  ) throws(Failure) -> (any ComplaintAnswer)?
}

/// What the rules answered to the questions of a complaint.
package protocol ComplaintAnswer {
  /// Whether an answer became a reason to complain.
  var isFounded: Bool { get }
  /// Whether the answer at the end became one, and stays.
  var isFoundedNow: Bool { get }

  /// The complaint, and what it means.
  var complaint: (word: String, meaning: String) { get }
  /// The answers, a sentence each, and whether one became a reason to complain.
  var answers: [(isReason: Bool, words: String)] { get }

  /// Writes the records.
  func add(to lines: JSONLines)
  /// Prints the text.
  func print(_ context: CommandContext)
}
