import Expectations
import Simulation
import Testing

@Suite("Web views in scenarios")
struct WebViewScenarioTests {
  /// The example of guide 000, "Web View APIs Example": A, B and C show nothing of the organization, D a page of the
  /// company, and E the user's documents, whose links may lead anywhere. All are treated as unmanaged unless the app says
  /// otherwise, as it does for D and E; E has a delegate that calls every other page than the document's external.
  static func example(identity: String, _ decisions: [String], browser: String = "true", app: String = "") throws
    -> [String]
  {
    let text = """
      { "scenario": 1, "title": "Web views A to E", "app": {"multiIdentity": true\(app)}, "device": {"sdk": "20.5.0"},
        "accounts": {"worker": {"upn": "w@contoso.com"}, "home": {"upn": "h@example.com"}},
        "policies": {"strict": {"document": {
          "@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "Strict",
          "allowedOutboundDataTransferDestinations": "managedApps",
          "allowedOutboundClipboardSharingLevel": "managedApps",
          "managedBrowserToOpenLinksRequired": \(browser), "managedBrowser": "microsoftEdge"}}},
        "start": "2026-10-05T09:00:00Z",
        "steps": [
          {"service": {"worker": {"policy": "strict"}, "home": "noPolicy"}}, {"launch": {}},
          {"registerAndEnroll": "worker"}, {"restart": {}}, {"setUI": \(identity)},
          {"expect": {"decisions": [\(decisions.joined(separator: ","))]}}] }
      """
    let target = try TemporaryFolder()
    let scenario = try Scenario(Array(text.utf8), file: "views.json")
    return try ScenarioRunner.runBothWays(scenario, into: target.path + "/journal").unmet.map(\.description)
  }

  /// The members that say which of the views is meant.
  static let views = [
    "A": #""webView": "unset", "treatsAllAsUnmanaged": true"#,
    "B": #""webView": "unset", "treatsAllAsUnmanaged": true"#,
    "C": #""webView": "unset", "treatsAllAsUnmanaged": true"#,
    "D": #""webView": "currentIdentity", "treatsAllAsUnmanaged": true"#,
    "E": #""webView": "currentIdentity", "treatsAllAsUnmanaged": true, "isExternalPage": false"#,
    "link": #""webView": "currentIdentity", "treatsAllAsUnmanaged": true, "isExternalPage": true"#,
  ]

  static func outcome(_ view: String, _ expected: String) -> String {
    "{\(views[view] ?? ""), \"is\": \"\(expected)\"}"
  }

  static func paste(_ from: String, into: String, _ expected: String) -> String {
    func party(_ name: String) -> String { views[name].map { "{\($0)}" } ?? "\"\(name)\"" }
    return "{\"paste\": \(party(from)), \"into\": \(party(into)), \"is\": \"\(expected)\"}"
  }

  @Test("Nothing of the organization leaks into A, B and C, or out of D and E, and external pages open in the browser")
  func managed() throws {
    var decisions: [String] = []
    for view in ["A", "B", "C"] {
      decisions += [
        Self.outcome(view, "unmanaged"), Self.paste("worker", into: view, "denied"),
        Self.paste(view, into: "unmanagedApp", "allowed"), Self.paste("D", into: view, "denied"),
        Self.paste("E", into: view, "denied"), Self.paste("home", into: view, "allowed"),
      ]
    }
    for view in ["D", "E"] {
      decisions += [
        Self.outcome(view, "currentIdentity"), Self.paste("worker", into: view, "allowed"),
        Self.paste(view, into: "worker", "allowed"), Self.paste(view, into: "unmanagedApp", "denied"),
        Self.paste(view, into: "home", "denied"), Self.paste("home", into: view, "denied"),
      ]
    }
    decisions += [
      Self.outcome("link", "requiredBrowser"), Self.paste("worker", into: "link", "denied"),
      #"{"redirection": "browser", "account": "worker", "is": "edge"}"#,
    ]
    try expectEqual(Self.example(identity: "\"worker\"", decisions), [])
  }

  @Test("If the policy requires no browser, an external page is shown, and no organization data reaches it")
  func withoutBrowser() throws {
    let decisions = [
      Self.outcome("link", "unmanaged"), Self.paste("worker", into: "link", "denied"),
      Self.paste("D", into: "link", "denied"),
    ]
    try expectEqual(Self.example(identity: "\"worker\"", decisions, browser: "false"), [])
  }

  @Test("An unmanaged user is not restricted in any of them")
  func unmanaged() throws {
    var decisions = [Self.outcome("link", "unmanaged")]
    for view in ["A", "D", "E", "link"] {
      decisions += [
        Self.paste("home", into: view, "allowed"), Self.paste(view, into: "unmanagedApp", "allowed"),
      ]
    }
    try expectEqual(Self.example(identity: "\"\"", decisions), [])
  }

  @Test("Web views without a policy are unmanaged if the app says so once, unless a question says otherwise")
  func settingOfTheApp() throws {
    let decisions = [
      #"{"webView": "unset", "is": "unmanaged"}"#, #"{"webView": "currentIdentity", "is": "currentIdentity"}"#,
      #"{"paste": "worker", "into": {"webView": "unset"}, "is": "denied"}"#,
      #"{"webView": "unset", "treatsAllAsUnmanaged": false, "is": "currentIdentity"}"#,
    ]
    let app = #", "treatAllWebViewsAsUnmanaged": true"#
    try expectEqual(Self.example(identity: "\"worker\"", decisions, app: app), [])
  }

  @Test("A window has an identity of its own, and only the clipboard takes a web view for a party")
  func windows() throws {
    let view = #""webView": "currentIdentity", "isExternalPage": true, "treatsAllAsUnmanaged": true"#
    try expectEqual(Self.example(identity: "\"worker\"", [#"{\#(view), "window": 2, "is": "unmanaged"}"#]), [])
    #expect(throws: ScenarioError.self) {
      try Self.example(identity: "null", [#"{"transfer": {\#(view)}, "to": "worker", "is": "allowed"}"#])
    }
  }
}
