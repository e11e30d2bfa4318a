import CommandLineInterface
import PolicyDocuments

extension PolicyAction {
  static let effective = PolicyAction(
    name: "effective",
    summary: """
      Names the policies and app configurations of an export that count for a user in an app, with the reasons, combines the \
      policies, and says where configurations contradict one another.
      """,
    discussion: [
      """
      effective decides by platform, apps, excluded and included groups, filters and device types. What the export and the files do \
      not say stays undecided, is named as a condition, and ends in 3. A file for --groups lists members, who may be groups: \
      {"Finance": ["ada@contoso.com", "Team A"]}; groups that an export has with their members count, too. One for --device \
      has the facts that filters ask for: {"deviceManagementType": "Unmanaged", "osVersion": "17.4"}.
      """
    ],
    options: [
      .everySetting,
      OptionDescription(
        "user", value: "NAME", repeatable: true,
        "effective: the user, by each name that the memberships use, such as the user principal name."),
      OptionDescription("app", value: "ID", "effective: the app's bundle identifier, or its package on Android."),
      OptionDescription(
        "platform", value: "NAME", accepting: .oneOf(PolicyPlatform.allCases.map(\.rawValue)),
        "effective: the platform of the device: iOS unless another is named."),
      OptionDescription(
        "groups", value: "FILE", repeatable: true, completion: .file, "effective: who is in which group."),
      OptionDescription("device", value: "FILE", completion: .file, "effective: what is known of the device."),
    ]
  ) { (words, context) throws(Failure) in try PolicyEffectiveReport.run(words, context) }
}
