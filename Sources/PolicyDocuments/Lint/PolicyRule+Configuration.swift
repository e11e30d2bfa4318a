import AppProtection
import JSON
import PlainText

/// Rules of app configurations: their keys, values and the tokens that the service replaces.
extension PolicyRule {
  /// The rules of this file, in the order in which findings are listed.
  static let configuration: [PolicyRule] = [
    unreadablePayload, repeatedKey, misspelledKey, keyOfOtherChannel, keyOfOtherPlatform, unlistedKey,
    valueWithoutForm, unknownToken, tokenOfOtherProduct, accountsWithoutName, twoURLLists, invalidURLPattern,
  ]

  private static let page = "D app configuration policies"
  private static let edge = "D manage Microsoft Edge with Intune"

  /// Looks at every setting that is not part of another one.
  private static func eachSetting(
    _ id: String, _ severity: Severity, _ meaning: String, _ source: String,
    check: @escaping @Sendable (AppConfigurationDocument.Setting, AppConfigurationDocument, inout LintNotes) -> Void
  ) -> PolicyRule {
    PolicyRule(id, severity, meaning, source) { subject, notes in
      guard case .configuration(let configuration) = subject else { return }
      for setting in configuration.settings where !setting.isNested && !setting.isFromCatalog {
        check(setting, configuration, &notes)
      }
    }
  }

  /// A packed text cannot be read.
  public static let unreadablePayload = PolicyRule(
    "unreadablePayload", .error, "What is packed into a configuration can be unpacked: a property list, or a payload.",
    "G iosMobileAppConfiguration; G androidManagedStoreAppConfiguration"
  ) { subject, notes in
    guard case .configuration(let configuration) = subject else { return }
    for problem in configuration.problems {
      notes.add(
        problem.list.rawValue, problem.reason,
        remedy: "export the configuration again, or write its settings again in the portal")
    }
  }

  /// A key occurs twice.
  public static let repeatedKey = PolicyRule(
    "repeatedKey", .error, "A key occurs once in a configuration.", "DERIVED"
  ) { subject, notes in
    guard case .configuration(let configuration) = subject else { return }
    var seen: Set<String> = []
    for setting in configuration.settings where !setting.isNested && !setting.isFromCatalog {
      guard !seen.insert(setting.key).inserted else { continue }
      notes.add(
        setting, "\(shown(setting)) occurs twice, and nothing says which one counts", remedy: "remove one of the two")
    }
  }

  /// A key differs from a known one in case alone.
  public static let misspelledKey = eachSetting(
    "misspelledKey", .error, "A key is written as its app writes it, in upper and lower case too.", page
  ) { setting, configuration, notes in
    guard let known = KnownConfigurationKey.misspelling(setting.key) else { return }
    let isThere = configuration.settings.contains { $0.key == known.name }
    notes.add(
      setting, "\(shown(setting)) is not known in this spelling",
      trying: [.setting("write \(known.name), which \(known.app) knows", of: setting) { $0.key = known.name }],
      otherwise: isThere
        ? "remove it: \(known.name), which \(known.app) knows, is there too"
        : "write \(known.name) only if \(known.app) documents it for this channel, platform and value")
  }

  /// A key is delivered by the wrong channel.
  public static let keyOfOtherChannel = eachSetting(
    "keyOfOtherChannel", .note, "A key is delivered by a channel in which its app looks for it.", page
  ) { setting, configuration, notes in
    let known = KnownConfigurationKey.named(setting.key)
    guard let first = known.first, !known.contains(where: { $0.channels.contains(configuration.channel) }) else {
      return
    }
    // Real documents deliver Edge's keys for managed apps to managed devices too.
    guard !(first.app == "Edge" && configuration.channel == .managedDevices) else { return }
    let other: AppConfigurationDocument.Channel =
      configuration.channel == .managedApps ? .managedDevices : .managedApps
    notes.add(
      setting,
      "the list of \(KnownConfigurationKey.date) has \(shown(setting)) of \(first.app) in the other channel alone",
      remedy: "write it into: \(other.name), unless its app documents it here")
  }

