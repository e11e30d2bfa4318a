import CommandLineInterface
import CommandSupport
import JSON
import PlainText
import PolicySettings
import PropertyList

/// `pj settings`: what an app's property list says to the SDK, and what is wrong with it.
package enum SettingsCommand: Command {
  package static let description = CommandDescription(
    "settings", "Checks, shows or repairs the settings in an app's Info.plist, or explains their keys.",
    discussion: [
      """
      A file is an Info.plist, as XML or in the binary form of a built app, or the dictionary IntuneMAMSettings alone, or the \
      entitlements of an app or an extension.
      """
    ],
    examples: [
      .init(
        "pj settings lint App/Info.plist App/App.entitlements Share/Info.plist",
        "Checks an app together with its entitlements and its extension."),
      .init("pj settings check Contoso.ipa", "Checks a built app with all its extensions, as users get it."),
      .init("pj settings fix App/Info.plist App/App.entitlements --diff", "What would change, as a patch."),
    ],
    exitCodes: [
      ExitCodeDescription(
        0,
        "done; lint or check found nothing, or notes only; fix changes nothing, or wrote its changes"),
      ExitCodeDescription(1, "lint or check found an error or a warning; fix would change a file"),
      ExitCodeDescription(2, "wrong use: one line names the mistake and the nearest valid name"),
      ExitCodeDescription(4, "a file cannot be read or written, or is not a property list that can be repaired"),
    ], actions: Action.allCases.map(\.description))

  /// What the command can do.
  enum Action: String, CaseIterable {
    case lint
    case check
    case show
    case keys
    case fix

    /// Its part of the help.
    var description: CommandDescription {
      switch self {
      case .lint:
        CommandDescription(
          rawValue, "Names each mistake with its line or byte, the reason and the next step.",
          discussion: [
            """
            A finding is an error if a setting does not do what it says or the SDK lacks something it needs, a warning if the \
            guides recommend otherwise, and a note if it may be intended.
            """,
            """
            Given an app with its extensions and entitlements, lint also compares their app groups and keychain groups, and \
            checks what the extension that opens files in the app needs.
            """,
          ],
          positionals: [Self.files])
      case .check:
        CommandDescription(
          rawValue, "Checks a whole app: its settings, those of its extensions, and what both are signed with.",
          discussion: [
            """
            THING is an .app, an .ipa, an .xcarchive, one of these in a zip or tar file, a project of Xcode or its folder, or a property \
            list. check finds what lint finds in the app and every extension, compares them with the entitlements in the signatures of their \
            executables, and names what only the whole shows: frameworks of the SDK that are missing, of several releases, or \
            brought by an extension as well, and an extension that names another app or signs in otherwise. Of a project, \
            it reads the files that its targets name; a variable that it does not define is unknown. Nothing is run, unpacked or written, and links are not followed.
            """
          ],
          examples: [
            .init("pj settings check Contoso.ipa --format junit > checks.xml", "The same for continuous integration.")
          ],
          positionals: [
            PositionalDescription(
              "THING", .many, completion: .file, "Built apps, archives of them, projects, or property lists.")
          ],
          options: [CheckFormat.option])
      case .show:
        CommandDescription(rawValue, "Prints every setting in effect, defaults included.", positionals: [Self.files])
      case .keys:
        CommandDescription(
          rawValue, "Lists all keys, or explains those you name.",
          positionals: [PositionalDescription("KEY", .many, "The keys to explain.")])
      case .fix:
        CommandDescription(
          rawValue, "Gives an app, its extensions and their entitlements what the guides ask for.",
          discussion: [
            """
            That is: URL schemes and their twins, keychain groups, app groups, the text for Face ID, and types in activation \
            rules. fix says what it would change and why, and what it leaves to you; with --write, it writes, each file in one \
            step. XML keeps every other byte, comments and indentation included; the binary form keeps every other value. A \
            second run changes nothing. A file that is damaged, or has a key that occurs twice in a dictionary, is refused, \
            and then no file is written.
            """
          ],
          positionals: [
            PositionalDescription(
              "FILE", .many, completion: .file,
              "Property lists, entitlements, a project of Xcode with its folder, or - for standard input.")
          ],
          options: [
            OptionDescription("write", "Write the changes into the files."),
            OptionDescription("dry-run", "Say what would be changed, and write nothing; this is the default."),
            OptionDescription("diff", "Print the changes of XML files as a patch."),
            OptionDescription("create", "Add IntuneMAMSettings where it is missing."),
            OptionDescription(
              "convert-rules",
              """
              Write activation rules that are dictionaries as predicates. How the system reads one is not fully published: \
              try it.
              """),
            OptionDescription(
              "face-id-text", value: "TEXT", "What an app shows when it first uses Face ID, instead of a default."),
          ])
      }
    }

    private static let files = PositionalDescription(
      "FILE", .many, completion: .file, "Property lists and entitlements, or - for standard input.")
  }

  package static var schemas: [OutputSchema] {
    [
      OutputSchema("settings"), SettingsReport.lintRecords.schema, SettingsCheckReport.records.schema,
      SettingsReport.showRecords.schema,
      SettingsRepairReport.records.schema, SettingKeysReport.records.schema,
    ]
  }

  package static func run(_ context: CommandContext) throws(Failure) -> ExitCode {
    let action = context.arguments.action.flatMap(Action.init)
    let words = context.arguments.positionals
    if action == .keys { return try SettingKeysReport.run(words, context) }
    guard !words.isEmpty else {
      throw Failure(.wrongUse, "a property list is missing, such as Info.plist", next: "pj help settings")
    }
    switch action {
    case .check: return try SettingsCheckReport.run(words, context)
    case .show: return try SettingsReport.show(words, context)
    case .fix:
      let (paths, owners) = try AppInput.files(of: words)
      return try SettingsRepairReport.run(paths, owners: owners, context)
    case .lint, .keys, nil: return SettingsReport.lint(words, context)
    }
  }
}
