import CommandLineInterface
import JSON
import PolicyDocuments
import PropertyList
import Spelling

/// `pj settings`: what an app's property list says to the SDK, and what is wrong with it.
enum SettingsCommand: Command {
  static let description = CommandDescription(
    "settings", "Checks or shows the settings in an app's Info.plist, or explains their keys.",
    discussion: [
      """
      lint names what is wrong, with line or byte, reason and next step; show prints what holds, defaults included; keys \
      lists every key there is, or explains some.
      """,
      """
      A file is an Info.plist, as XML or in the binary form of a built app, or the dictionary IntuneMAMSettings alone. A \
      finding is an error when a setting does not do what it says or the SDK lacks what it needs, a warning when the \
      guides ask for something else, and a note when all may be meant as it is.
      """,
      """
      lint compares an app with its extensions and with entitlements that are given beside it: app groups, keychain groups, \
      and what the extension that opens files in the app needs.
      """,
    ],
    examples: [
      .init(
        "pj settings lint App/Info.plist App/App.entitlements Share/Info.plist",
        "What is wrong in an app, its entitlements and its extension."),
      .init("pj settings show Info.plist", "What holds, and where it is set."),
      .init("pj settings keys MAMPolicyRequired", "What a key does, which values it takes, and who says so."),
    ],
    positionals: [
      PositionalDescription("ACTION", accepting: .oneOf(Action.allCases.map(\.rawValue)), "What to do."),
      PositionalDescription(
        "FILE", .many, completion: .file,
        "Property lists and entitlements, or - for standard input; behind keys, the keys to explain."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "done; lint found nothing, or notes only"),
      ExitCodeDescription(1, "lint found an error or a warning"),
      ExitCodeDescription(2, "wrong use: one line says what, with the nearest valid name"),
      ExitCodeDescription(4, "a file cannot be read, or is no property list"),
    ])

  /// What the command can do.
  enum Action: String, CaseIterable {
    case lint
    case show
    case keys
  }

  static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let words = context.arguments.positionals("FILE")
    let action = context.arguments.positional("ACTION").flatMap(Action.init)
    if action == .keys { return try SettingKeysReport.run(words, context) }
    guard !words.isEmpty else {
      throw Failure(.wrongUse, "a property list is missing, such as Info.plist", next: "pj help settings")
    }
    return action == .show ? try SettingsReport.show(words, context) : SettingsReport.lint(words, context)
  }
}
