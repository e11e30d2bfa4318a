import Expectations
import Testing

@testable import CommandSupport

/// Whole outputs of commands, compared with the files in `Golden`. `UPDATE_GOLDEN=1 swift test --filter SnapshotTests`
/// writes them anew; the difference is to be reviewed like code.
@Suite("Whole outputs")
struct SnapshotTests {
  /// The files, and the command lines whose outputs they hold. `J/` stands for a golden journal: `J/torn-tail`,
  /// `P/` for a property list: `P/Good`, `D/` for a document of a policy: `D/Faulty.json`.
  static let snapshots: [(file: String, commands: [[String]])] = [
    (
      "log",
      [
        ["log", "J/first-enrollment"], ["log", "J/multi-identity-day"], ["log", "J/torn-tail"],
        ["log", "J/damaged-frame"], ["log", "J/framework-history", "--type", "policy.received"],
      ]
    ),
    (
      "log-choices",
      [
        ["log", "J/framework-history", "2020-04", "--account", "a1"],
        ["log", "J/framework-history", "--since", "-1d", "-n", "3"],
        ["log", "J/framework-history", "--path", "/policies/a3/minimumRequiredOsVersion", "-r"],
        ["log", "J/interrupted-wipe", "wipe.requested..end~2"],
        ["log", "J/interrupted-wipe", "--type", "wipe.completed", "-C", "1"],
        ["log", "J/interrupted-wipe", "--caused-by", "wipe.requested"],
        ["log", "J/interrupted-wipe", "-w", "type = 'wipe.*' and not path = /accounts", "--highlight", "filesRemoved"],
        ["log", "J/interrupted-wipe", "-g", "removingFiles"],
        ["log", "J/interrupted-wipe", "--account", "ALICE@contoso.com", "-n", "1"],
        ["log", "J/interrupted-wipe", "--type", "wpie.*"],
      ]
    ),
    (
      "fields",
      [
        ["fields", "J/interrupted-wipe", "/accounts/*/enrollment"],
        ["fields", "J/interrupted-wipe", "/wipes", "--at", "16"],
        ["fields", "J/torn-tail", "/process", "-j"], ["fields", "J/interrupted-wipe", "/acounts/a1"],
      ]
    ),
    ("log-json", [["log", "J/damaged-frame", "-j", "11.."], ["log", "J/torn-tail", "-j", "-n", "1"]]),
    (
      "show",
      [
        ["show", "J/interrupted-wipe", "wipe.requested"], ["show", "J/first-enrollment", "account.introduced"],
        ["show", "J/first-enrollment", "account.introduced", "--reveal"], ["show", "J/damaged-frame", "13"],
        ["show", "J/damaged-frame", "12"], ["show", "J/first-enrollment", "1", "end", "-j"],
      ]
    ),
    (
      "state",
      [
        ["state", "J/interrupted-wipe"], ["state", "J/interrupted-wipe@wipe.requested", "--path", "/wipes"],
        ["state", "J/interrupted-wipe", "--path", "/accounts", "--flat", "--reveal"],
        ["state", "J/framework-history", "--at", "2020-06", "--path", "/policies/a1/minimumPinLength"],
        ["state", "J/damaged-frame", "--path", "/process", "-j"], ["state", "J/damaged-frame", "--at", "13"],
        ["state", "J/multi-identity-day", "--at", "08:23", "--path", "/identities"],
      ]
    ),
    (
      "diff",
      [
        ["diff", "J/framework-history", "2020-03-06", "end", "--path", "/policies/a3"],
        ["diff", "J/interrupted-wipe", "start..end"], ["diff", "J/interrupted-wipe", "5..6", "--full"],
        ["diff", "J/interrupted-wipe", "7", "7"], ["diff", "J/torn-tail", "J/damaged-frame@11"],
        ["diff", "J/interrupted-wipe", "13", "14", "-j"],
      ]
    ),
    (
      "diagnose",
      [
        ["diagnose", "J/first-enrollment"], ["diagnose", "J/multi-identity-day"], ["diagnose", "J/interrupted-wipe"],
        ["diagnose", "J/interrupted-wipe", "-j"], ["diagnose", "J/damaged-frame"],
        ["diagnose", "J/interrupted-wipe", "--against", "J/first-enrollment"], ["diagnose", "--families"],
      ]
    ),
    (
      "blame",
      [
        ["blame", "J/interrupted-wipe", "/accounts/*/status"],
        ["blame", "J/interrupted-wipe@15", "/accounts/a1/enrollment", "-n", "1"],
        ["blame", "J/framework-history", "/policies/a1/version", "--at", "2020-06", "-j"],
        ["blame", "J/first-enrollment", "/accounts/a1/userPrincipalName", "/process/launch"],
      ]
    ),
    (
      "bisect",
      [
        ["bisect", "J/interrupted-wipe", "--where", "/accounts/*/status = wiping"],
        ["bisect", "J/interrupted-wipe", "--where", "managed(a1) = true", "-j"],
        ["bisect", "J/framework-history", "2020-04..", "--where", "/policies/a1/version >= 2 and not /wipes"],
        ["bisect", "J/damaged-frame", "--where", "/process/isRunning = true"],
      ]
    ),
    (
      "export",
      [
        ["export", "J/first-enrollment", "--preview"], ["export", "J/torn-tail", "--preview", "--reveal", "-j"],
        ["export", "J/first-enrollment"], ["import", "J/first-enrollment", "-o", "x"],
      ]
    ),
    (
      "explain",
      [
        ["explain", "J/framework-history", "saveTo(localDrive, a3)"],
        ["explain", "J/interrupted-wipe@16", "managed(a1)"],
        ["explain", "J/interrupted-wipe", "managed(a1)", "--when"],
        ["explain", "J/interrupted-wipe", "managed(a1)", "--at", "10", "-j"],
        ["explain", "J/multi-identity-day", "identity", "--when", "-j"], ["explain", "J/damaged-frame", "managed(a1)"],
      ]
    ),
    (
      "whatif",
      [
        ["whatif", "J/interrupted-wipe", "--drop", "wipe.requested"],
        ["whatif", "J/interrupted-wipe", "--drop", "checkIn.*", "--diff"],
        ["whatif", "J/first-enrollment", "--insert", "17={\"wipe\": \"a1\"}", "-n", "3"],
        [
          "whatif", "J/interrupted-wipe", "--replace",
          "wipe.requested={\"type\": \"checkIn.requested\", \"data\": {\"account\": \"a1\", \"trigger\": \"request\"}}",
        ],
        [
          "whatif", "J/framework-history", "--setting", "a1/allowedOutboundDataTransferDestinations=noApps", "--ask",
          "saveTo(box, a1)", "--when",
        ],
        ["whatif", "J/first-enrollment", "--drop", "policy.received", "--ask", "managed(a1)", "-j"],
        ["whatif", "J/damaged-frame", "--move", "9=4"],
      ]
    ),
    (
      "compare",
      [
        ["compare", "J/framework-history", "--accounts", "a2,a3"], ["compare", "J/torn-tail", "J/torn-tail"],
        ["compare", "J/first-enrollment", "J/interrupted-wipe"],
        ["compare", "J/interrupted-wipe", "J/first-enrollment", "-j"],
      ]
    ),
    (
      "stats",
      [
        ["stats", "J/multi-identity-day", "--ascii"], ["stats", "J/framework-history"],
        ["stats", "J/damaged-frame", "-j"],
      ]
    ),
    (
      "verify",
      [
        ["verify", "J/first-enrollment"], ["verify", "J/framework-history"], ["verify", "J/torn-tail"],
        ["verify", "J/damaged-frame"], ["verify", "J/damaged-frame", "-j"],
      ]
    ),
    (
      "check",
      [
        ["check", "J/interrupted-wipe"], ["check", "J/framework-history", "-j"], ["check", "J/torn-tail"],
        ["check", "J/damaged-frame"], ["check", "J/damaged-frame", "-j"],
      ]
    ),
    (
      "fork-retire",
      [
        ["fork", "J/first-enrollment", "12", "continued", "--dry-run"],
        ["fork", "J/first-enrollment", "start", "continued", "--dry-run", "-j"],
        ["fork", "J/damaged-frame", "5", "continued"], ["retire", "J/framework-history", "2020-06", "--dry-run"],
        ["retire", "J/damaged-frame", "15", "--dry-run"], ["retire", "J/torn-tail", "end", "--dry-run", "-j"],
      ]
    ),
    (
      "settings",
      [
        ["settings", "lint", "P/Good", "P/Alone"], ["settings", "lint", "P/Faulty"],
        ["settings", "lint", "P/FaultyBinary"], ["settings", "lint", "P/Broken"],
        ["settings", "lint", "P/Faulty", "-j"], ["settings", "show", "P/Good"], ["settings", "show", "P/Faulty"],
        ["settings", "keys"], ["settings", "keys", "MAMPolicyRequired", "MaxFileProtectionLevel"],
        ["settings", "keys", "ADALClientId", "-j"], ["settings", "fix", "P/Good", "P/Entitlements", "P/OpenIn"],
        ["settings", "fix", "P/Good", "P/Entitlements", "--diff"], ["settings", "fix", "P/FaultyBinary", "-j"],
        ["settings", "fix", "P/Broken"],
      ]
    ),
    (
      "policy",
      [
        ["policy", "show", "D/Level3.json"], ["policy", "show", "D/Small.json", "--all"],
        ["policy", "show", "D/Dump.txt", "D/Registration.json"], ["policy", "show", "D/Small.json", "-j"],
        ["policy", "show", "J/framework-history@2020-06", "--account", "a1"],
        ["policy", "diff", "D/Small.json", "D/Faulty.json"], ["policy", "diff", "D/Small.json", "D/Faulty.json", "-j"],
        ["policy", "diff", "D/Small.json", "D/Small.json"], ["policy", "diff", "D/Faulty.json", "D/Dump.txt"],
        ["policy", "diff", "J/framework-history@2020-04", "J/framework-history@end", "--account", "a3"],
        ["policy", "combine", "D/Small.json", "D/Level3.json", "D/Faulty.json"],
        ["policy", "combine", "D/Small.json", "D/Dump.txt", "-j"],
        ["policy", "lint", "D/Faulty.json"], ["policy", "lint", "D/Level3.json", "D/Dump.txt", "D/Dump.plist"],
        ["policy", "lint", "D/Faulty.json", "-j"], ["policy", "lint", "J/framework-history", "--account", "a3"],
        ["policy", "lint", "D/Small.json"], ["policy", "list", "D/Small.json", "D/Registration.json", "D/Dump.txt"],
        ["policy", "diff", "D/Small.json", "J/framework-history", "--account", "a3", "--settings-only"],
        [
          "policy", "effective", "D/Small.json", "D/Level3.json", "--user", "a", "--app",
          "com.microsoft.office.outlook",
        ],
        ["policy", "level", "D/Small.json"], ["policy", "level", "D/Level3.json", "--revision", "2021-09-30"],
        ["policy", "level", "D/Level3.json", "D/Small.json", "D/Dump.txt", "D/Registration.json", "--require", "1"],
        ["policy", "level", android, "D/Dump.plist", "-j"],
        ["policy", "level", "J/framework-history", "--account", "a3", "--revision", "2020-11-17"],
      ]
    ),
    (
      "errors",
      [
        ["bisect", "J/first-enrollment"], ["bisect", "J/first-enrollment", "-w", "/a", "--run", "b"],
        ["bisect", "J/first-enrollment", "--run", "exit 200"], ["blame", "J/first-enrollment"],
        ["blame", "J/framework-history", "/", "--writes"], ["blame", "J/first-enrollment", "/acounts"],
        ["check", "J/damaged-frame", "--rebuild"],
        ["compare", "J/framework-history", "--accounts", "a2,a3", "--exact"], ["diff", "@5", "J/first-enrollment"],
        ["diagnose", "J/first-enrollment", "1..2", "--at", "3"],
        ["fork", "J/first-enrollment", "3", "nowhere/x"], ["fork", "J/first-enrollment", "3", ""],
        ["fork", "J/first-enrollment", "3", "journals/first-enrollment/journal/x"],
        ["retire", "J/first-enrollment", "10", "--yes", "--dry-run"], ["retire", "J/framework-history", "2020-06"],
        ["retire", "J/first-enrollment", "2030-01", "--dry-run"], ["salvage"],
        ["export", "J/first-enrollment"], ["export", "J/first-enrollment", "-o", "x", "--preview"],
        ["export", "J/first-enrollment", "-o", "x", "--reveal", "--key", "00112233445566778899aabbccddeeff"],
        ["export", "J/first-enrollment", "-o", "x", "--secrets"],
        ["export", "J/first-enrollment", "-o", ""], ["export", "J/first-enrollment", "-o", "README.md"],
        ["export", "J/first-enrollment", "-o", "x", "--key", "journals/first-enrollment/journal/LOCK"],
        ["import", "-o", "x"], ["import", "a", "b", "-o", "x"],
        ["import", "LICENSE", "-o", "x", "--format", "intune-log"],
        ["timeline", "J/first-enrollment", "-o", "README.md"], ["explain", "J/first-enrollment"],
        ["whatif", "J/first-enrollment"], ["whatif", "J/first-enrollment", "--drop", "3", "--when"],
        ["salvage", "J/first-enrollment", "-o", "journals/first-enrollment/journal"],
        ["simulate", "journals/first-enrollment/scenario.json", "-o", ""],
        ["simulate", "journals/first-enrollment/scenario.json", "-o", "-"], ["policy", "lint", "/dev/null"],
        ["simulate"], ["simulate", "x", "--fleet", "3"],
        ["fleet", "journals", "-j", "--csv"], ["fleet", "-"], ["fleet", ""], ["fleet", "tools"],
        ["fleet", "journals", "--resume", ""], ["fleet", "journals", "--resume", "LICENSE"],
      ]
    ),
    (
      "fleet",
      [
        ["fleet", "journals"], ["fleet", "J/interrupted-wipe", "J/damaged-frame", "-j"],
        ["fleet", "J/first-enrollment", "J/interrupted-wipe", "--csv"],
      ]
    ),
    ("schema", [["schema", "wipe.requested"], ["schema", "account.introduced", "-j"]]),
    (
      "help",
      [
        ["help"], ["help", "log"], ["help", "diagnose"], ["help", "blame"], ["help", "bisect"], ["help", "explain"],
        ["help", "whatif"],
        ["help", "diff"],
        ["help", "salvage"],
        ["help", "fork"], ["help", "retire"],
        ["help", "settings"], ["help", "policy"], ["help", "fleet"], ["help", "tables"],
      ]
        + [
          "commands", "positions", "filters", "templates", "paths", "questions", "exit-codes", "redaction", "damage",
          "own-domain",
        ]
        .map { ["help", $0] }
    ),
  ]

