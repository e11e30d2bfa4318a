import AppProtection

/// A name in double braces that the service replaces for each user or device. Case does not matter.
struct ConfigurationToken: Sendable {
  /// The name, in lower case.
  let name: String
  /// The platforms of managed devices for which it is replaced.
  private let devices: Set<PolicyPlatform>
  /// Whether it is replaced for managed apps.
  private let isForApps: Bool

  /// Whether it is replaced in a configuration.
  func isReplaced(in channel: AppConfigurationDocument.Channel, on platform: PolicyPlatform?) -> Bool {
    switch channel {
    case .managedApps: isForApps
    case .managedDevices: platform.map(devices.contains) ?? !devices.isEmpty
    }
  }

  /// Every token (D app configuration policies for managed iOS/iPadOS devices, for managed Android Enterprise devices, and
  /// for managed apps).
  static let all: [ConfigurationToken] =
    ["userprincipalname", "mail", "partialupn", "accountid", "userid", "username"].map {
      Self(name: $0, devices: [.ios, .android], isForApps: true)
    }
    + ["deviceid", "serialnumber", "serialnumberlast4digits", "aaddeviceid"].map {
      Self(name: $0, devices: [.ios, .android], isForApps: false)
    }
    + ["udidlast4digits", "issupervised", "onpremisessamaccountname", "signeddeviceid"].map {
      Self(name: $0, devices: [.ios], isForApps: false)
    }
    + ["imei", "meid", "devicename", "employeeid", "accountname"].map {
      Self(name: $0, devices: [.android], isForApps: false)
    }
    + [Self(name: "primarysmtpaddress", devices: [], isForApps: true)]
}