  /// A key belongs to another platform.
  public static let keyOfOtherPlatform = eachSetting(
    "keyOfOtherPlatform", .note, "A key is one that its app has on the configuration's platform.", page
  ) { setting, configuration, notes in
    guard let platform = configuration.platform else { return }
    let known = KnownConfigurationKey.named(setting.key)
    guard let first = known.first, !known.contains(where: { $0.platforms.contains(platform) }) else { return }
    notes.add(
      setting,
      "the list of \(KnownConfigurationKey.date) does not have \(shown(setting)) of \(first.app) for \(platform.rawValue)",
      remedy: "keep it, if its app documents it for \(platform.rawValue)")
  }

  /// A key is in no list, and should be.
  public static let unlistedKey = eachSetting(
    "unlistedKey", .note, "A key that begins like those of an app in the lists of June 2026 is one of them.", page
  ) { setting, configuration, notes in
    guard KnownConfigurationKey.prefixes.contains(where: setting.key.hasPrefix),
      KnownConfigurationKey.named(setting.key).isEmpty, KnownConfigurationKey.misspelling(setting.key) == nil
    else { return }
    let near = KnownConfigurationKey.nearest(to: setting.key, except: Set(configuration.settings.map(\.key)))
    notes.add(
      setting, "\(shown(setting)) is not in the list of \(KnownConfigurationKey.date)",
      trying: near.map { near in [.setting("write \(near), if that is meant", of: setting) { $0.key = near }] } ?? [],
      otherwise: "keep it, if its app documents it")
  }

  /// A value does not have the form that its key or its type demands.
  public static let valueWithoutForm = eachSetting(
    "valueWithoutForm", .warning, "A value has the type that the document states, and the form that its app documents.",
    page
  ) { setting, configuration, notes in
    guard let problem = problem(of: setting, in: configuration) else { return }
    notes.add(
      setting, "\(shown(setting)) \(problem.text)",
      trying: problem.values.map { value in
        .setting(problem.remedy, of: setting) { setting in
          if setting.list == .payload { setting.type = value } else { setting.value = value }
        }
      },
      otherwise: problem.values.isEmpty
        ? problem.remedy : "its type and its app ask for different forms: keep it only if the app documents it")
  }

  /// What is wrong with a setting, what to do, and values with which it would be right; of a payload their types.
  private static func problem(
    of setting: AppConfigurationDocument.Setting, in configuration: AppConfigurationDocument
  ) -> (text: String, remedy: String, values: [String])? {
    let value = setting.value ?? ""
    let type = setting.type ?? ""
    // What the service replaces has its form later.
    guard !value.contains("{{") else { return nil }
    if ["date", "data"].contains(type) {
      return ("is \(type == "date" ? "a date" : "data"), which apps are not sent", "write a text", [])
    }
    if type.contains(" and ") { return ("has several values", "keep one of \(type)", []) }
    if setting.list == .payload, type.isEmpty { return ("has no value", "give it one, or remove it", []) }
    let isFlag = ["true", "false"].contains(value)
    switch type {
    case "booleanType" where !["true", "false", "yes", "no", "1", "0"].contains(value.lowercased()):
      return ("is no boolean", "write true or false", ["true"])
    case "integerType" where Int64(value) == nil: return ("is no integer", "write a whole number", ["1"])
    case "realType" where Double(value) == nil: return ("is no number", "write a number, such as 1.5", ["1.5"])
    case _: break
    }
    let known = KnownConfigurationKey.named(setting.key).filter {
      $0.channels.contains(configuration.channel)
        && (configuration.platform.map($0.platforms.contains) ?? true)
    }
    // Where an app has several forms for one key, any is right.
    guard let key = known.first, known.allSatisfy({ $0.form == key.form }) else { return nil }
    if setting.list == .payload {
      let wanted = key.form.payloadTypes
      guard !wanted.contains(type) else { return nil }
      return (
        "is given as \(type), and \(key.app) takes \(wanted.joined(separator: " or "))", "give it as \(wanted[0])",
        [wanted[0]]
      )
    }
    switch key.form {
    case .flag where !isFlag && !["boolean", "booleanType"].contains(type):
      return ("is true or false in lower case for \(key.app)", "write true or false", ["true"])
    case .number where Int64(value) == nil: return ("is a whole number for \(key.app)", "write a whole number", ["1"])
    case .oneOf(let texts) where !texts.contains(value):
      return ("is one of \(texts.joined(separator: ", ")) for \(key.app)", "write one of them", texts)
    case .flag, .number, .oneOf, .text, .patterns, .texts, .bundles: return nil
    }
  }

