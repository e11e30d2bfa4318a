/// The transitions of an account, T1 to T39, by whose numbers rules, findings and tests name them. The page AccountsAndEnrollment
/// has the same texts, with where each is published and what shows it.
enum TransitionHelp {
  /// All of them, in the order of their numbers.
  static let all: [(name: String, when: String, then: String)] = [
    (
      "T1", "an account that is not registered is registered",
      "it is registered, and the service is asked; the call returns immediately"
    ),
    ("T2", "it is registered again", "nothing: no request, no callback, a warning"),
    ("T3", "an app extension registers, logs in or deregisters", "223; nothing changes"),
    ("T4", "no account is given, or an unrecognisable one", "207"),
    ("T5", "the service enrolls with a policy", "100; the first policy for the process waits for a restart"),
    (
      "T6", "the service enrolls, and nothing targets the account",
      "103; the account is enrolled and unmanaged, no restart"
    ),
    ("T7", "200, 225 or 222", "the account stays registered and is tried again by the table; the app works unmanaged"),
    ("T8", "204, 205, 212 or 216", "tried again after increasing pauses of at most an hour"),
    ("T9", "203", "tried again once a token is available"),
    ("T10", "209, 210 or 211", "the app must remove the account; nothing is tried again"),
    (
      "T11", "a second account is to be managed and only one may be",
      "the user is asked; the one that stays out is refused, the one that leaves is wiped first (218)"
    ),
    (
      "T12", "a managed account, or the new one, must be the only one",
      "as T11, regardless of what the app allows; the code of a refusal is 227"
    ),
    (
      "T13", "an account has the name of a managed one and another object id",
      "it is refused, and the user is led to reset the device's account"
    ),
    ("T14", "the device is enrolled for another user", "210"),
    ("T15", "another management solution provides a different account", "209"),
    ("T16", "a login without a name", "the device's account is enrolled, or the user is asked; canceling gives 219"),
    (
      "T17", "a launch with AutoEnrollOnLaunch",
      "the known account is enrolled silently, and the app is asked to add it; where a policy is required and no account or no valid token is left, the user is asked, and the first policy applies without a restart"
    ),
    ("T18", "MAMPolicyRequired, and no policy in force", "the app is blocked"),
    ("T19", "MAMPolicyWarnAbsent and no policy", "one warning each launch, then the app is usable"),
    (
      "T20", "a check-in brings another policy",
      "100, and the notification; decisions use it at once, and the conditions of the account on the screen are evaluated again"
    ),
    ("T21", "a check-in brings nothing new", "101; the time of the completed check-in moves"),
    (
      "T22", "a check-in fails on the network",
      "212 or 216; the completed time stays, and offline intervals run from it"
    ),
    (
      "T23", "the service no longer has a record (410)",
      "220: the policy is removed, and the account is enrolled again; if that finds no record either, 221 ends it"
    ),
    ("T24", "the service orders a wipe", "102, the wipe, 104; the account is deregistered"),
    ("T25", "nothing targets a managed account any longer", "103; its policy is removed, its data stays"),
    (
      "T26", "deregistration without a wipe",
      "the policy is removed at once, and 104 follows when the service is reached; the delegate is not asked to wipe"
    ),
    ("T27", "deregistration with a wipe", "the data is wiped at once (607), together with the policy; then as T26"),
    ("T28", "deregistration after the tokens were removed", "the service cannot be notified, and its record stays"),
    (
      "T29", "deregistration of an account that was never enrolled",
      "it is removed from the list; the service is not asked"
    ),
    ("T30", "the managed account has left", "the others are tried again"),
    (
      "T31", "the offline interval before a wipe is over, and a check-in succeeds",
      "nothing is wiped; the interval restarts"
    ),
    ("T32", "the same, and the sign-in is refused or fails", "a wipe with reason 608"),
    ("T33", "a launch condition demands a wipe", "the wipe, deregistration, a restart"),
    ("T34", "90 days of silence", "the next launch registers the account again; it stays protected meanwhile"),
    (
      "T35", "only some accounts are allowed",
      "one notification; accounts that are signed in but not allowed must be signed out, and are named; check-ins that complete meanwhile do not change that"
    ),
    ("T36", "no list of allowed accounts", "all accounts are allowed"),
    (
      "T37", "device management ends, or no longer names a user",
      "the device has no account, its configuration is removed, and the policy source may be the service"
    ),
    ("T38", "device management names a device and no user", "the app counts as unmanaged"),
    (
      "T39",
      "an account that the app uses for work or school is signed in, and a process has ended, or reported the sign-ins again, without registering it",
      "the app must register it"
    ),
  ]
}
