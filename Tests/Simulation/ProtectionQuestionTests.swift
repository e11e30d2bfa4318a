import AppProtection
import AppProtectionInsight
import EventSourcing
import Expectations
import Testing

@testable import Simulation

@Suite("Questions about data protection in scenarios")
struct ProtectionQuestionTests {
  static func run(_ decisions: String, app: String = #""multiIdentity": true"#) throws -> ScenarioResult {
    let text = """
      { "scenario": 1, "title": "Questions", "app": {\(app)}, "device": {"sdk": "20.5.0"},
        "accounts": {"A": {"upn": "a@contoso.com"}, "P": {"upn": "p@example.com"}, "S": {"upn": "s@fabrikam.com"}},
        "policies": {"strict": {"document": {
          "@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Strict",
          "allowedOutboundDataTransferDestinations": "managedApps",
          "allowedInboundDataTransferSources": "managedApps", "saveAsBlocked": true,
          "allowedOutboundClipboardSharingLevel": "managedAppsWithPasteIn",
          "allowedOutboundClipboardSharingExceptionLength": 5, "printBlocked": true,
          "notificationRestriction": "blockOrganizationalData", "thirdPartyKeyboardsBlocked": true,
          "managedBrowserToOpenLinksRequired": true, "customBrowserProtocol": "mybrowser",
          "dialerRestrictionLevel": "blocked", "appDataEncryptionType": "whenDeviceLocked", "pinRequired": true,
          "exemptedAppProtocols": [{"name": "Default", "value": "skype;"}],
          "exemptedUniversalLinks": ["https://*.contoso.com/*"]}}},
        "start": "2026-10-05T09:00:00Z",
        "steps": [
          {"service": {"A": {"policy": "strict"}, "P": "noPolicy"}}, {"launch": {}}, {"registerAndEnroll": "A"},
          {"restart": {}},
          {"expect": {"decisions": [\(decisions)]}}] }
      """
    let scenario = try Scenario(Array(text.utf8), file: "questions.json")
    let target = try TemporaryFolder()
    return try ScenarioRunner.runBothWays(scenario, into: target.path + "/journal")
  }

