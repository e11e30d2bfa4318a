import AppProtection
import JSON

/// Decides from the names in an object or in lines whether they are the settings of a device's policy.
///
/// Nine of a device's names differ from Graph's only in case, so part of a Graph policy has names of both kinds. Single
/// words, such as `version` and `apps`, may appear anywhere and decide nothing.
struct DeviceNames {
  /// Number of names that are documented device settings and characterise a policy.
  private var settings = 0
  /// Whether one of these resembles no name of Graph.
  private var hasOwn = false
  /// Whether every name is documented for devices in this spelling.
  private var areAllDocumented: Bool
  /// The first name that is exactly one of Graph's.
  private var exact: String?
  /// The first name that differs from one of Graph's only in case and is not a device's.
  private var similar: String?

  /// Examines names.
  ///
  /// - Parameters:
  ///   - settings: The names with a single value.
  ///   - all: All names.
  init(settings: [String], all: [String]) {
    for name in all where name.dropFirst().contains(where: \.isUppercase) {
      let isOfDevice = DeviceSetting.named(name) != nil
      if exact == nil, GraphMember.named(name) != nil { exact = name }
      if similar == nil, !isOfDevice, GraphMember.isName(ignoringCase: name) { similar = name }
    }
    areAllDocumented = all.allSatisfy { name in
      DeviceSetting.named(name).map { ([$0.name] + $0.otherNames).contains(name) } ?? false
    }
    for name in settings where DeviceSetting.named(name)?.properties.isEmpty == false {
      self.settings += 1
      if !GraphMember.isName(ignoringCase: name) { hasOwn = true }
    }
  }

  /// Examines the names in an object.
  init(of object: JSONObject, _ scalars: [JSONObject.Member]) {
    self.init(settings: scalars.map(\.name), all: object.members.map(\.name))
  }

  /// A name that identifies these as members of Graph; `nil` if there is none.
  var foreign: String? { exact ?? (hasOwn ? nil : similar) }

  /// Whether these are definitely the settings of a policy under a member with this name.
  func arePolicy(under name: String) -> Bool {
    guard foreign == nil, settings > 0 else { return false }
    return settings > 1 || areAllDocumented || name == "IntuneMAMPolicies"
  }
}
