import AppProtection

extension LaunchRule {
  private static let pastTense = [
    "is": "was", "are": "were", "has": "had", "asks": "asked", "allows": "allowed", "accepts": "accepted",
    "needs": "needed", "says": "said", "cannot": "could not",
  ]

  /// Its statement about a time that is over.
  var pastStatement: String {
    statement.split(separator: " ").map { word in
      let verb = word.prefix { $0.isLetter }
      return (Self.pastTense[String(verb)] ?? String(verb)) + word.dropFirst(verb.count)
    }.joined(separator: " ")
  }
}
