import AppProtection
import JSON

extension AppConfiguration {
  /// Over which channel it comes.
  public enum Channel: String, Equatable, Sendable {
    /// With the policies for an account.
    case managedApps
    /// With the device's management.
    case managedDevices

    /// The portal's name.
    public var name: String {
      self == .managedApps ? "App configuration for managed apps" : "App configuration for managed devices"
    }

    /// The channel that an object's members tell, where it has no type, as what is sent to Graph to create one; `nil`
    /// when they do not tell that it is an app configuration.
    init?(members object: JSONObject) {
      let decides = object.members.contains { member in
        PolicyProperty.named(member.name).map { $0.effect == .steersDecisions } ?? false
      }
      let settings = object["settings"]?.array?.compactMap(\.object) ?? []
      if let technologies = object["technologies"]?.string {
        guard technologies.split(separator: ",").contains("mobileApplicationManagement") else { return nil }
        self = .managedApps
      } else if decides {
        return nil
      } else if object["customSettings"]?.array != nil || settings.contains(where: { $0["settingInstance"] != nil }) {
        self = .managedApps
      } else if object["encodedSettingXml"] != nil || settings.contains(where: { $0["appConfigKey"] != nil }) {
        self = .managedDevices
      } else {
        return nil
      }
    }
  }
}
