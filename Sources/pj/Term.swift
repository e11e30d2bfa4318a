import CommandLineInterface

/// One thing that `pj help TERM` explains: what it is called, and what is known of it.
struct Term: Sendable {
  /// What kind of thing it is.
  enum Kind: String, CaseIterable {
    case code, tokenError = "token-error", wipeReason = "wipe-reason", sentence, problem, condition, deadline, rule
    case transition
    case situation, mistake, setting, appSetting = "app-setting", configurationKey = "configuration-key", event
    case policyLint = "policy-lint", settingsLint = "settings-lint", assumption, page

    /// The kind in words, as it stands before a summary.
    var name: String {
      switch self {
      case .code: "status code"
      case .tokenError: "error of the token library"
      case .wipeReason: "reason for a wipe"
      case .sentence: "sentence of the SDK's log"
      case .problem: "problem that pj diagnose finds"
      case .condition: "launch condition"
      case .deadline: "deadline"
      case .rule: "rule"
      case .transition: "transition of an account"
      case .situation: "situation of the guides"
      case .mistake: "likely mistake in the app"
      case .setting: "setting of a policy"
      case .appSetting: "setting of an app"
      case .configurationKey: "key of an app configuration"
      case .event: "event"
      case .policyLint: "rule of pj policy lint"
      case .settingsLint: "rule of pj settings lint"
      case .assumption: "assumption"
      case .page: "page"
      }
    }

    /// The kind as the title of its terms.
    var title: String {
      switch self {
      case .code: "Status codes"
      case .tokenError: "Errors of the token library"
      case .wipeReason: "Reasons for wipes"
      case .sentence: "Sentences of the SDK's log"
      case .problem: "Problems that pj diagnose finds"
      case .condition: "Launch conditions"
      case .deadline: "Deadlines: what time alone brings"
      case .rule: "Rules"
      case .transition: "Transitions of an account"
      case .situation: "Situations of the guides"
      case .mistake: "Likely mistakes in the app"
      case .setting: "Settings of policies, by any of their names"
      case .appSetting: "Settings of apps"
      case .configurationKey: "Keys of app configurations"
      case .event: "Events of a journal"
      case .policyLint: "Rules of pj policy lint"
      case .settingsLint: "Rules of pj settings lint"
      case .assumption: "Assumptions"
      case .page: "Pages"
      }
    }

    /// One of its terms, as it is typed.
    var example: String { Terms.all.first { $0.kind == self }?.name ?? "" }
  }

  let kind: Kind
  /// The name by which it is asked for.
  let name: String
  /// What it is, as a phrase: no capital, no full stop.
  let summary: String
  /// Other names that mean this.
  let aliases: [String]
  /// The page that says more; `nil` where none does.
  let page: String?
  /// The text, which is only put together for those who read it.
  let body: @Sendable () -> [HelpBlock]

  init(
    _ kind: Kind, _ name: String, _ summary: String, aliases: [String] = [], page: String? = nil,
    _ body: @autoclosure @escaping @Sendable () -> [HelpBlock]
  ) {
    (self.kind, self.name, self.summary, self.aliases, self.page) = (kind, name, summary, aliases, page)
    self.body = body
  }

  /// The text as help shows it.
  var topic: HelpTopic {
    HelpTopic(name, summary, body() + (page.map { [.paragraph("Page: \($0).")] } ?? []))
  }

  /// A phrase as a sentence.
  static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
  }
}