  @Test("Outputs are those that were reviewed", arguments: snapshots.map(\.file))
  func outputs(file: String) throws {
    let commands = try #require(Self.snapshots.first { $0.file == file }).commands
    let text = commands.map(Self.transcript).joined(separator: "\n")
    let path = "\(Repository.root)/Tests/pj/Golden/\(file).txt"
    if Platform.variable("UPDATE_GOLDEN") == "1" {
      try TestFiles.write(Array(text.utf8), to: path)
      return
    }
    let golden = String(decoding: try TestFiles.read(path), as: UTF8.self)
    let found = text.split(separator: "\n", omittingEmptySubsequences: false)
    let expected = golden.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
    expectEqual(
      text, golden,
      "\(file).txt, line \(line + 1): \(line < found.count ? found[line] : "the end"), and not \(line < expected.count ? expected[line] : "the end")"
    )
  }

  /// A command line, what it printed, and how it ended.
  static func transcript(_ words: [String]) -> String {
    let run = ToolRun(words.map(expanded))
    var text = "$ pj \(words.joined(separator: " "))\n" + run.output
    for line in run.notes.split(separator: "\n") { text += "stderr: \(line)\n" }
    return text + "exit \(run.code.rawValue)\n"
  }

  private static let android =
    "journals/documents/icf_2021-10-05_5767671_level-2-enterprise-enhanced-data-protection-Android.json"
  private static let level3 =
    "journals/documents/icf_2021-09-30_a917084_level-3-enterprise-high-data-protection-iOS.json"

  /// Puts the path of a golden journal in the place of `J/NAME`, and that of a property list in the place of `P/NAME`.
  static func expanded(_ word: String) -> String {
    if word.hasPrefix("P/") {
      _ = Repository.root
      return "Tests/pj/PropertyLists/\(word.dropFirst(2)).plist"
    }
    if word.hasPrefix("D/") {
      _ = Repository.root
      // The framework's policy is among the real documents of the repository.
      return word == "D/Level3.json" ? level3 : "Tests/pj/Policies/\(word.dropFirst(2))"
    }
    guard word.hasPrefix("J/") else { return word }
    let parts = word.dropFirst(2).split(separator: "@", maxSplits: 1)
    guard let name = parts.first else { return word }
    return Repository.journal(String(name)) + (parts.count == 2 ? "@\(parts[1])" : "")
  }
}
