import AppProtection
import AppProtectionInsight
import AppProtectionKit
import JSON

extension ProtectionQuestion {
  /// The members that select a question.
  static let kinds = [
    "saveTo", "openFrom", "transfer", "shareSheet", "receive", "paste", "input", "use", "notification", "screenCapture",
    "webView", "url", "universalLink", "redirection", "fileProtection", "encryption", "pin", "protect", "unprotect",
    "protectionInfo", "documentPicker", "due",
  ]

  /// Reads a question and the names of its possible answers.
  static func read(
    _ kind: String, _ node: JSONNode, accounts: [String], app: ProtectionSettings
  ) throws(JSONError) -> (question: ProtectionQuestion, answers: [String]) {
    let reader = Reader(kind: kind, node: node, subject: try node.required(kind), accounts: accounts, app: app)
    switch kind {
    case "offline", "due", "saveTo", "openFrom", "documentPicker": return try reader.place()
    case "transfer", "shareSheet", "receive", "paste": return try reader.movement()
    case "url", "universalLink", "redirection": return try reader.link()
    case "fileProtection", "encryption", "pin", "protect", "unprotect", "protectionInfo":
      return try reader.protection()
    default: return try reader.surface()
    }
  }

  /// The question of which `AccountPolicy.isDocumentPickerAllowed(_:)` is the answer: the Files app belongs to no account.
  private static func documentPicker(_ mode: DocumentPickerMode, _ account: AccountNumber?) -> ProtectionQuestion {
    switch mode {
    case .opening, .importing: .openFrom(.other, account: LocationAccount(nil), receiver: account)
    case .exporting, .moving: .saveTo(.other, account: LocationAccount(nil), owner: account)
    }
  }

  /// Reads one question.
  private struct Reader {
    typealias Result = (question: ProtectionQuestion, answers: [String])

    let kind: String
    let node: JSONNode
    let subject: JSONNode
    let accounts: [String]
    let app: ProtectionSettings

    static let permission = ["allowed", "denied"]
    static let demands = ["required", "notRequired"]
    static let links = [
      "allowed", "managedApp", "managedScheme", "edge", "customBrowser", "protectedBrowser", "customDialer",
      "customMessagingApp", "denied",
    ]

    func expect(_ members: String...) throws(JSONError) {
      try node.expectMembers([kind, "is", "rule"] + members)
    }

    func account(_ member: String) throws(JSONError) -> AccountNumber? {
      guard let node = try node.optional(member) else { return nil }
      return try account(node)
    }

    func account(_ node: JSONNode) throws(JSONError) -> AccountNumber? {
      node.isNull ? nil : try node.account(among: accounts)
    }

    func flag(_ member: String, _ standard: Bool) throws(JSONError) -> Bool {
      try node.optional(member)?.bool() ?? standard
    }

    func place(_ node: JSONNode) throws(JSONError) -> ClipboardPlace {
      if case .object = node.value.content, let policy = try node.optional("webView") {
        try node.expectMembers(["webView"] + Self.webViewMembers)
        return .webView(try webView(policy, in: node))
      }
      return .party(try party(node))
    }

    func party(_ node: JSONNode) throws(JSONError) -> DataParty {
      if case .object = node.value.content {
        try node.expectMembers(["managedApp"])
        return .managedApp(try account(try node.required("managedApp")))
      }
      guard !node.isNull else { return .account(nil) }
      switch try node.name(from: accounts + ["unmanagedApp", "deviceManagedApp"]) {
      case "unmanagedApp": return .unmanagedApp
      case "deviceManagedApp": return .deviceManagedApp
      case _: return .account(try account(node))
      }
    }

    func form(_ node: JSONNode) throws(JSONError) -> DataForm {
      if case .object = node.value.content {
        try node.expectMembers(["marked", "encrypted"])
        if let owner = try node.optional("marked") { return .marked(LocationAccount(try account(owner))) }
        return .encrypted(LocationAccount(try account(try node.required("encrypted"))))
      }
      switch try node.name(from: ["missing", "empty", "plain"]) {
      case "missing": return .missing
      case "empty": return .empty
      default: return .plain
      }
    }

