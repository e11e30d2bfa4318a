import AppProtection
import EventSourcing

extension ProtectionQuestion {
  /// Every question as it is written: `saveTo(oneDriveForBusiness, a1)`. Accounts are written as `a1`, and no account as
  /// `none`; a location's account is the owner of the data unless another one is named.
  static let forms: [QuestionForm<ProtectionQuestion>] = [
    QuestionForm("managed", [.account], answers: .flags, "whether policy is applied to the account") {
      account($0[0]).map { .managed($0) }
    },
    QuestionForm("offline", [.account], answers: .outcomes(of: OfflineRule.self), "what the offline intervals require")
    { account($0[0]).map { .offline($0) } },
    QuestionForm("launch", [.account], answers: .launch, "the outcome of the launch conditions") {
      account($0[0]).map { .launch($0) }
    },
    QuestionForm(
      "due", [.account], answers: QuestionAnswers(DueOutcome.names),
      "what time alone brings to the account next, and when: a check-in, a block, a wipe, a question for the user"
    ) { account($0[0]).map { .due($0) } },
    QuestionForm(
      "pin", [.owner()], answers: .outcomes(of: PINDemandRule.self), "whether the app PIN protects the account's data"
    ) { .pin(account($0[0])) },
    QuestionForm(
      "identity",
      [
        QuestionParameter("task", oneOf: ["ui", "file"], standard: "ui"), .number("window"), .thread,
      ], answers: .identities, "the identity of a task"
    ) { .identity($0[0] == "file" ? .file : .ui(window: UInt32($0[1])), thread: $0[2].isEmpty ? nil : $0[2]) },
    QuestionForm(
      "saveTo",
      [QuestionParameter("location", oneOf: SaveLocation.allCases.map(\.name)), .owner(), .of("account")],
      answers: .outcomes(of: SaveToRule.self),
      "whether data of the owner may be saved there"
    ) { .saveTo(SaveLocation(name: $0[0]) ?? .other, account: place($0[2], of: $0[1]), owner: account($0[1])) },
    QuestionForm(
      "openFrom",
      [QuestionParameter("location", oneOf: OpenLocation.allCases.map(\.name)), .owner("receiver"), .of("account")],
      answers: .outcomes(of: OpenFromRule.self),
      "whether the receiver may open a document from there"
    ) { .openFrom(OpenLocation(name: $0[0]) ?? .other, account: place($0[2], of: $0[1]), receiver: account($0[1])) },
    QuestionForm(
      "transfer",
      [
        .party("from"), .party("to"),
        QuestionParameter(
          "through", oneOf: TransferSurface.allCases.map(\.rawValue), standard: TransferSurface.app.rawValue),
      ], answers: .outcomes(of: TransferRule.self), "whether data may pass from one party to another"
    ) { words in
      guard let from = party(words[0]), let to = party(words[1]) else { return nil }
      return .transfer(from: from, to: to, through: TransferSurface(rawValue: words[2]) ?? .app)
    },
    QuestionForm(
      "shareSheet", [.party("app"), .owner(), .flag("takesEncrypted", "true")],
      answers: .outcomes(of: ShareSheetRule.self), "whether the share sheet lists the app"
    ) { words in
      party(words[0]).map { .shareSheet($0, takesEncrypted: words[2] == "true", owner: account(words[1])) }
    },
    QuestionForm(
      "receive",
      [
        .party("from"), .owner("as"),
        QuestionParameter("identitySwitch", oneOf: switchResults.map(\.name) + [""], standard: ""),
        .flag("isInstalledByManagement", "true"),
      ], answers: .outcomes(of: ReceiveRule.self), "how incoming data is treated"
    ) { words in
      party(words[0]).map {
        .receive(
          from: $0, as: account(words[1]), identitySwitch: switchResults.first { $0.name == words[2] }?.result,
          isInstalledByManagement: words[3] == "true")
      }
    },
    QuestionForm(
      "paste", [.party("from"), .party("into"), .number("characters")], answers: .outcomes(of: ClipboardRule.self),
      "whether copied data may be pasted"
    ) {
      words in
      guard let from = party(words[0]), let into = party(words[1]) else { return nil }
      return .paste(from: .party(from), into: .party(into), characters: Int(words[2]))
    },
    QuestionForm("thirdPartyKeyboards", [], answers: .permissions, "whether third-party keyboards may be used") { _ in
      .thirdPartyKeyboards
    },
    QuestionForm(
      "dictation", [.owner("account"), .owner("blockedBy", "none")], answers: .permissions,
      "whether the account may dictate"
    ) {
      .dictation(account($0[0]), blockedBy: account($0[1]))
    },
    QuestionForm(
      "use", [QuestionParameter("feature", oneOf: ProtectedFeature.allCases.map(\.rawValue)), .owner("account")],
      answers: .permissions,
      "whether a feature may be used"
    ) { .use(ProtectedFeature(rawValue: $0[0]) ?? .printing, account($0[1])) },
    QuestionForm(
      "notification", [.owner("account"), .flag("isSupported", "true")], answers: .outcomes(of: NotificationRule.self),
      "how much of a notification shows"
    ) {
      .notification(account($0[0]), isSupported: $0[1] == "true")
    },
    QuestionForm(
      "screenCapture", [.owner("account"), .text("configuration")], answers: .permissions,
      "whether the screen may be captured"
    ) {
      .screenCapture(account($0[0]), configuration: $0[1].isEmpty ? nil : $0[1])
    },
    QuestionForm(
      "webView", [QuestionParameter("policy", oneOf: WebViewPolicy.allCases.map(\.name)), .number("window")],
      answers: .outcomes(of: WebViewRule.self),
      "the owner of a web view's content"
    ) { .webView(WebView(WebViewPolicy(name: $0[0]) ?? .unset, window: UInt32($0[1]))) },
    QuestionForm(
      "url", [.text("url", nil), .owner("account"), .flag("isManagedScheme", "false")], answers: .links,
      "how a URL is opened"
    ) {
      .url($0[0], account($0[1]), isManagedScheme: $0[2] == "true")
    },
    QuestionForm(
      "universalLink", [.text("url", nil), .owner("account")], answers: .links,
      "whether a universal link may open in its app"
    ) { .universalLink($0[0], account($0[1])) },
    QuestionForm("browser", [.owner("account")], answers: .links, "the browser in which web links open") {
      .browser(account($0[0]))
    },
    QuestionForm("dialer", [.owner("account")], answers: .links, "the apps with which the account dials") {
      .dialer(account($0[0]))
    },
    QuestionForm("messaging", [.owner("account")], answers: .links, "the apps with which the account starts messages") {
      .messaging(account($0[0]))
    },
    QuestionForm(
      "fileProtection",
      [
        .owner("account"),
        QuestionParameter("maximum", oneOf: FileProtectionClass.allCases.map(\.name) + [""], standard: ""),
      ], answers: .fileProtections,
      "the protection class of files"
    ) { .fileProtection(account($0[0]), maximum: FileProtectionClass(name: $0[1])) },
    QuestionForm(
      "fileEncryption", [.owner("account")], answers: .outcomes(of: EncryptionRule.self),
      "whether files must be encrypted"
    ) {
      .fileEncryption(account($0[0]))
    },
    QuestionForm(
      "fileProvider", [.owner("account")], answers: .outcomes(of: EncryptionRule.self),
      "whether a file provider must encrypt files"
    ) {
      .fileProvider(account($0[0]))
    },
    QuestionForm(
      "protect", [.data, .owner("account"), .flag("cipherFails", "false")],
      answers: .outcomes(of: DataProtectionRule.self), "the result of protecting data"
    ) { words in data(words[0]).map { .protect($0, account(words[1]), cipherFails: words[2] == "true") } },
    QuestionForm(
      "unprotect", [.data, .flag("cipherFails", "false")], answers: .outcomes(of: DataProtectionRule.self),
      "the result of unprotecting data"
    ) { words in
      data(words[0]).map { .unprotect($0, cipherFails: words[1] == "true") }
    },
    QuestionForm(
      "protectionInfo", [.data], answers: .outcomes(of: DataProtectionRule.self), "whether data names its owner"
    ) { data($0[0]).map { .protectionInfo($0) } },
    QuestionForm(
      "config", [.text("key", nil), .account], answers: QuestionAnswers(ConfigurationOutcome.allCases.map(\.name)),
      "where the value of a key in the account's app configuration comes from"
    ) { words in account(words[1]).map { .config(key: words[0], $0) } },
  ]