  /// A token is not one that the service replaces.
  public static let unknownToken = PolicyRule(
    "unknownToken", .error, "Double braces stand around names that the service replaces, and nothing else.", page
  ) { subject, notes in
    guard case .configuration(let configuration) = subject else { return }
    for setting in configuration.settings where !setting.isSecret {
      for token in tokens(in: setting.value ?? "") {
        guard let name = token else {
          notes.add(
            setting, "\(shown(setting)) has {{ without }}",
            remedy: "close it, or write the braces in another way")
          continue
        }
        guard let known = ConfigurationToken.all.first(where: { $0.name == name.lowercased() }) else {
          let near = EditDistance.nearest(to: name.lowercased(), in: ConfigurationToken.all.map(\.name), limit: 1).first
          notes.add(
            setting, "\(shown(setting)) has {{\(JSONExcerpt.plain(name))}}, which the service does not replace",
            trying: near.map { near in
              [
                .setting("write {{\(near)}}, if that is meant", of: setting) {
                  $0.value = $0.value?.replacing("{{\(name)}}", with: "{{\(near)}}")
                }
              ]
            } ?? [], otherwise: "write one of the tokens that it replaces")
          continue
        }
        guard !known.isReplaced(in: configuration.channel, on: configuration.platform) else { continue }
        notes.add(
          setting, "\(shown(setting)) has {{\(known.name)}}, which the service does not replace in this channel",
          remedy: "write another token, or deliver it by the other channel")
      }
    }
  }