    func place() throws(JSONError) -> Result {
      switch kind {
      case "offline":
        try expect()
        return (.offline(try subject.account(among: accounts)), OfflineOutcome.allCases.map(\.name))
      case "due":
        try expect()
        return (.due(try subject.account(among: accounts)), DueOutcome.names)
      case "saveTo":
        try node.expectMembers([kind, "account", "owner", "is", "rule"])
        let name = try subject.name(from: SaveLocation.allCases.map(\.name))
        let account = LocationAccount(try account("account"))
        return (
          .saveTo(SaveLocation(name: name) ?? .other, account: account, owner: try self.account("owner")),
          Self.permission
        )
      case "documentPicker":
        try expect("account")
        return (.documentPicker(try pickerMode(), try self.account("account")), Self.permission)
      default:
        try node.expectMembers([kind, "account", "receiver", "is", "rule"])
        let name = try subject.name(from: OpenLocation.allCases.map(\.name))
        let account = LocationAccount(try account("account"))
        return (
          .openFrom(OpenLocation(name: name) ?? .other, account: account, receiver: try self.account("receiver")),
          Self.permission
        )
      }
    }

    private func pickerMode() throws(JSONError) -> DocumentPickerMode {
      let modes = DocumentPickerMode.allCases
      let name = try subject.name(from: modes.map { "\($0)" })
      return modes.first { "\($0)" == name } ?? .opening
    }

    func movement() throws(JSONError) -> Result {
      switch kind {
      case "transfer":
        try expect("to", "through")
        let surface = try node.optional("through")?.name(from: TransferSurface.allCases.map(\.rawValue)) ?? "app"
        return (
          .transfer(
            from: try party(subject), to: try party(try node.required("to")),
            through: TransferSurface(rawValue: surface) ?? .app),
          Self.permission + ["allowedEncrypted"]
        )
      case "shareSheet":
        try expect("owner", "takesEncrypted")
        return (
          .shareSheet(
            try party(subject), takesEncrypted: try flag("takesEncrypted", true), owner: try account("owner")),
          Self.permission
        )
      case "receive":
        try expect("as", "identitySwitch", "isInstalledByManagement")
        let result = try node.optional("identitySwitch")?.name(from: ["success", "canceled", "notAllowed", "failed"])
        return (
          .receive(
            from: try party(subject), as: try account("as"), identitySwitch: result.map(Self.switchResult),
            isInstalledByManagement: try flag("isInstalledByManagement", true)),
          ["allowed", "allowedAsOrganizationData", "needsUnmanagedIdentity"] + ReceiveRefusal.allCases.map(\.rawValue)
        )
      default:
        try expect("into", "characters")
        return (
          .paste(
            from: try place(subject), into: try place(try node.required("into")),
            characters: try node.optional("characters")?.integer(in: 0...Int.max)),
          Self.permission
        )
      }
    }

    private static func switchResult(_ name: String) -> SwitchIdentityResult {
      switch name {
      case "success": .success
      case "canceled": .canceled
      case "notAllowed": .notAllowed
      default: .failed
      }
    }

    func surface() throws(JSONError) -> Result {
      switch kind {
      case "input":
        try expect("account", "blockedBy")
        return try subject.name(from: ["thirdPartyKeyboards", "dictation"]) == "dictation"
          ? (.dictation(try account("account"), blockedBy: try account("blockedBy")), Self.permission)
          : (.thirdPartyKeyboards, Self.permission)
      case "use":
        try expect("account")
        let name = try subject.name(from: ProtectedFeature.allCases.map(\.rawValue))
        return (.use(ProtectedFeature(rawValue: name) ?? .printing, try account("account")), Self.permission)
      case "notification":
        try expect("isSupported")
        return (
          .notification(try account(subject), isSupported: try flag("isSupported", true)),
          ["shown", "genericTextOnly", "hidden"]
        )
      case "screenCapture":
        try expect("configuration")
        return (
          .screenCapture(try account(subject), configuration: try node.optional("configuration")?.string()),
          Self.permission
        )
      default:
        try node.expectMembers([kind, "is", "rule"] + Self.webViewMembers)
        return (
          .webView(try webView(subject, in: node)),
          ["unmanaged", "currentIdentity", "currentIdentityWithoutUpload", "requiredBrowser"]
        )
      }
    }