  private static let switchResults: [(name: String, result: SwitchIdentityResult)] = [
    ("success", .success), ("canceled", .canceled), ("notAllowed", .notAllowed), ("failed", .failed),
  ]

  private static func account(_ text: String) -> AccountNumber? { AccountNumber(text) }

  /// The account of a location: the named one, `none`, or that of the data.
  private static func place(_ text: String, of owner: String) -> LocationAccount {
    LocationAccount(account(text.isEmpty ? owner : text))
  }

  /// `a1` and `none` are this app; `managedApp:a1` is another one that acts for the account.
  fileprivate static func party(_ text: String) -> DataParty? {
    switch text {
    case "none": .account(nil)
    case "unmanagedApp": .unmanagedApp
    case "deviceManagedApp": .deviceManagedApp
    case "managedApp": .managedApp(nil)
    case _ where text.hasPrefix("managedApp:"): account(String(text.dropFirst(11))).map { .managedApp($0) }
    case _: account(text).map { .account($0) }
    }
  }

  /// `missing`, `empty`, `plain`, `marked:a1` or `encrypted:a1`.
  fileprivate static func data(_ text: String) -> DataForm? {
    switch text {
    case "missing": .missing
    case "empty": .empty
    case "plain": .plain
    case _ where text.hasPrefix("marked:"): account(String(text.dropFirst(7))).map { .marked(.account($0)) }
    case _ where text.hasPrefix("encrypted:"): account(String(text.dropFirst(10))).map { .encrypted(.account($0)) }
    case _: nil
    }
  }
}

