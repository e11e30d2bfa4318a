import Expectations
import Testing

@testable import SampleNotes

/// Exit criteria of the guide's stage 3, the integration of the SDK.
@Suite("Exit criteria of stage 3")
@MainActor
struct IntegrationGuideTests {
  @Test("Log in with a user that isn't targeted: the app functions as expected")
  func untargetedUser() async throws {
    let phone = try TestPhone()
    let printed = await phone.type(
      """
      sign-in bob@fabrikam.com
      switch bob@fabrikam.com
      write list 'milk, bread'
      read list
      save list box \(phone.path("list.txt"))
      accounts
      """)
    expectEqual(
      printed,
      [
        "bob@fabrikam.com: enrollment: 103 noPolicyReceived", "written", "milk, bread", "saved",
        "a1  bob@fabrikam.com: not managed, on the screen",
      ])
    expectEqual(phone.text("list.txt"), "milk, bread")
  }

  @Test("Repeat with a user that is targeted: the app is managed and restarted")
  func targetedUser() async throws {
    let phone = try TestPhone()
    await phone.type("sign-in bob@fabrikam.com\nsign-out bob@fabrikam.com")
    let printed = await phone.type("sign-in alice@contoso.com\n\naccounts")
    expectEqual(
      printed,
      [
        "alice@contoso.com: enrollment: 100 newPoliciesReceived", "alice@contoso.com: the policy has changed",
        "The app must be restarted (firstPolicy). Press Return to go on, or type how many minutes to wait.",
        "The app starts again.", "a2  alice@contoso.com: managed",
      ])
    await expectEqual(phone.isPolicyApplied(after: "switch alice@contoso.com"), true)
  }

  @Test("First Policy Application Test")
  func firstPolicy() async throws {
    // Steps 1 to 5: a policy with the default access requirements, which demand a PIN, targets the account that logs in.
    let phone = try TestPhone(policy: #""pinRequired": true, "minimumPinLength": 4, \#(TestPhone.strict)"#)
    // 6: the user is told of the policy, and confirming restarts the app. 7: a PIN is created.
    let printed = await phone.type(
      """
      write shopping 'milk, bread'
      sign-in alice@contoso.com

      switch alice@contoso.com
      123
      1470
      write minutes 'The merger closes in May.'
      """)
    #expect(printed.contains("The app starts again."))
    expectEqual(printed.filter { $0.hasPrefix("Choose a PIN") }.count, 2)
    expectEqual(printed.last, "written")
    #expect(phone.filesShowing("merger", of: "a1").isEmpty)
    // 8 and 9: the account is logged out, and the app works as far as it can without one.
    let left = await phone.type("switch\nsign-out alice@contoso.com\naccounts\nread shopping")
    expectEqual(
      left,
      [
        "alice@contoso.com: sign-out: 104 unenrollmentSuccess",
        "alice@contoso.com: the organization's data is gone from this phone", "milk, bread",
      ])
    #expect(phone.files(of: "a1").isEmpty)
  }
}
