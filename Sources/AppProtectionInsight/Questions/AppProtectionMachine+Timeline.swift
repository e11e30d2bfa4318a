import AppProtection
import EventSourcing

extension AppProtectionMachine {
  /// The lanes of accounts, policies with the versions of all else, identities, wipes, compliance, launch conditions and the device.
  public static let timeline = TimelineTable(
    [
      LaneGroup(
        "Accounts",
        [
          LaneRule(
            "/accounts/*/enrollment/status", label: "*",
            tones: [
              "unknown": .idle, "registered": .idle, "enrolling": .pending, "enrolledWithoutPolicy": .warning,
              "enrolledWithPolicy": .good, "unenrolling": .pending, "wiping": .bad, "removed": .plain,
            ])
        ],
        types: [
          "account", "enrollment", "unenrollment", "checkIn", "login", "token.acquired", "token.removed", "signIns",
          "allowedAccounts", "deviceAccount", "userStatus",
        ], rest: "all accounts"),
      LaneGroup(
        "Policies and versions",
        [
          LaneRule("/policies/*/version", label: "*", text: "policy version *"),
          LaneRule("/process/appVersion", label: "app", text: "app *"),
          LaneRule("/process/sdkVersion", label: "SDK", text: "SDK *"),
          LaneRule("/process/osVersion", label: "operating system", text: "OS *"),
        ],
        types: ["policy", "configuration"],
        rest: "all accounts"),
      LaneGroup(
        "Identities",
        [
          LaneRule("/identities/process", label: "process"), LaneRule("/identities/ui", label: "UI"),
          LaneRule("/identities/windows/*", label: "window *"), LaneRule("/identities/threads/*", label: "thread *"),
        ], types: ["identity"], rest: "requests"),
      LaneGroup(
        "Wipes",
        [
          LaneRule(
            "/wipes/*/status", label: "*",
            tones: [
              "requested": .bad, "removingFiles": .bad, "unenrolling": .pending, "completed": .plain,
            ])
        ], types: ["wipe"]),
      LaneGroup(
        "Compliance",
        [
          LaneRule(
            "/compliance/*/status", label: "*",
            tones: [
              "unknown": .idle, "blocked": .bad, "queued": .pending, "remediating": .pending, "compliant": .good,
              "notCompliant": .bad, "serviceFailure": .warning, "networkFailure": .warning,
              "interactionRequired": .warning, "userCancelled": .warning,
            ])
        ], types: ["remediation", "token.denied"]),
      LaneGroup(
        "Launch",
        [
          LaneRule(
            "/launch/accounts/*/outcome", label: "*",
            tones: [
              "allowed": .good, "warn": .warning, "promptSignIn": .pending, "promptBiometrics": .pending,
              "promptPIN": .pending, "promptNewPIN": .pending, "resetPIN": .warning, "block": .bad,
              "signInOrWipe": .bad, "wipe": .bad,
            ])
        ], types: ["launch", "pin", "biometrics"], rest: "PIN"),
      LaneGroup(
        "Device and app",
        [
          LaneRule(
            "/process/restart/reason", label: "restart",
            tones: ["firstPolicy": .pending, "accountRemoved": .pending, "conditionalLaunchWipe": .warning])
        ],
        types: ["settings", "device", "deviceConfiguration", "restart", "command"], rest: "settings and facts"),
    ],
    questions: [
      ("/launch/accounts/*/evaluatedBy", "launch(*)"), ("/policies/*/version", "managed(*)"),
      ("/policies/*/receivedBy", "saveTo(localDrive, *)"), ("/accounts/*/enrollment/status", "managed(*)"),
      ("/accounts/*/enrollment/lastAttemptedCheckIn", "offline(*)"), ("/wipes/*/status", "managed(*)"),
      ("/identities/ui", "identity(ui)"), ("/identities/windows/*", "identity(ui, *)"),
      ("/identities/threads/*", "identity(file, thread: *)"), ("/launch/pin/failures", "pin(none)"),
    ],
    processEnd: ProcessEnded.entry.number)
}
