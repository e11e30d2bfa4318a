import AppProtection
import JSON
import Testing

@testable import PolicyDocuments

/// Blocks of diagnostic files, in the two forms that they have. The values are made up.
@Suite("Blocks of the SDK's log")
struct FieldLogBlockTests {
  private static func log(_ text: String, file: String = "x") -> FieldLog {
    var log = FieldLog(mostNamed: 100)
    log.read([FieldLog.File(file, Array(text.utf8))])
    return log
  }

  /// A value for each block, as JSON.
  private static let examples: [String: String] = [
    "ApplicationConfiguration": #"[{"Name":"IntuneMAMUPN","Value":"CMARScrubbedM:aa"},{"Name":"k","Value":false}]"#,
    "AppConfig": #"{"k":"v"}"#, "EffectivePolicies": #"{"PINEnabled":"1","PINMinLength":"6"}"#,
    "IntuneMAMPolicies": #"{"PINEnabled":true,"PINMinLength":6}"#,
    "*.MAMPolicies": #"{"IntuneIdentityOID":"aa","IntuneMAMPolicies":{"PINEnabled":true,"PINMinLength":6}}"#,
    "DataStore": #"{"CMARScrubbedOID:aa":{"offlinegraceperiod-successtimestamp":"731233500.25"}}"#,
    "RegisteredAccountsNotTargeted": #"["CMARScrubbedOID:aa"]"#, "RegisteredAccounts": #"["CMARScrubbedOID:aa"]"#,
    "EMM-UPN": #""CMARScrubbedM:aa""#, "MDMEnrolledUser": #""CMARScrubbedOID:aa""#,
    "LastCompletedCheckIn": #""2024-03-04 08:10:00 +0000""#, "AppVersion": #""1.2""#, "SDKVersion": #""19.2.0""#,
    "OSVersion": #""17.4""#, "iOSVersion": #""17.4""#, "DeviceModel": #""iPhone15,2""#,
  ]

  @Test("The table has at least 12 blocks, each with a name and a source of its own")
  func count() {
    let all = FieldLogBlock.all
    #expect(all.count >= 12, "\(all.count)")
    #expect(Set(all.map(\.name)).count == all.count && !all.contains { $0.source.isEmpty })
  }

  @Test("Each block is known by its name, and says what the table has")
  func examplesAreRead() {
    for block in FieldLogBlock.all {
      let name = block.name.replacing("*", with: "com.contoso.app")
      #expect(FieldLogBlock.named(name)?.name == block.name, "\(name)")
      let log = Self.log("{\"\(name)\": \(Self.examples[block.name] ?? #""x""#)}")
      let contents = log.facts.map(\.content)
      switch block.meaning {
      case .configuration: #expect(contents.contains { if case .configuration = $0 { true } else { false } }, "\(name)")
      case .policy, .policyOfApp: #expect(contents.contains { if case .policy = $0 { true } else { false } }, "\(name)")
      case .store: #expect(contents == [.registration, .contact], "\(name)")
      case .deviceAccount: #expect(contents == [.deviceAccount], "\(name)")
      case .registrations: #expect(contents == [.registration], "\(name)")
      case .completedCheckIn: #expect(contents == [.contact], "\(name)")
      case .version(let version): #expect(log.versions[version] != nil, "\(name)")
      case .known(let reason): #expect(log.skippedCounts[reason] == 1, "\(name): \(log.skippedCounts)")
      }
    }
  }

  @Test("A description of a dictionary is read as its JSON is, and so is the form without a name that a page prints")
  func description() throws {
    let node = try #require(
      FieldLogDescription.root(
        of: #"{ a = 1; "b c" = "x \"y\";"; list = ( 1, { d = e; }, "(f)" ); empty = { }; last = <0a0b> }"#))
    #expect(
      node.value.text(style: .compact)
        == #"{"a":"1","b c":"x \"y\";","list":["1",{"d":"e"},"(f)"],"empty":{},"last":"<0a0b>"}"#)
    let nameless = Self.log(
      "{\n    (\n        {\n Name = \"k\";\n Value = \"v|w\";\n },\n { Name = l; Value = false; }\n    );\n},\n")
    #expect(
      nameless.facts.map(\.content)
        == [.configuration([ConfigurationValue("k", "v|w"), ConfigurationValue("l", "false")])],
      "\(nameless.skipped)")
  }

  @Test("Of the policies of several apps only that of the log's own app counts, which the file's name says")
  func apps() {
    let policy = #"{"IntuneIdentityOID":"aa","IntuneMAMPolicies":{"PINEnabled":true,"PINMinLength":6}}"#
    let text = "{\"com.contoso.one.MAMPolicies\":\(policy),\"com.contoso.two.MAMPolicies\":\(policy)}"
    #expect(Self.log(text, file: "com.contoso.two-IntuneMAMDiagnosticInfo").facts.count == 1)
    #expect(Self.log(text).facts.isEmpty)
    #expect(Self.log(text).skippedCounts["the policy is another app's"] == 2)
  }

  @Test("A block that a line of the log opens has that line's time and account")
  func opened() {
    let log = Self.log(
      """
      2024-03-04T08:10:00.000Z INFO com.contoso.app 0 IntuneMAM: CMARX: CMARScrubbedOID:aa EffectivePolicies = {
          PINEnabled = 1;
          PINMinLength = 6;
      }
      2024-03-04T08:11:00.000Z INFO com.contoso.app 0 IntuneMAM: check-in failed for CMARScrubbedOID:aa with status code 214

      """)
    #expect(log.facts.count == 2 && log.facts.allSatisfy { $0.account == "aa" }, "\(log.facts) \(log.skipped)")
    #expect(log.facts.first?.time == 1_709_539_800_000_000_000)
  }

  @Test("However deep or wide a block is, reading it ends")
  func bounds() {
    for text in [
      String(repeating: "{ a = ", count: 5000), String(repeating: "(\n", count: 5000),
      String(repeating: "{\n(\n", count: 900) + "x",
      "{\n" + String(repeating: "a = b;\n", count: 20000) + "}", "{\n\"", "AppConfig =\n", "{", "(",
      "AppConfig = {\n}\n}",
    ] { #expect(Self.log(text).facts.isEmpty, "\(text.prefix(20))") }
  }
}
