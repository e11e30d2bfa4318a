import Expectations
import PlainText
import Testing

@Suite("Nearest names")
struct EditDistanceTests {
  @Test(
    "One insertion, deletion, replacement or swap of neighbours is one edit",
    arguments: [
      ("", "", 0), ("abc", "abc", 0), ("", "abc", 3), ("abc", "", 3), ("abc", "ab", 1), ("abc", "abcd", 1),
      ("abc", "abd", 1), ("abc", "acb", 1), ("log", "lgo", 1), ("abcd", "badc", 2), ("kitten", "sitting", 3),
      // The restricted form: a swapped pair is not edited again. The unrestricted distance would be 2.
      ("ca", "abc", 3), ("é", "e", 1), ("🇩🇪", "🇩🇰", 1),
    ])
  func distances(one: String, other: String, expected: Int) {
    expectEqual(EditDistance.between(one, other), expected)
    expectEqual(EditDistance.between(other, one), expected)
  }

  @Test(
    "The intended names are found, nearest first",
    arguments: [
      ("log", ["log"]), ("lgo", ["log"]), ("LOG", ["log"]), ("lo", ["log"]), ("l", []), ("x", []), ("", []),
      ("satte", ["state"]), ("stat", ["state", "stats"]), ("statts", ["stats", "state"]), ("salvag", ["salvage"]),
      ("exprot", ["export"]), ("polcy", ["policy.received", "policy.removed"]),
      ("policy.recieved", ["policy.received"]),
      ("policy", ["policy.received", "policy.removed"]), ("quite different", []),
    ])
  func nearest(word: String, expected: [String]) {
    let names = [
      "log", "state", "stats", "salvage", "export", "policy.received", "policy.removed", "wipe.requested", "log",
    ]
    expectEqual(EditDistance.nearest(to: word, in: names), expected)
  }

  @Test("No more names are returned than requested, equally near ones in the order of the list")
  func limit() {
    expectEqual(EditDistance.nearest(to: "ax", in: ["ab", "ac", "ad", "ae"]), ["ab", "ac", "ad"])
    expectEqual(EditDistance.nearest(to: "ax", in: ["ab", "ac"], limit: 1), ["ab"])
    expectEqual(EditDistance.nearest(to: "ax", in: ["ab"], limit: 0), [])
  }

  @Test("A word too long to be a name has no nearest")
  func bound() {
    let name = String(repeating: "a", count: EditDistance.longestWord)
    expectEqual(EditDistance.nearest(to: name, in: [name]), [name])
    expectEqual(EditDistance.nearest(to: name + "a", in: [name]), [])
    expectEqual(EditDistance.nearest(to: "log", in: [String(repeating: "log", count: 100_000)]).count, 1)
  }
}
