import AppProtection
import JSON

extension AppConfigurationDocument {
  /// The delivery channel.
  public enum Channel: String, Equatable, Sendable {
    /// Delivered with the policies for an account.
    case managedApps
    /// Delivered by device management.
    case managedDevices

    /// The channel's name in the portal.
    public var name: String {
      self == .managedApps ? "App configuration for managed apps" : "App configuration for managed devices"
    }

    /// The channel identified by an object's members if it has no type, such as a request to Graph that creates one;
    /// `nil` if they do not identify an app configuration.
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
      } else if object["encodedSettingXml"] != nil || object["payloadJson"] != nil
        || settings.contains(where: { $0["appConfigKey"] != nil })
      {
        self = .managedDevices
      } else {
        return nil
      }
    }
  }
}