  private static let decisions = [
    #"{"saveTo": "box", "owner": "A", "is": "denied"}, {"openFrom": "camera", "receiver": "P", "is": "allowed"}"#,
    #"{"transfer": "A", "to": "unmanagedApp", "is": "denied", "rule": "transfer.send.6"}"#,
    #"{"transfer": "A", "to": "unmanagedApp", "through": "openIn", "is": "allowedEncrypted"}"#,
    #"{"transfer": "A", "to": {"managedApp": "A"}, "is": "allowed", "rule": "transfer.send.3"}"#,
    #"{"transfer": null, "to": "A", "is": "denied", "rule": "transfer.receive.4"}"#,
    #"{"shareSheet": "deviceManagedApp", "owner": "A", "takesEncrypted": false, "is": "allowed"}"#,
    #"{"receive": "unmanagedApp", "as": "A", "is": "needsUnmanagedIdentity"}"#,
    #"{"receive": "unmanagedApp", "as": "A", "identitySwitch": "failed", "is": "identitySwitchFailed"}"#,
    #"{"receive": {"managedApp": null}, "as": "A", "isInstalledByManagement": false, "is": "senderNotManaged"}"#,
    #"{"receive": {"managedApp": "A"}, "as": "P", "is": "otherAccount", "rule": "receive.4"}"#,
    #"{"paste": "A", "into": "P", "characters": 6, "is": "denied", "rule": "clipboard.copy.2"}"#,
    #"{"paste": "A", "into": "unmanagedApp", "characters": 5, "is": "allowed", "rule": "clipboard.exception"}"#,
    #"{"paste": "A", "into": "unmanagedApp", "is": "denied"}"#,
    #"{"input": "thirdPartyKeyboards", "is": "denied", "rule": "keyboard.3"}"#,
    #"{"input": "dictation", "account": "A", "blockedBy": "A", "is": "denied", "rule": "dictation.2"}"#,
    #"{"use": "printing", "account": "A", "is": "denied", "rule": "printing.3"}"#,
    #"{"use": "printing", "account": "P", "is": "allowed"}"#,
    #"{"notification": "A", "is": "genericTextOnly"}, {"notification": "A", "isSupported": false, "is": "shown"}"#,
    #"{"screenCapture": "A", "is": "denied"}, {"screenCapture": "A", "configuration": "Disabled", "is": "allowed"}"#,
    #"{"webView": "unset", "parents": ["currentIdentity"], "treatsAllAsUnmanaged": true, "is": "currentIdentity"}"#,
    #"{"webView": "currentIdentity", "isExternalPage": true, "is": "unmanaged", "rule": "webView.1"}"#,
    #"{"url": "https://x/y", "account": "A", "is": "customBrowser", "opens": "mybrowsers://x/y"}"#,
    #"{"url": "ms-word:x", "account": "A", "isManagedScheme": true, "is": "managedScheme", "rule": "url.5"}"#,
    #"{"url": "skype:x", "account": "A", "is": "allowed"}, {"url": "other:x", "account": "A", "is": "denied"}"#,
    #"{"universalLink": "https://www.contoso.com/", "account": "A", "is": "allowed", "rule": "universalLink.1"}"#,
    #"{"redirection": "browser", "account": "A", "is": "customBrowser"}"#,
    #"{"redirection": "dialer", "account": "A", "is": "denied"}, {"redirection": "messaging", "is": "allowed"}"#,
    #"{"fileProtection": "A", "maximum": "completeUnlessOpen", "is": "completeUnlessOpen"}"#,
    #"{"encryption": "files", "account": "A", "is": "required"}, {"encryption": "fileProvider", "is": "notRequired"}"#,
    #"{"pin": "A", "is": "required", "rule": "pinRequired.4"}, {"pin": "P", "is": "notRequired"}"#,
    #"{"due": "A", "is": "pinReset", "rule": "due.pinReset"}"#,
    #"{"pin": null, "is": "notRequired", "rule": "pinRequired.1"}"#,
    #"{"protect": "plain", "account": "A", "is": "encrypted"}, {"protect": "plain", "account": "P", "is": "marked"}"#,
    #"{"protect": "plain", "account": "A", "cipherFails": true, "is": "failedToEncryptData"}"#,
    #"{"protectionInfo": {"marked": "P"}, "is": "described"}, {"protectionInfo": {"encrypted": "A"}, "is": "described"}"#,
    #"{"protectionInfo": "plain", "is": "dataNotProtected", "rule": "protectionInfo.3"}"#,
    #"{"documentPicker": "exporting", "account": "A", "is": "denied"}, {"documentPicker": "moving", "account": "P", "is": "allowed"}"#,
    #"{"documentPicker": "opening", "account": "A", "is": "allowed", "rule": "openFrom.6"}, {"documentPicker": "importing", "is": "allowed"}"#,
    #"{"protect": "missing", "is": "invalidArguments"}, {"protect": "empty", "is": "emptyData"}"#,
    #"{"unprotect": "plain", "is": "unchanged"}, {"unprotect": {"encrypted": "A"}, "is": "restored"}"#,
    #"{"unprotect": {"encrypted": "S"}, "is": "failedToDecryptData"}, {"unprotect": {"marked": "P"}, "is": "restored"}"#,
  ]

  @Test("Every question can be asked", arguments: decisions)
  func questions(_ decisions: String) throws {
    try expectEqual(Self.run(decisions).unmet.map(\.description), [])
  }

  @Test("A scenario can ask every question, and each is asked here")
  func kinds() throws {
    // Whether data names its owner shows in what becomes of it when its protection is removed.
    for form in AppProtectionMachine.questions where form.name != "protectionInfo" {
      let values = try form.parameters.map { parameter in
        let candidates = parameter.choices + ["a1", "unmanagedApp", "plain", "https://example.org"]
        return try #require(parameter.standard ?? candidates.first(where: parameter.accepts), "\(form.name)")
      }
      let kind = try #require(form.make(values), "\(form.name)").subject([]).prefix { $0.isLetter }
      #expect(ExpectedDecision.kinds.contains(String(kind)), "\(form.name): no member asks it")
    }
    let missing = ProtectionQuestion.kinds.filter { kind in !Self.decisions.contains { $0.contains("{\"\(kind)\": ") } }
    expectEqual(missing, [], "ask these above")
  }

