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
      lint names each mistake with its line or byte, the reason and the next step; show prints every setting in effect, \
      defaults included; keys lists all keys, or explains those you name.
      """,
      """
      A file is an Info.plist, as XML or in the binary form of a built app, or the dictionary IntuneMAMSettings alone. A \
      finding is an error if a setting does not do what it says or the SDK lacks something it needs, a warning if the \
      guides recommend otherwise, and a note if it may be intended.
      """,
      """
      Given an app with its extensions and entitlements, lint also compares their app groups and keychain groups, and checks \
      what the extension that opens files in the app needs.
      """,
    ],
    examples: [
      .init(
        "pj settings lint App/Info.plist App/App.entitlements Share/Info.plist",
        "Checks an app together with its entitlements and its extension."),
      .init("pj settings show Info.plist", "Every setting in effect, and where it is set."),
      .init("pj settings keys MAMPolicyRequired", "What a key does, which values it takes, and the source."),
    ],
    positionals: [
      PositionalDescription("ACTION", accepting: .oneOf(Action.allCases.map(\.rawValue)), "What to do."),
      PositionalDescription(
        "FILE", .many, completion: .file,
        "Property lists and entitlements, or - for standard input; after keys, the keys to explain."),
    ],
    exitCodes: [
      ExitCodeDescription(0, "done; lint found nothing, or notes only"),
      ExitCodeDescription(1, "lint found an error or a warning"),
      ExitCodeDescription(2, "wrong use: one line names the mistake and the nearest valid name"),
      ExitCodeDescription(4, "a file cannot be read, or is not a property list"),
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
