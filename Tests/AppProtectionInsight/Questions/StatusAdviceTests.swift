import Expectations
import Testing

@testable import AppProtection
@testable import AppProtectionInsight

@Suite("Advice about status codes")
struct StatusAdviceTests {
  @Test("Every known code has advice, except those after which nothing is to be done")
  func complete() {
    let without = EnrollmentStatusCode.table.map(\.code.rawValue).filter {
      StatusAdvice.about(EnrollmentStatusCode(rawValue: $0)) == nil
    }
    // Successes, a tenant without the service, and what ends by itself.
    expectEqual(without, [100, 101, 102, 104, 202, 208, 218])
    let codes = StatusAdvice.table.map(\.code.rawValue)
    expectEqual(codes, Set(codes).sorted())
  }

  @Test("A sentence says what to do, and sends to no table")
  func sentences() {
    for advice in StatusAdvice.table {
      for sentence in [advice.user, advice.administrator, advice.developer] {
        #expect(!sentence.isEmpty && !sentence.hasSuffix(".") && !sentence.contains("look up the code"), "\(sentence)")
        #expect(sentence.first?.isLowercase == true, "\(sentence)")
      }
      #expect(!advice.next.hasPrefix("nothing"), "\(advice.code): \(advice.next)")
    }
  }

  @Test("A service that answers is not one that the device must be connected to")
  func answered() {
    for advice in StatusAdvice.table where advice.code.saysSomethingAboutAccount {
      #expect(!advice.next.contains("connect the device") && !advice.next.contains("network"), "\(advice.code)")
    }
  }

  @Test("A number between the published codes is one that is not published, and not an error with a text to read")
  func unpublished() {
    for code in [146, 302] as [UInt32] {
      let next = StatusAdvice.next(after: EnrollmentStatusCode(rawValue: code))
      #expect(next.contains("not published") && !next.contains("error"), "\(code): \(next)")
    }
  }

  @Test(
    "User, administrator and developer each have a sentence of their own", arguments: [204, 205, 210, 211, 214, 222])
  func roles(number: UInt32) throws {
    let advice = try #require(StatusAdvice.about(EnrollmentStatusCode(rawValue: number)))
    expectEqual(Set([advice.user, advice.administrator, advice.developer]).count, 3)
    let words: [UInt32: String] = [
      204: "certificates", 205: "certificates", 210: "remove the account", 211: "remove the account",
    ]
    if let word = words[number] { #expect(advice.developer.contains(word), "\(advice.developer)") }
  }

  @Test("An old SDK is named where the service is never reached")
  func oldSDK() {
    for code in [204, 205] as [UInt32] {
      expectEqual(StatusAdvice.next(after: EnrollmentStatusCode(rawValue: code)).contains("update the SDK"), true)
    }
  }
}
