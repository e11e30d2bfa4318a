import Expectations
import AppProtection
import AppProtectionKit
import Foundation
import Testing

/// The page on the SDK's calls against the list of them, and the pages on the managers against the managers.
@Suite("The pages on the SDK's names")
struct ComingFromTheSDKTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func page(_ name: String) throws -> String {
    try String(
      contentsOf: root.appending(path: "Sources/AppProtectionKit/AppProtectionKit.docc/\(name).md"), encoding: .utf8)
  }

  /// A type of the SDK (version 19.2.0, without its prefix) and its members, shortened as in the guides.
  struct Row: Sendable, CustomTestStringConvertible {
    let type: String
    let members: [String]
    var testDescription: String { type }
  }

  static let rows = [
    Row(
      type: "EnrollmentManager",
      members: [
        "registerAndEnrollAccount:", "registerAndEnrollAccountId:", "loginAndEnrollAccount:",
        "deRegisterAndUnenrollAccount:withWipe:", "deRegisterAndUnenrollAccountId:withWipe:", "registeredAccounts",
        "registeredAccountIds", "enrolledAccount", "enrolledAccountId", "enrolledAccountIds", "allowedAccounts",
        "allowedAccountIds", "mdmEnrolledAccountId", "delegate", "AllowedAccountsDidChange",
      ]),
    Row(
      type: "EnrollmentDelegate",
      members: ["enrollmentRequestWithStatus:", "policyRequestWithStatus:", "unenrollRequestWithStatus:"]),
    Row(
      type: "EnrollmentStatus",
      members: ["identity", "accountId", "didSucceed", "statusCode", "errorString", "error"]),
    Row(
      type: "PolicyManager",
      members: [
        "setUIPolicyAccountId:", "setUIPolicyAccountId:forWindow:", "getUIPolicyAccountId",
        "getUIPolicyAccountIdForWindow:",
        "setCurrentThreadAccountId:forScope:", "getCurrentThreadAccountId", "setProcessAccountId:",
        "getProcessAccountId",
        "getAccountIdForCurrentActivity", "isManagementEnabled", "isAccountIdManaged:", "isIdentity:equalTo:", "policy",
        "policyForAccountId:", "policyForWindow:", "setWebViewPolicy:forWebViewer:",
        "setWebViewPolicyDelegate:forWebViewer:", "primaryUser", "primaryAccountId", "managedAccountIds", "delegate",
        "logger", "mamPolicySource", "PolicyDidChange", "WipeDidComplete",
      ]),
    Row(
      type: "SwiftContextManager",
      members: ["setIdentity(_:forScope:)", "setAccountId(_:forScope:)", "getScopedIdentity", "getScopedAccountId"]),
    Row(
      type: "Policy",
      members: [
        "isPINRequired", "isSaveToAllowedForLocation:withAccountId:", "isOpenFromAllowedForLocation:withAccountId:",
        "getSaveToLocationsForAccountId:", "getOpenFromLocationsForAccountId:", "isURLAllowed:",
        "isURLAllowed:isKnownManagedAppScheme:", "isUniversalLinkAllowed:", "canReceiveSharedItemProvider:",
        "canReceiveSharedFile:", "isDocumentPickerAllowed:", "isManagedBrowserRequired", "isContactSyncAllowed",
        "isWidgetContentSyncAllowed", "isSpotlightIndexingAllowed", "areSiriIntentsAllowed", "isAppSharingAllowed",
        "shouldFileProviderEncryptFiles", "notificationPolicy", "isFileEncryptionRequired",
      ]),
    Row(
      type: "PolicyDelegate",
      members: [
        "identitySwitchRequiredForAccountId:reason:", "identitySwitchRequiredForAccountId:forWindow:reason:",
        "wipeDataForAccountId:", "restartApplication", "addAccountId:",
      ]),
    Row(type: "WebViewPolicyDelegate", members: ["isExternalURL:"]),
    Row(
      type: "ComplianceManager",
      members: ["remediateComplianceForAccountId:silent:", "remediationInProgressForAccountId:", "delegate"]),
    Row(
      type: "ComplianceDelegate", members: ["accountId:hasComplianceStatus:withErrorMessage:andErrorTitle:"]),
    Row(
      type: "AppConfigManager",
      members: ["appConfigForAccountId:", "AppConfigDidChange"]),
    Row(
      type: "AppConfig",
      members: [
        "fullData", "hasConflict:", "boolValueForKey:queryType:", "numberValueForKey:queryType:",
        "stringValueForKey:queryType:", "allBoolsForKey:", "allNumbersForKey:", "allStringsForKey:",
      ]),
    Row(
      type: "FileProtectionManager",
      members: [
        "protect:", "verifyAndProtect:", "protectionInfo:", "encryptFile:", "decryptFile:", "decryptFile:toCopyPath:",
        "isFileEncrypted:",
      ]),
    Row(
      type: "File",
      members: [
        "open", "create", "protect", "decrypt", "isFileEncrypted", "protectionInfo", "read", "write", "pread", "pwrite",
        "seek", "truncate", "tell", "size", "sync", "datasync", "close",
      ]),
    Row(
      type: "DataProtectionManager",
      members: [
        "protect:", "protectString:", "unprotect:", "unprotectString:", "protectionInfo:", "protectionInfoForString:",
        "protectionInfoForItemProvider:", "DataProtectionDidChange",
      ]),
    Row(type: "UserStatusManager", members: ["userStatusForAccountId:", "clockStatus", "UserStatusDidChange"]),
    Row(
      type: "Settings",
      members: [
        "aadAuthorityUriOverride", "aadClientIdOverride", "aadRedirectUriOverride", "valuesToScrubFromLogging",
        "the colors", "telemetry", "the Info.plist dictionary",
      ]),
    Row(type: "Logger", members: ["log:level"]),
    Row(type: "DiagnosticConsole", members: ["diagnosticInformation", "logPaths"]),
    Row(type: "TelemetryDelegate", members: ["telemetry events"]),
    Row(type: "VersionInfo", members: ["sdkVersion"]),
    Row(type: "UIHelper", members: ["showSharingBlockedMessage", "showRestartMessage"]),
    Row(type: "CertificatePinningManager", members: ["validateChain", "isPinningEnabled"]),
  ]

  @Test("Every member of the SDK has a row in the section of its type", arguments: rows)
  func members(row: Row) throws {
    let sections = try Self.page("ComingFromTheSDK").components(separatedBy: "\n### ")
    let section = try #require(sections.first { $0.hasPrefix("IntuneMAM\(row.type)\n") }, "\(row.type)")
    let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }
    for member in row.members {
      let isThere = rows.contains { line in
        let cells = line.components(separatedBy: " | ")
        return cells.count == 2 && cells[0].contains("`\(member)`") && cells[1].count > 5
      }
      #expect(isThere, "\(row.type): \(member)")
    }
  }

  @Test("The page has no section beside those of the list")
  func sections() throws {
    let page = try Self.page("ComingFromTheSDK")
    let listed = page.components(separatedBy: "\n### IntuneMAM").dropFirst().map { $0.prefix { $0 != "\n" } }
    expectEqual(listed.map(String.init), Self.rows.map(\.type))
  }

  /// Each manager's source, and the page that shows it.
  static let managers = [
    ("Managers/EnrollmentManager.swift", "Managers"), ("Managers/PolicyManager.swift", "Managers"),
    ("Managers/PolicyManager+LaunchConditions.swift", "Managers"), ("Managers/AccountPolicy.swift", "Managers"),
    ("Managers/WebViewer.swift", "Managers"), ("Managers/ComplianceManager.swift", "Managers"),
    ("Managers/AppConfigManager.swift", "Managers"), ("Managers/UserStatusManager.swift", "Managers"),
    ("Managers/DiagnosticConsole.swift", "Managers"), ("Managers/Messages.swift", "Managers"),
    ("Managers/Settings.swift", "SettingsAndLogs"), ("Log/Logger.swift", "SettingsAndLogs"),
    ("Delegates/TelemetryDelegate.swift", "SettingsAndLogs"), ("Delegates/WebViewPolicyDelegate.swift", "Managers"),
    ("Delegates/PresentationDelegate.swift", "Managers"), ("Delegates/EnrollmentResult.swift", "Managers"),
    ("Delegates/PINKeeper.swift", "Managers"), ("Identity/IdentityContext.swift", "Managers"),
    ("Service/TokenProvider.swift", "Managers"), ("Files/FileProtectionManager.swift", "ProtectingFilesAndData"),
    ("Files/DataProtectionManager.swift", "ProtectingFilesAndData"),
    ("Files/FileProtectionManager+FileProvider.swift", "ProtectingFilesAndData"),
    ("Files/SharedItem.swift", "ProtectingFilesAndData"), ("Files/AccountKeys.swift", "ProtectingFilesAndData"),
    ("Delegates/EnrollmentDelegate.swift", "Managers"), ("Delegates/PolicyDelegate.swift", "Managers"),
    ("Delegates/ComplianceDelegate.swift", "Managers"), ("Sharing/PolicyFollower.swift", "SharingWithExtensions"),
    ("Engine/PolicyEngine+Sharing.swift", "SharingWithExtensions"),
  ]

  /// Beside them: values that their members take and return, and what the kit has that implements a delegate.
  static let values: Set = [
    "Managers/SettingKey.swift", "Delegates/Appearance.swift", "Delegates/LogDestination.swift",
    "Delegates/SwitchReply.swift", "Delegates/TerminalPresentation.swift",
  ]

  @Test(
    "No source with public members of a manager or a delegate is missing among those that are held against the pages")
  func complete() throws {
    let folder = Self.root.appending(path: "Sources/AppProtectionKit")
    let sources = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let listed = Set(Self.managers.map(\.0))
    expectEqual(listed.union(Self.values).subtracting(sources), [], "these are gone")
    var types: Set<String> = []
    var extended: [String: Set<String>] = [:]
    var open: Set<String> = []
    for source in sources {
      for line in try String(contentsOf: folder.appending(path: source), encoding: .utf8).split(separator: "\n") {
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
        if words.contains("public"), words.contains(where: { ["func", "var", "let", "init"].contains($0) }) {
          open.insert(source)
        }
        guard let first = line.first, !first.isWhitespace,
          let kind = words.firstIndex(where: {
            ["struct", "class", "enum", "protocol", "actor", "extension"].contains($0)
          }),
          kind + 1 < words.count
        else { continue }
        if words[kind] == "extension" {
          extended[source, default: []].insert(words[kind + 1])
        } else if listed.contains(source), words.contains("public") {
          types.insert(words[kind + 1])
        }
      }
    }
    #expect(types.isSuperset(of: ["PolicyManager", "FileProtectionManager", "PolicyDelegate"]))
    for source in open.subtracting(listed).subtracting(Self.values).sorted() {
      let isInTheirFolders = source.hasPrefix("Managers/") || source.hasPrefix("Delegates/")
      #expect(!isInTheirFolders && types.isDisjoint(with: extended[source] ?? []), "\(source)")
    }
  }

  /// Members that the examples leave out: a value to be set or read, and those that only restate another one.
  static let unshown: Set = [
    "destination", "revealsPersonalData", "identitySwitchReply",
  ]

  @Test("A manager's page shows each of its public members in an example, which is compiled", arguments: managers)
  func named(source: String, page: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: "Sources/AppProtectionKit/\(source)"), encoding: .utf8)
    let page = try Self.page(page)
    var names: Set<String> = []
    for line in text.split(separator: "\n") {
      let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
      let isOfProtocol = source.hasPrefix("Delegates") || source.hasPrefix("Service")
      guard words.first == "public" || isOfProtocol && words.first == "func",
        let place = words.firstIndex(where: { ["func", "var", "let"].contains($0) }), place + 1 < words.count
      else { continue }
      names.insert(words[place + 1])
    }
    names.subtract(["customMirror", "debugDescription", "description"])
    #expect(!names.isEmpty)
    func words(_ text: String) -> Set<String> {
      Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    }
    // PageCodeTests compares the blocks with what is compiled.
    let blocks = page.components(separatedBy: "```")
    let code = blocks.indices.filter { $0 % 2 == 1 && blocks[$0].hasPrefix("swift\n") }.map { blocks[$0] }
    let (named, shown) = (words(page), words(code.joined()))
    for name in names.sorted() {
      let isThere = (Self.unshown.contains(name) ? named : shown).contains(name)
      #expect(isThere, "\(source): \(name)")
    }
  }
}