    private static let webViewMembers = ["parents", "treatsAllAsUnmanaged", "isExternalPage", "window"]

    private func webView(_ policy: JSONNode, in node: JSONNode) throws(JSONError) -> WebView {
      var parents: [WebViewPolicy] = []
      for parent in try node.optional("parents")?.elements() ?? [] { parents.append(try webViewPolicy(parent)) }
      let treatsAllAsUnmanaged = try node.optional("treatsAllAsUnmanaged")?.bool()
      let view = WebView(
        try webViewPolicy(policy), parents: parents, treatsAllAsUnmanaged: treatsAllAsUnmanaged ?? false,
        isExternalPage: try node.optional("isExternalPage")?.bool(),
        window: try node.optional("window")?.integer(in: 1...UInt32.max))
      // What the scenario says here holds for the app, too.
      return treatsAllAsUnmanaged == nil ? view.asked(with: app) : view
    }

    private func webViewPolicy(_ node: JSONNode) throws(JSONError) -> WebViewPolicy {
      WebViewPolicy(name: try node.name(from: WebViewPolicy.allCases.map(\.name))) ?? .unset
    }

    func link() throws(JSONError) -> Result {
      switch kind {
      case "url":
        try expect("account", "isManagedScheme", "opens")
        return (
          .url(
            try subject.string(), try account("account"), isManagedScheme: try flag("isManagedScheme", false)),
          Self.links
        )
      case "universalLink":
        try expect("account")
        return (.universalLink(try subject.string(), try account("account")), Self.links)
      default:
        try expect("account")
        let owner = try account("account")
        switch try subject.name(from: ["browser", "dialer", "messaging"]) {
        case "browser": return (.browser(owner), Self.links)
        case "dialer": return (.dialer(owner), Self.links)
        default: return (.messaging(owner), Self.links)
        }
      }
    }

    func protection() throws(JSONError) -> Result {
      let done = ["encrypted", "marked", "restored", "unchanged"] + DataProtectionStatusCode.allCases.map(\.name)
      switch kind {
      case "fileProtection":
        try expect("maximum")
        let classes = FileProtectionClass.allCases.map(\.name)
        let maximum = try node.optional("maximum")?.name(from: classes)
        return (
          ProtectionQuestion.fileProtection(
            try account(subject), maximum: maximum.flatMap { FileProtectionClass(name: $0) }
          ).asked(with: app),
          classes
        )
      case "encryption":
        try expect("account")
        let owner = try account("account")
        return try subject.name(from: ["files", "fileProvider"]) == "files"
          ? (.fileEncryption(owner), Self.demands) : (.fileProvider(owner), Self.demands)
      case "pin":
        try expect()
        return (.pin(try account(subject)), Self.demands)
      case "protect":
        try expect("account", "cipherFails")
        return (
          .protect(try form(subject), try account("account"), cipherFails: try flag("cipherFails", false)), done
        )
      case "protectionInfo":
        try expect()
        return (.protectionInfo(try form(subject)), ["described"] + DataProtectionStatusCode.allCases.map(\.name))
      default:
        try expect("cipherFails")
        return (.unprotect(try form(subject), cipherFails: try flag("cipherFails", false)), done)
      }
    }
  }
}

extension JSONNode {
  /// An account of the scenario, by its place there. See ``AppProtectionInsight/ProtectionQuestion/renumbered(_:)``.
  func account(among accounts: [String]) throws(JSONError) -> AccountNumber {
    let name = try name(from: accounts)
    return accounts.firstIndex(of: name).flatMap { AccountNumber(UInt32($0 + 1)) } ?? .first
  }
}