  @Test("The app's strongest file protection holds for each question that names none")
  func maximumFileProtection() throws {
    let asked =
      #"{"fileProtection": "A", "is": "completeUntilFirstUserAuthentication"}, "#
      + #"{"fileProtection": "A", "maximum": "complete", "is": "complete"}, {"fileProtection": "P", "is": "deviceSettings"}"#
    let app = #""multiIdentity": true, "maxFileProtectionLevel": "completeUntilFirstUserAuthentication""#
    try expectEqual(Self.run(asked, app: app).unmet.map(\.description), [])
    for (app, part) in [
      (#""maxFileProtectionLevel": "compleet""#, #"write "complete""#),
      (#""maxFileProtectionLevel": "deviceSettings""#, "write one of none, completeUntilFirstUserAuthentication"),
      (#""maxFileProtectionLevl": "complete""#, #"write "maxFileProtectionLevel""#),
      (#""treatAllWebViewsAsUnmanaged": 1"#, "treatAllWebViewsAsUnmanaged"),
    ] {
      let error = #expect(throws: ScenarioError.self) { try Self.run(asked, app: app) }
      expectEqual(error?.description.contains(part), true, "\(String(describing: error))")
    }
  }

  @Test(
    "An unexpected answer is reported with the question, the rule and its reason",
    arguments: [
      (
        #"{"transfer": "A", "to": "unmanagedApp", "is": "allowed"}"#,
        "transfer A to unmanagedApp through app\n  expected  allowed\n"
          + "  found     denied by transfer.send.6: the owner may send data to managed apps, and the other side does not "
          + "act for the account\n"
      ),
      (
        #"{"url": "https://x", "account": "A", "is": "customBrowser", "opens": "other://x"}"#,
        "url, account A\n  expected  customBrowser\n  found     customBrowser opening mybrowsers://x by browser.4: "
      ),
      (
        #"{"use": "siri", "is": "allowed", "rule": "siri.2"}"#,
        "use siri, no account\n  expected  allowed by siri.2\n  found     allowed by siri.1: no policy"
      ),
    ])
  func unmet(_ decision: String, _ report: String) throws {
    let unmet = try Self.run(decision).unmet.map(\.description)
    #expect(unmet.count == 1 && unmet.first?.contains(report) == true, "\(unmet)")
  }

  @Test(
    "An invalid question is refused with the nearest name",
    arguments: [
      (#"{"transfer": "A", "is": "allowed"}"#, #"the member "to" is missing"#),
      (#"{"transfer": "A", "to": "unmanagdApp", "is": "allowed"}"#, "unmanagedApp"),
      (#"{"use": "print", "is": "allowed"}"#, "printing"), (#"{"use": "siri", "is": "maybe"}"#, "allowed"),
      (#"{"webView": "currentIdentty", "is": "unmanaged"}"#, "currentIdentity"),
      (#"{"unprotect": {"encripted": "A"}, "is": "restored"}"#, "encrypted"),
      (#"{"notification": "A", "isSuported": true, "is": "shown"}"#, "isSupported"),
      (#"{"protectionInfo": "plan", "is": "described"}"#, "plain"),
      (#"{"documentPicker": "open", "is": "allowed"}"#, "opening"),
      (#"{"pin": "A", "is": "requird"}"#, "required"), (#"{"pin": "A", "account": "P", "is": "required"}"#, "account"),
      (#"{"paste": "A", "into": "P", "characters": -1, "is": "denied"}"#, "characters"),
    ])
  func refused(_ decision: String, _ part: String) {
    let error = #expect(throws: ScenarioError.self) { try Self.run(decision) }
    expectEqual(error?.description.contains(part), true, "\(String(describing: error))")
  }
}
