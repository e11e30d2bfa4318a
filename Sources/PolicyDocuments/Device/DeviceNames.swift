import AppProtection
import JSON

/// What the names in an object, or of lines, tell: are they the settings of a device's policy?
///
/// Nine names of a device differ from those of Graph only in case, so that a piece of a Graph policy has names of both.
/// Single words, such as `version` and `apps`, may stand anywhere and tell nothing.
struct DeviceNames {
  /// How many names are settings that devices are documented to have, and that say something about a policy.
  private var settings = 0
  /// Whether one of these is like no name of Graph.
  private var hasOwn = false
  /// Whether every name is documented for devices, in this spelling.
  private var areAllDocumented: Bool
  /// The first name that is exactly one of Graph.
  private var exact: String?
  /// The first name that is one of Graph but for its case, and none of a device.
  private var similar: String?

  /// Looks at names.
  ///
  /// - Parameters:
  ///   - settings: The names that have a single value.
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

  /// Looks at the names in an object.
  init(of object: JSONObject, _ scalars: [JSONObject.Member]) {
    self.init(settings: scalars.map(\.name), all: object.members.map(\.name))
  }

  /// A name that shows that these are members of Graph; `nil` when none does.
  var foreign: String? { exact ?? (hasOwn ? nil : similar) }

  /// Whether these are certainly the settings of a policy, standing under a member of this name.
  func arePolicy(under name: String) -> Bool {
    guard foreign == nil, settings > 0 else { return false }
    return settings > 1 || areAllDocumented || name == "IntuneMAMPolicies"
  }
}