extension QuestionAnswers {
  /// What the rows of a table answer.
  fileprivate static func outcomes<Rule: DecisionRule>(of rules: Rule.Type) -> QuestionAnswers
  where Rule.Outcome: DecisionOutcome {
    QuestionAnswers(rules.allCases.map(\.outcome.name))
  }

  fileprivate static let flags = QuestionAnswers([true.name, false.name])
  fileprivate static let permissions = QuestionAnswers([Permission.allowed.name, Permission.denied.name])
  fileprivate static let launch = QuestionAnswers(LaunchOutcome.allCases.map(\.name))
  fileprivate static let fileProtections = QuestionAnswers(FileProtectionClass.allCases.map(\.name))
  /// A link is opened by the rules of links, or as those of browsers, dialers and messages say.
  fileprivate static let links = QuestionAnswers(
    LinkRule.allCases.map(\.outcome.name) + RedirectionRule.allCases.map(\.outcome.name))
  fileprivate static let identities = QuestionAnswers([Identity.unset.name, Identity.unmanaged.name]) {
    AccountNumber($0) != nil
  }
}

extension QuestionParameter {
  /// An account of the journal.
  fileprivate static let account = QuestionParameter("account") { AccountNumber($0) != nil }
  /// The form of data.
  fileprivate static let data = QuestionParameter("data") { ProtectionQuestion.data($0) != nil }

  /// An account of the journal, or none.
  fileprivate static func owner(_ name: String = "owner", _ standard: String? = nil) -> QuestionParameter {
    QuestionParameter(name, standard: standard) { $0 == "none" || AccountNumber($0) != nil }
  }

  /// The account of a location, which is the owner of the data if none is named.
  fileprivate static func of(_ name: String) -> QuestionParameter {
    QuestionParameter(name, standard: "") { $0.isEmpty || $0 == "none" || AccountNumber($0) != nil }
  }

  fileprivate static func party(_ name: String) -> QuestionParameter {
    QuestionParameter(name) { ProtectionQuestion.party($0) != nil }
  }

  fileprivate static func flag(_ name: String, _ standard: String) -> QuestionParameter {
    QuestionParameter(name, oneOf: ["true", "false"], standard: standard)
  }

  /// A number, or nothing.
  fileprivate static func number(_ name: String) -> QuestionParameter {
    QuestionParameter(name, standard: "") { $0.isEmpty || UInt32($0) != nil }
  }

  /// A thread's label; nothing for the main thread.
  fileprivate static let thread = QuestionParameter("thread", standard: "") {
    $0.isEmpty || IdentityScope.thread($0).isValid
  }

  fileprivate static func text(_ name: String, _ standard: String? = "") -> QuestionParameter {
    QuestionParameter(name, standard: standard) { _ in true }
  }
}