  /// The names between double braces; `nil` for braces that are not closed.
  private static func tokens(in text: String) -> [String?] {
    var tokens: [String?] = []
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      guard let end = rest[start.upperBound...].firstRange(of: "}}") else { return tokens + [nil] }
      tokens.append(String(rest[start.upperBound..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    return tokens
  }

  /// A token belongs to another product.
  public static let tokenOfOtherProduct = PolicyRule(
    "tokenOfOtherProduct", .warning,
    "Tokens are those of this service, and not of another product for managing devices.",
    "D deploy Outlook for iOS and Android app configuration settings"
  ) { subject, notes in
    guard case .configuration(let configuration) = subject else { return }
    let foreign: Set<String> = ["{userprincipalname}", "{emailaddress}", "%upn%", "%email%", "%useremail%"]
    for setting in configuration.settings where foreign.contains((setting.value ?? "").lowercased()) {
      notes.add(
        setting, "\(shown(setting)) has a token of another product, which stays as it is",
        trying: ["{{userprincipalname}}", "{{mail}}"].map { token in .setting(token, of: setting) { $0.value = token }
        },
        after: "write ", separatedBy: " or ")
    }
  }

  /// Accounts are restricted, and no account is named.
  public static let accountsWithoutName = PolicyRule(
    "accountsWithoutName", .warning, "On iOS, keys about the managed account stand beside its name, IntuneMAMUPN.",
    "\(page) for iOS; D create app protection policies"
  ) { subject, notes in
    guard case .configuration(let configuration) = subject, configuration.platform == .ios,
      !configuration.settings.contains(where: { $0.key == "IntuneMAMUPN" })
    else { return }
    for name in ["IntuneMAMAllowedAccountsOnly", "IntuneMAMRequireAccounts", "IntuneMAMOID"] {
      guard let setting = configuration.settings.first(where: { $0.key == name }) else { continue }
      notes.add(
        setting, "\(name) has no effect without IntuneMAMUPN",
        trying: [
          .configuration("add IntuneMAMUPN with {{userprincipalname}}") {
            var name = setting
            (name.key, name.value) = ("IntuneMAMUPN", "{{userprincipalname}}")
            $0.settings.append(name)
          }
        ])
    }
  }

  private static let lists = ["AllowListURLs", "BlockListURLs"].map { "com.microsoft.intune.mam.managedbrowser.\($0)" }

  /// Both lists of URLs are set.
  public static let twoURLLists = PolicyRule(
    "twoURLLists", .warning, "Edge has a list of allowed URLs or one of blocked URLs; of both, the first counts.", edge
  ) { subject, notes in
    guard case .configuration(let configuration) = subject else { return }
    let found = lists.compactMap { name in
      configuration.settings.first { $0.key == name && $0.value?.isEmpty == false }
    }
    guard found.count == 2 else { return }
    notes.add(
      found[1], "AllowListURLs is set too, so that BlockListURLs has no effect",
      remedy: "keep one of the two lists")
  }

  /// A pattern of URLs matches nothing.
  public static let invalidURLPattern = eachSetting(
    "invalidURLPattern", .error, "A pattern of URLs is one that Edge reads; vertical bars separate several.", edge
  ) { setting, _, notes in
    guard lists.contains(setting.key), let value = setting.value, !value.contains("{{") else { return }
    if value.contains(","), !value.contains("|") {
      notes.add(
        setting, "\(shown(setting)) separates its URLs with commas",
        trying: [
          .setting("separate them with vertical bars: https://a.com|https://b.com", of: setting) {
            $0.value = value.replacing(",", with: "|")
          }
        ],
        otherwise:
          "separate them with vertical bars, and write * as the first label of the host or as the last part of the path"
      )
      return
    }
    // Places of an organization are counted rather than quoted.
    let wrong = value.split(separator: "|", omittingEmptySubsequences: false).firstIndex { !isPattern($0) }
    guard let wrong else { return }
    let index = value.split(separator: "|", omittingEmptySubsequences: false).distance(from: 0, to: wrong)
    notes.add(
      setting, "pattern \(index + 1) of \(shown(setting)) matches no URL",
      remedy: "write * as the first label of the host or as the last part of the path, such as https://*.contoso.com/*")
  }

  /// Of the documented mistakes: a wildcard for all hosts, for all below one label, within a host or within the path, and a blank.
  private static func isPattern(_ pattern: Substring) -> Bool {
    let pattern = pattern.drop { $0 == " " }
    guard !pattern.isEmpty else { return false }
    let rest = ["https://", "http://"].first(where: pattern.hasPrefix).map { pattern.dropFirst($0.count) } ?? pattern
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let host = parts.first.map { $0.prefix { $0 != ":" } } ?? ""
    let path = parts.count > 1 ? parts[1] : ""
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard let first = labels.first, !first.isEmpty, !rest.contains(" "),
      labels.dropFirst().allSatisfy({ !$0.contains("*") }), !first.dropFirst().contains("*"),
      first.first != "*" || labels.count > (first == "*" ? 2 : 1)
    else { return false }
    return !path.contains("*") || path == "*" || (path.hasSuffix("/*") && !path.dropLast().contains("*"))
  }

  /// A key for messages.
  private static func shown(_ setting: AppConfigurationDocument.Setting) -> String { JSONExcerpt.plain(setting.key) }
}

extension KnownConfigurationKey.Form {
  /// The members of a payload that may hold the value.
  fileprivate var payloadTypes: [String] {
    switch self {
    case .text, .oneOf, .patterns: ["valueString"]
    case .flag: ["valueBool"]
    case .number: ["valueInteger"]
    case .texts: ["valueStringArray"]
    case .bundles: ["valueBundleArray", "valueBundle"]
    }
  }
}

extension LintNotes {
  /// Adds a finding about one setting of an app configuration.
  fileprivate mutating func add(_ setting: AppConfigurationDocument.Setting, _ message: String, remedy: String) {
    add(setting.list.rawValue, element: setting.element, message, remedy: remedy)
  }

  /// Adds a finding about one setting of an app configuration, with changes that may mend it.
  fileprivate mutating func add(
    _ setting: AppConfigurationDocument.Setting, _ message: String, trying trials: [LintTrial],
    after prefix: String = "", separatedBy mark: String = ", or ", otherwise remedy: String = Self.undecided
  ) {
    add(
      setting.list.rawValue, element: setting.element, message, trying: trials, after: prefix, separatedBy: mark,
      otherwise: remedy)
  }
}
