/// The situations of the guides, by whose numbers findings, tests and the scenarios in `journals/scenarios` name them. The page
/// Coverage has the same texts, and the tests that show each.
enum SituationHelp {
  /// All of them, in the order of their numbers.
  static let all: [(name: String, text: String)] = [
    ("S-01", "a first enrollment with a policy"), ("S-02", "registering again"),
    ("S-03", "enrolled, nothing targets"), ("S-04", "not licensed"), ("S-06", "an account that must be removed"),
    ("S-07", "a call from an extension"), ("S-08", "a call without an account"), ("S-09", "enrollment at launch"),
    ("S-10", "a warning without a policy"), ("S-11", "a login without a name"),
    ("S-12", "two accounts, one of which may be managed"), ("S-14", "names and ids in any case"),
    ("S-15", "allowed accounts"), ("S-16", "an unchanged policy"), ("S-17", "a changed policy"),
    ("S-18", "13 hours out of touch"), ("S-20", "91 days out of touch"), ("S-21", "a wipe by the service"),
    ("S-23", "leaving with and without a wipe"), ("S-24", "tokens removed before the account"),
    ("S-25", "an app that restarts itself"), ("S-26", "a host that needs no restart"),
    ("S-28", "100 days of silence"), ("S-30", "an unknown code"), ("S-31", "one identity"),
    ("S-32", "several identities, at launch"), ("S-33", "the user interface's identity and files"),
    ("S-35", "a thread's identity"), ("S-36", "blocks of queues"), ("S-38", "work items"),
    ("S-39", "a change inside of a block"), ("S-41", "protecting data"), ("S-42", "a canceled PIN"),
    ("S-43", "a colleague of the managed account"), ("S-45", "an answer of the wrong enumeration"),
    ("S-46", "views after a kill"), ("S-47", "an identity that was not restored"), ("S-48", "saving with exceptions"),
    ("S-49", "saving that is not blocked"), ("S-50", "saving that is blocked"), ("S-52", "nothing may be sent"),
    ("S-54", "a place in the Files app"), ("S-55", "opening with exceptions"), ("S-56", "opening from the camera"),
    ("S-58", "personal data for a managed app"), ("S-59", "organization data for an unmanaged app"),
    ("S-60", "data of a managed app, while a personal account is active"),
    ("S-63", "keyboards, for personal accounts too"), ("S-64", "a required browser"),
    ("S-66", "contradicting variants"), ("S-67", "web views and their parents"), ("S-68", "notifications"),
    ("S-69", "screen captures"), ("S-72", "the order of warnings"), ("S-74", "versions"), ("S-77", "five wrong PINs"),
    ("S-78", "threat levels"), ("S-80", "clocked out"), ("S-82", "a thread's identity runs no conditions"),
    ("S-83", "a refused token"), ("S-85", "demands for interaction"), ("S-86", "conditional access without a policy"),
    ("S-87", "enrolled before conditional access"), ("S-89", "not compliant, with data"),
    ("S-92", "a configuration before and after the enrollment"), ("S-93", "values that no output contains"),
    ("S-94", "real policies survive a round trip"),
  ]
}
