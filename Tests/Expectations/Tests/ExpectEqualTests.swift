import Expectations
import Testing

@Suite("Equal values")
struct ExpectEqualTests {
  @Test("Values that differ are named, with the comment and the line of the test")
  func differing() {
    let line = #_sourceLocation.line + 2
    withKnownIssue {
      expectEqual([1, 2], [1, 3], "the numbers")
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.comments.map(\.rawValue) == ["the numbers"]
        && "\(issue)".contains("[1, 2]") && "\(issue)".contains("[1, 3]")
    }
  }

  @Test("The comment of equal values is not made")
  func equal() {
    expectEqual(
      1, 1,
      { () -> Comment? in
        Issue.record("the comment was made")
        return nil
      }())
  }
}
