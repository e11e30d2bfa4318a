import AppProtection
import AppProtectionInsight
import Expectations
import Testing

@Suite("Answers of the public trackers")
struct TrackerAnswerTests {
  @Test("An answer is about a number that can occur, and each of its facts names an issue")
  func sources() {
    for answer in TrackerAnswer.table {
      let isCode = UInt32(exactly: answer.number).map { (100..<400).contains($0) } ?? false
      #expect(isCode || TokenLibraryError.about(answer.number) != nil, "\(answer.number)")
      #expect(!answer.facts.isEmpty && !answer.questions.isEmpty, "\(answer.number)")
      for fact in answer.facts {
        #expect(fact.source.wholeMatch(of: /(sdk|android|Chatr)#\d+/) != nil, "\(fact.source)")
        #expect(fact.text.first?.isUppercase == false && !fact.text.hasSuffix("."), "\(fact.text)")
      }
      for question in answer.questions { #expect(question.hasSuffix("?"), "\(question)") }
    }
    expectEqual(Set(TrackerAnswer.table.map(\.number)).count, TrackerAnswer.table.count)
    expectEqual(TrackerAnswer.about(.newPoliciesReceived), nil)
  }

  @Test("Errors of the token library are in the order of their numbers, and within its domain")
  func errors() {
    let numbers = TokenLibraryError.table.map(\.number)
    expectEqual(numbers, numbers.sorted(by: >))
    #expect(numbers.allSatisfy { TokenLibraryError.range.contains($0) && !TokenLibraryError.system.contains($0) })
    expectEqual(TokenLibraryError.about(-50_999), nil)
  }

  @Test("A code that is known says where it is decided")
  func origins() {
    for entry in EnrollmentStatusCode.table { #expect(entry.code.origin != nil, "\(entry.code)") }
    expectEqual(EnrollmentStatusCode(rawValue: 302).origin, nil)
    // What the service was not reached for, it did not say.
    for entry in EnrollmentStatusCode.table where entry.classification == .transient {
      expectEqual(entry.code.origin, .sdk, "\(entry.code)")
    }
    for code in [EnrollmentStatusCode.accountNotLicensed, .policyRecordGone, .licensedNotTargeted] {
      expectEqual(code.origin, .service)
    }
  }
}
