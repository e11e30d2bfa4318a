import Expectations
import EventSourcing
import Testing

@testable import AppProtection
@testable import AppProtectionInsight
@testable import AppProtectionTests

@Suite("Questions as values")
struct ProtectionQuestionTests {
  typealias Ask = @Sendable (AppProtectionState) -> ProtectionAnswer

  static let owner = ProtectionSituation.owner
  static let personal = ProtectionSituation.personal
  static let moment = Moment(wallNanoseconds: 1_800_000_000_000_000_000)
  static let view = ProtectionQuestion.WebView(.unset, parents: [.currentIdentity])

  /// Every question, with the method that an app calls in its place.
  static let questions: [(ProtectionQuestion, Ask)] = [
    (.offline(owner), { ProtectionAnswer($0.offlineDecision(for: owner, at: moment)) }),
    (.launch(owner), { ProtectionAnswer($0.conditionalLaunch(for: owner, at: moment)) }),
    (.pin(owner), { ProtectionAnswer($0.pinDemand(for: owner)) }),
    (.identity(.ui(window: nil), thread: nil), { ProtectionAnswer($0.effectiveIdentity(of: .ui(window: nil))) }),
    (
      .saveTo(.box, account: .unknown, owner: owner),
      { ProtectionAnswer($0.saveTo(.box, account: .unknown, owner: owner)) }
    ),
    (
      .openFrom(.camera, account: .unnamed, receiver: owner),
      { ProtectionAnswer($0.openFrom(.camera, account: nil, receiver: owner)) }
    ),
    (
      .transfer(from: .account(owner), to: .unmanagedApp, through: .openIn),
      { ProtectionAnswer($0.transfer(from: .account(owner), to: .unmanagedApp, through: .openIn)) }
    ),
    (
      .shareSheet(.unmanagedApp, takesEncrypted: true, owner: owner),
      { ProtectionAnswer($0.shareSheet(lists: .unmanagedApp, takesEncrypted: true, owner: owner)) }
    ),
    (
      .receive(from: .unmanagedApp, as: owner, identitySwitch: .failed, isInstalledByManagement: true),
      { ProtectionAnswer($0.receive(from: .unmanagedApp, as: owner, identitySwitch: .failed)) }
    ),
    (
      .paste(from: .party(.account(owner)), into: .webView(.init(.unmanaged)), characters: 9),
      { ProtectionAnswer($0.paste(from: .account(owner), into: .account(nil), characters: 9)) }
    ),
    (.thirdPartyKeyboards, { ProtectionAnswer($0.thirdPartyKeyboards()) }),
    (.dictation(personal, blockedBy: owner), { ProtectionAnswer($0.dictation(for: personal, blockedBy: owner)) }),
    (.use(.contactSync, owner), { ProtectionAnswer($0.use(.contactSync, for: owner)) }),
    (.notification(owner, isSupported: true), { ProtectionAnswer($0.notification(for: owner)) }),
    (
      .screenCapture(owner, configuration: "Disabled"),
      { ProtectionAnswer($0.screenCapture(for: owner, configuration: "Disabled")) }
    ),
    (
      .webView(view), { ProtectionAnswer($0.webView(.unset, parents: [.currentIdentity], treatsAllAsUnmanaged: false)) }
    ),
    (.url("tel:1", owner, isManagedScheme: false), { ProtectionAnswer($0.url("tel:1", for: owner)) }),
    (
      .universalLink("https://x.example", owner),
      { ProtectionAnswer($0.universalLink("https://x.example", for: owner)) }
    ),
    (.browser(owner), { ProtectionAnswer($0.browser(for: owner)) }),
    (.dialer(owner), { ProtectionAnswer($0.dialer(for: owner)) }),
    (.messaging(owner), { ProtectionAnswer($0.messaging(for: owner)) }),
    (
      .fileProtection(owner, maximum: .completeUnlessOpen),
      { ProtectionAnswer($0.fileProtection(for: owner, maximum: .completeUnlessOpen)) }
    ),
    (.fileEncryption(owner), { ProtectionAnswer($0.fileEncryption(for: owner)) }),
    (.fileProvider(owner), { ProtectionAnswer($0.fileProviderEncryption(for: owner)) }),
    (.protect(.plain, owner, cipherFails: false), { ProtectionAnswer($0.protect(.plain, for: owner)) }),
    (
      .unprotect(.encrypted(.account(owner)), cipherFails: false),
      { ProtectionAnswer($0.unprotect(.encrypted(.account(owner)))) }
    ),
    (.protectionInfo(.plain), { ProtectionAnswer($0.protectionInfo(of: .plain)) }),
  ]

  @Test("A question as a value has the answer of its own method, and the explanation ends with the answer's rule")
  func answers() throws {
    let asked = Set(Self.questions.map { String("\($0.0)".prefix { $0 != "(" }) })
    // Below and in a file of its own, because no method of their own answers them.
    let forms = AppProtectionMachine.questions.map(\.name).filter { $0 != "managed" && $0 != "config" && $0 != "due" }
    expectEqual(forms.filter { !asked.contains($0) }, [], "ask these here, each with its method")
    var situation = ProtectionSituation.level2
    situation.policy.surfaces.contactSyncBlocked = true
    situation.policy.encryption.appDataEncryptionType = .whenDeviceLocked
    for isManaged in [true, false] {
      situation.isManaged = isManaged
      let state = situation.state()
      for (question, ask) in Self.questions {
        var explanation = Explanation(recording: true)
        let answer = state.answer(question, at: Self.moment, explanation: &explanation)
        expectEqual(answer, ask(state), "\(question)")
        #expect(!answer.reason.isEmpty && !answer.name.isEmpty, "\(question)")
        guard let rule = answer.rule else { continue }
        expectEqual(explanation.steps.filter(\.decides).map(\.rule), [rule], "\(question)")
      }
    }
  }

  @Test("Whether an account is managed is a question, whose answer is yes or no")
  func managed() {
    let state = ProtectionSituation.level2.state()
    var explanation = Explanation(recording: true)
    let answer = state.answer(.managed(Self.owner), at: Self.moment, explanation: &explanation)
    #expect(answer.name == "true" && answer.rule == nil && answer.reason == ManagementDecision.managed.reason)
    let other = state.answer(.managed(Self.personal), at: Self.moment, explanation: &explanation)
    #expect(other.name == "false" && other != answer)
  }

  @Test("Answers differ where the reasons do")
  func reasons() {
    var explanation = Explanation()
    let state = ProtectionSituation.level2.state()
    func answer(_ account: AccountNumber?) -> ProtectionAnswer {
      state.answer(.use(.backup, account), at: Self.moment, explanation: &explanation)
    }
    expectEqual(answer(Self.owner).name, answer(nil).name)
    #expect(answer(Self.owner) != answer(nil) && answer(Self.personal) == answer(nil))
  }
}
