import AppProtection

/// What several app configurations give one user in one app, and where they contradict one another.
///
/// ```swift
/// for setting in ConfigurationCombination(of: configurations).settings where setting.isConflict { print(setting.key) }
/// ```
///
/// No configuration comes before another: where two differ, the app takes any value, the smallest or the largest (S002 App
/// configuration), so that the documents alone do not say which one counts.
public struct ConfigurationCombination: Sendable {
  /// What the configurations say of one key.
  public struct Setting: Sendable {
    /// The key; keys are compared as they are.
    public let key: String
    /// The values that differ, each with its types and the configurations that have it, by their places from 0.
    public let values: [(value: PortalValue, types: [String], from: [Int])]
    /// Whether they contradict one another.
    public var isConflict: Bool { values.count > 1 }
  }

  /// The settings, in the order in which the configurations bring their keys.
  public let settings: [Setting]

  /// Combines configurations.
  public init(of configurations: [AppConfigurationDocument]) {
    var keys: [String] = []
    var found: [String: [(meaning: [String?], value: PortalValue, types: [String], from: [Int])]] = [:]
    for (place, configuration) in configurations.enumerated() {
      // The settings catalog may have a key several times.
      let settings = Dictionary(grouping: configuration.settings, by: \.key)
      var seen: Set<String> = []
      for key in configuration.settings.map(\.key) where seen.insert(key).inserted {
        let own = settings[key] ?? []
        let meaning = own.map(\.value)
        if found[key] == nil { keys.append(key) }
        if let known = found[key]?.firstIndex(where: { $0.meaning == meaning }) {
          found[key]?[known].from.append(place)
          let new = own.compactMap(\.type).filter { found[key]?[known].types.contains($0) == false }
          found[key]?[known].types += new
        } else if let value = PortalValue.joined(own.map(\.shown)) {
          found[key, default: []].append((meaning, value, own.compactMap(\.type), [place]))
        }
      }
    }
    assert(Set(keys).count == keys.count, "a key was combined twice")
    settings = keys.map { key in
      Setting(key: key, values: found[key, default: []].map { ($0.value, $0.types, $0.from) })
    }
  }
}

extension AppConfigurationDocument {
  /// Whom and what it is for, as a policy says it.
  var targeting: PolicyDocument.Targeting {
    var targeting = PolicyDocument.Targeting()
    targeting.appGroupType = appGroupType
    targeting.isAssigned = isAssigned
    targeting.assignments = assignments
    targeting.apps = managedApps.map { apps in
      zip(apps, appNames).map { app, name in
        var app = app
        // The package of an app on Android stands in the place of the bundle identifier.
        if app.bundleID == nil, app.id != name { app.bundleID = name }
        return app
      }
    }
    targeting.targetedAppManagementLevels = targetedAppManagementLevels.map { names in
      AppManagementLevels(
        rawValue: names.split(separator: ",").reduce(0) { bits, name in
          let name = name.filter { $0 != " " }
          return bits | (AppManagementLevels.names.first { $0.name == name }?.number ?? 0)
        })
    }
    return targeting
  }
}
