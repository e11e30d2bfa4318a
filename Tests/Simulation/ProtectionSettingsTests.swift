import AppProtection
import AppProtectionInsight
import Expectations
import Testing

@testable import Simulation

@Suite("Questions of an app with settings of its property list")
struct ProtectionSettingsTests {
  @Test("The settings decide what a question leaves open: about files, a web view, and web views of a paste")
  func filled() {
    var settings = ProtectionSettings()
    settings.maximumFileProtection = .complete
    settings.treatsAllWebViewsAsUnmanaged = true
    let open = ProtectionQuestion.WebView(.unset, window: 2)
    var filled = open
    filled.treatsAllAsUnmanaged = true
    let pairs: [(ProtectionQuestion, ProtectionQuestion)] = [
      (.webView(open), .webView(filled)),
      (
        .paste(from: .webView(open), into: .webView(open), characters: 3),
        .paste(from: .webView(filled), into: .webView(filled), characters: 3)
      ),
      (.fileProtection(nil, maximum: nil), .fileProtection(nil, maximum: .complete)),
      (.fileProtection(nil, maximum: .completeUnlessOpen), .fileProtection(nil, maximum: .completeUnlessOpen)),
      (.thirdPartyKeyboards, .thirdPartyKeyboards),
    ]
    for (question, asked) in pairs {
      expectEqual(question.asked(with: settings), asked)
      expectEqual(question.asked(with: ProtectionSettings()), question)
    }
  }
}
