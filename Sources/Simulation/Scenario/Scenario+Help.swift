extension Scenario {
  /// A small complete scenario that demonstrates the format; all its expectations are met.
  public static let example = """
    { "scenario": 1,
      "title": "Alice enrolls, and a restart puts her policy into force",
      "app": {"multiIdentity": true},
      "accounts": {"alice": {
        "objectID": "6a3a5c1e-0f7e-4a52-9d3b-5e2c8a1f0b01",
        "upn": "alice@contoso.com"}},
      "policies": {"basic": {"document": {
        "@odata.type": "#microsoft.graph.iosManagedAppProtection",
        "displayName": "Basic", "pinRequired": true}}},
      "start": "2026-10-05T09:00:00Z",
      "steps": [
        {"service": {"alice": {"policy": "basic"}}}, {"launch": {}},
        {"registerAndEnroll": "alice"},
        {"expect": {
          "callbacks": ["enrollmentRequest alice 100", "PolicyDidChange alice",
            "restartApplication"],
          "state": {"/policies/alice/enforced": false}}},
        {"restart": {}},
        {"expect": {"state": {
          "/accounts/alice/enrollment/status": "enrolledWithPolicy",
          "/policies/alice": {"enforced": true, "pinRequired": true}}}}
      ] }
    """

  /// The complete format of scenarios, as printed by `pj help scenario`; at most 130 lines of 120 characters.
  public static let helpText = """
    A scenario is a JSON file that scripts a history: who uses which app on which device, what the service and the
    app answer, what happens, and what must hold at each point. 'pj simulate SCENARIO -o JOURNAL' runs it through
    the real engine and writes a journal. The same scenario always produces the same bytes: time, identities and
    answers come from the file alone. Each unmet expectation is printed with the actual value and the event that set
    it, and the exit code is 1.

    EXAMPLE
    \(example.indented)

    MEMBERS
      scenario   1, the version of this format        title      the subject
      teaches    what the reader can learn            start      the initial time: 2026-10-05T09:00:00Z
      journal    {id, segmentSize, sync}: GUID (default: derived from the scenario), bytes, everyCommit | none
      app        {version, isExtension, recordsRefusals, and settings: multiIdentity, autoEnrollOnLaunch,
                 policyRequired, warnsWhenPolicyAbsent, maximumManagedAccounts, firstPolicyNeedsNoRestart,
                 maxFileProtectionLevel, treatAllWebViewsAsUnmanaged, which decide questions alone,
                 retryProfile: serviceTable | guide2019 | guide2023, and choices where no published rule exists,
                 which 'pj state' prints below settings/assumptions, with true or false, a name, or a status code}
      device     {os, model, sdk, and what the app finds out: isJailbroken, hasPasscode, isManaged, biometry, threatDefense,
                 threatLevel, isKeychainUnreadable, isPolicyVersionUnknown, defender, defenderThreatLevel}
      accounts   {NAME: {objectID, upn}}: steps and expectations use NAME; the journal uses a1, a2, ... in order
      policies   {NAME: {path}}, relative to the scenario, or {NAME: {document}}: an iOS app protection policy in Graph JSON
      steps      [{STEP: ..., "note": text}, ...]

    STEPS: THE PROCESS AND THE CLOCK
      launch, exit, restart, reboot {}   starts the process, ends it normally, does both, restarts the device.
                   With launch {isExtension: true} the app's extension uses the app's journal until it exits
      update       {app, os, sdk}: new versions from the next launch on
      crash        "now", {before: TYPE}, {after: TYPE}, {during: TYPE, bytes: n}: the process dies at once, or when an
                   event of that type is about to be written, is durable but unacknowledged, or has n bytes in the file
      wait, at     PT30M, a time: time passes, and the app does whatever comes due
      clock        {setBack: PT1H}, {setAhead: PT1H}: only the wall clock moves; {utcOffset: "+02:00" or null}: local time
      damage       {event: n | file: NAME | file: "last segment", offset: n, flipBit: 0-7} or {..., cut: n}: damages the
                   finished journal; offsets count from the event's frame or the file, negative ones from the file's end

    STEPS: ANSWERS, WHICH HOLD UNTIL CHANGED; THOSE OF A LIST ARE USED IN TURN, AND THE LAST ONE IS REPEATED
      service      {NAME: answer}: {policy: NAME}, {code: 200-999}, unchanged, noPolicy, wipe, gone, networkFailure.
                   A check-in that would deliver what the account already has is answered unchanged
      compliance   {NAME: status}: compliant, notCompliant, serviceFailure, networkFailure, interactionRequired,
                   userCancelled
      files        {NAME: n} or {NAME: {count: n, failure: text}}: files of the account on the device
      delegate     {wipeData: bool (false), restartApplication: bool (false) or {postpone: PT10M},
                   accountChoice: keepExisting | switchAccounts | canceled, login: NAME or null (canceled),
                   identitySwitch: success | canceled | notAllowed | failed, or {addIdentity: success | failed},
                   addAccount: success | failed}. Without an answer, accountChoice and login stay open until the next
                   launch after there is one, and identitySwitch and addAccount succeed

    STEPS: COMMANDS
      registerAndEnroll, loginAndEnroll, answerLogin   NAME, or null for none
      deregisterAndUnenroll   NAME or {account, wipe}         checkIn       NAME
      acquireToken, removeToken   NAME, registered or not     denyToken     NAME or {account, error}
      setProcess, setUI   NAME, "" (no account), null (unset), or {identity, outcome}
      setWindow    {window: n, identity, outcome}             closeWindow   n
      setThread    {thread: LABEL, identity, outcome}         closeThread   LABEL
      requestIdentitySwitch   {identity, reason: openURL | cancelConditionalLaunch | documentImport, window or thread}
      wipe         NAME or {account, reason: n, origin: service | app | engine}
      remediate    NAME or {account, isSilent}                identifyAccount   {objectID, upn}
      allowedAccounts   [NAME, ...] or null                   deviceAccount   NAME, null or {account, source}
      signIns      [NAME, ...]: all signed-in accounts, or {accounts: [NAME], workOrSchool: [NAME]}
      exclusive    NAME or {account, is: bool}
      configuration   {account, default: {KEY: VALUE}, targeted: [{KEY: VALUE}]}; without either it is removed
      deviceConfiguration   {KEY: VALUE}, {values, source: mdm | emm}, or null
      settings     the changed settings                       dismissWarning    {}
      postponeRestart   PT10M                                 reportDevice   the changed facts, null: unknown
      userStatus   {account, clockStatus, isDisabled}         evaluateLaunch   NAME or {account, trigger}
      setPIN       {account, pin, equalTo}                    pinAttempt   {account, isRight, byBiometrics}
      signIn       NAME or {account, as}                      cancelLaunch   NAME          changeBiometrics   {}

    STEPS: NAMED FILES, WORK ON OTHER THREADS, THE TOKEN LIBRARY
      openFile     FILE or {file, access: create | truncate | append | read, thread: LABEL or work: LABEL}
      protectFile  {file, identity, verify: bool}             copyFile, moveFile   {file, to, thread or work}
      removeFile   FILE                                       handOutFile   {file, to, account}, by a file provider
      createWork   {work: LABEL, kind: block | operation | workItem | childTask | detachedTask, thread or inside: LABEL}
      submitWork   LABEL or {work, thread or inside}          finishWork   LABEL
      setWork      {work: LABEL, identity}: the running work changes its identity until it is submitted again or ends
      overrides    {aadAuthorityUriOverride, aadClientIdOverride, aadRedirectUriOverride}, until an unenrollment, or null
      enrollmentIDs   [{account, enrollmentID, tenantID, homeAccountID, userID, objectID}, ...]

    STEP: EXPECT {...}
      state        {PATH: value}: null means unset, an object lists parts; times and lengths as above
      rejected     the rule that refused the preceding command (T2, account.known, ...), or null. A refusal that is not
                   expected right after the command is an unmet expectation
      callbacks, events, findings   everything since the last expectation about the same, in order: "wipeData NAME",
                   types of events, what the events say to a developer: "S-24 NAME", "T39 NAME"
      pending      what the engine still has to do, in order
      callbacksContain   these, in this order               callbacksExclude   none that begins so
      callbacksCount   {"wipeData": n or {atLeast, atMost}}; all three also of events, findings and pending
      filesLeft    {NAME: n or {atLeast, atMost}}             anyOf   [{...}, {...}]: one of these expectations holds
      decisions    [{managed: NAME, is: bool}, {offline: NAME, is: open | blocked | wipeDue, rule: offline.wipe},
                   {launch: NAME, is: allowed | promptPIN | block | ..., rule: launch.pin, findings: [...]},
                   {due: NAME, is: checkIn | block | wipe | pin | pinReset | signIn | clockOut | restart | nothing},
                   {identity: ui | file, window: n, thread: LABEL, is: NAME, "" or null},
                   {saveTo: LOCATION, account: NAME, owner: NAME, is: allowed | denied, rule: saveTo.7},
                   {openFrom: LOCATION, account: NAME, receiver: NAME, is: allowed | denied, rule: openFrom.8},
                   {transfer: PARTY, to: PARTY, through: app | openIn | shareExtension, is: ... | allowedEncrypted},
                   {receive: PARTY, as: NAME, is: allowed | nothingComesIn | onlyOrganizationData | otherAccount | ...},
                   {paste: PARTY, into: PARTY, characters: n, is: ...}, {use: printing | ..., account: NAME, is: ...},
                   {url: URL, account: NAME, is: allowed | edge | customBrowser | denied | ..., opens: URL},
                   {pin: NAME, is: required | notRequired, rule: pinRequired.4}, and more on keyboards, notifications,
                   captures, web views, encryption, protectionInfo, documentPicker: see the page on scenarios.
                   {config: KEY, account: NAME, query: any | or | and | min | max | all | conflict, is: VALUE or null},
                   {owner: FILE, is: NAME, "" or null}, {work: LABEL, is: NAME, "" or null},
                   {override: aadClientIdOverride, is: TEXT or null}, {enrollmentID: NAME, is: TEXT or null}.
                   A PARTY is NAME, null (no account), unmanagedApp, deviceManagedApp or {managedApp: NAME}; for paste
                   also {webView: unset | unmanaged | currentIdentity | ..., isExternalPage: bool, ...}]

    WHAT NO STEP CAN SAY
      telemetry    the engine sends none         dialogs      ask for decisions: documentPicker, use, shareSheet
      two processes at once   a journal has one writer. Commands that an extension hands to the running app are missing
      contents of files       only owners: no bytes, keys, pasteboards, or items and enumerators of file providers
    """
}

extension String {
  /// The text with every line indented by two spaces.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
  }
}
