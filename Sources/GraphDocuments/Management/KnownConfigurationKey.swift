import AppProtection
import PlainText

/// A key of app configurations that Microsoft documents for one of its apps, or that an app declares to managed Google Play.
///
/// Keys are compared code point by code point, as apps compare them. The lists are of June 2026; a key that is missing in
/// them need not be wrong.
public struct KnownConfigurationKey: Sendable {
  /// What the value of a key is.
  public enum Form: Equatable, Sendable {
    /// Any text.
    case text
    /// True or false.
    case flag
    /// A whole number.
    case number
    /// One of these texts.
    case oneOf([String])
    /// A list of texts: of Edge's URL patterns, which vertical bars separate.
    case patterns
    /// A list of texts, which device management of Android types as one.
    case texts
    /// Groups of keys.
    case bundles
  }

  /// The app, or apps, that read it.
  public let app: String
  /// The key.
  public let name: String
  /// How it is delivered.
  public let channels: Set<AppConfigurationDocument.Channel>
  /// The platforms whose apps read it.
  public let platforms: Set<PolicyPlatform>
  /// What its value is.
  public let form: Form
  /// Whether its value is a secret.
  public let isSecret: Bool

  /// Every key. Several apps, or one app on several platforms, may have a key of the same name.
  public static let all: [KnownConfigurationKey] =
    accounts + outlook + edge + teams + office + defender + homeScreen + authenticator

  /// The keys with this name.
  package static func named(_ name: String) -> [KnownConfigurationKey] {
    (byLowerCaseName[name.lowercased()] ?? []).filter { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The known key of which a name differs in case alone.
  package static func misspelling(_ name: String) -> KnownConfigurationKey? {
    let found = byLowerCaseName[name.lowercased()] ?? []
    return found.contains { $0.name.utf8.elementsEqual(name.utf8) } ? nil : found.first
  }

  /// The key that a name near to it may mean, unless it is one of `present`. What the names of an app have in common makes them
  /// no nearer.
  package static func nearest(to name: String, except present: Set<String>) -> String? {
    let prefix = prefixes.first(where: name.hasPrefix) ?? ""
    let names = all.map(\.name).filter { $0.hasPrefix(prefix) && !present.contains($0) }
    return EditDistance.nearest(
      to: String(name.dropFirst(prefix.count)), in: names.map { String($0.dropFirst(prefix.count)) }, limit: 1
    ).first.map { prefix + $0 }
  }

  /// The month of the lists.
  package static let date = "June 2026"

  /// The beginnings of keys that belong to an app of the lists.
  package static let prefixes = [
    "com.microsoft.outlook.", "com.microsoft.intune.mam.", "com.microsoft.teams.", "com.microsoft.office.", "IntuneMAM",
  ]

  private static let byLowerCaseName = Dictionary(grouping: all) { $0.name.lowercased() }

  /// Keys that agree in all but their names.
  private static func keys(
    _ app: String, _ channels: Set<AppConfigurationDocument.Channel>, _ platforms: Set<PolicyPlatform>, _ form: Form,
    prefix: String = "", isSecret: Bool = false, _ names: [String]
  ) -> [KnownConfigurationKey] {
    names.map {
      Self(app: app, name: prefix + $0, channels: channels, platforms: platforms, form: form, isSecret: isSecret)
    }
  }

  private static let mobile: Set<PolicyPlatform> = [.ios, .android]
  private static let both: Set<AppConfigurationDocument.Channel> = [.managedApps, .managedDevices]

  /// Keys that the SDK itself reads.
  private static let accounts: [KnownConfigurationKey] =
    keys("apps with the SDK", [.managedDevices], [.ios], .text, ["IntuneMAMUPN", "IntuneMAMOID", "IntuneMAMDeviceID"])
    // The portal writes it for Outlook on Android too.
    + keys("apps with the SDK", [.managedDevices], mobile, .text, ["IntuneMAMAllowedAccountsOnly"])
    + keys("apps with the SDK", [.managedDevices], [.ios], .text, ["IntuneMAMRequireAccounts"])
    + keys(
      "apps with the SDK", [.managedDevices], [.android], .text, ["com.microsoft.intune.mam.AllowedAccountUPNs"])
    + keys(
      "apps with the SDK", [.managedApps], mobile, .flag, prefix: "com.microsoft.intune.",
      ["mam.areWearablesAllowed", "useEdge"])
    + keys(
      "apps with the SDK", [.managedApps], [.ios], .text, prefix: "com.microsoft.intune.mam.",
      ["visionOSAllowiPadCompatApps", "screencapturecontrol", "IntuneMAMOnly.RequireAADRegistration"])
    + keys(
      "apps with the SDK", [.managedApps], [.android], .flag,
      ["com.microsoft.intune.mam.IntuneMAMOnly.AllowOfflineCachingWhenSaveAsBlocked"])
    + keys("apps with the SDK", [.managedApps], [.android], .text, ["com.microsoft.intune.myappstore"])
    + keys("Company Portal", [.managedDevices], [.ios], .bundles, ["IntuneCompanyPortalEnrollmentAfterUDA"])
    + keys("Company Portal", [.managedDevices], [.ios], .text, ["IntuneUDAUserlessDevice"])

  private static let outlook: [KnownConfigurationKey] = {
    let prefix = "com.microsoft.outlook."
    func withUserChoice(_ names: [String]) -> [String] { names.flatMap { [$0, "\($0).UserChangeAllowed"] } }
    let contacts = [
      "Address", "Birthday", "Company", "Department", "Email", "InstantMessage", "JobTitle", "Nickname", "Notes",
      "PhoneHome", "PhoneHomeFax", "PhoneMobile", "PhoneOther", "PhonePager", "PhoneWork", "PhoneWorkFax", "Prefix",
      "Suffix",
    ]
    return keys(
      "Outlook", [.managedDevices], mobile, .text, prefix: prefix,
      ["EmailProfile.EmailAddress", "EmailProfile.EmailUPN"])
      + keys(
        "Outlook", [.managedDevices], mobile, .oneOf(["ModernAuth", "BasicAuth"]), prefix: prefix,
        ["EmailProfile.AccountType"])
      + keys(
        "Outlook", both, mobile, .flag, prefix: prefix,
        [
          "Mail.FocusedInbox", "Mail.ExternalRecipientsToolTipEnabled", "Mail.DefaultSignatureEnabled",
          "Mail.OfficeFeedEnabled", "Mail.OrganizeByThreadEnabled", "Mail.PlayMyEmailsEnabled",
          "Settings.ThemesEnabled",
        ]
          + withUserChoice([
            "Contacts.LocalSyncEnabled", "Mail.BlockExternalImagesEnabled", "Mail.SuggestedRepliesEnabled",
            "Mail.TextPredictionsEnabled", "Mail.SMIMEEnabled",
          ]))
      + keys("Outlook", both, [.ios], .flag, prefix: prefix, withUserChoice(["Auth.Biometric"]))
      + keys("Outlook", both, [.android], .flag, prefix: prefix, withUserChoice(["Calendar.NativeSyncEnabled"]))
      + keys(
        "Outlook", [.managedDevices], mobile, .flag, prefix: prefix,
        withUserChoice(["Mail.SMIMEEnabled.EncryptAllMail", "Mail.SMIMEEnabled.SignAllMail"]))
      + keys("Outlook", [.managedDevices], [.android], .text, prefix: prefix, ["Mail.SMIMEEnabled.LDAPHostName"])
      + keys("Outlook", [.managedDevices], [.android], .flag, prefix: prefix, ["Mail.SMIMEEnabled.CertsFromIntune"])
      + keys(
        "Outlook", [.managedApps], [.android], .flag, prefix: prefix, ["Calendar.NativeSyncAvailable.IntuneMAMOnly"])
      + keys(
        "Outlook", [.managedApps], mobile, .oneOf(["0"]), prefix: prefix, ["Calendar.Notifications.IntuneMAMOnly"])
      + keys(
        "Outlook", [.managedApps], mobile, .flag, prefix: prefix, contacts.map { "ContactSync.\($0)Allowed" })
  }()

  private static let teams: [KnownConfigurationKey] =
    keys("Teams", [.managedDevices], mobile, .text, ["domain_name"])
    + keys("Teams", [.managedDevices], mobile, .flag, ["enable_numeric_emp_id_keypad"])
    + keys("Teams, Authenticator", [.managedDevices], [.android], .text, ["preferred_auth_config"])
    + keys("Teams", [.managedDevices], [.android], .flag, ["com.microsoft.teams.forceLoginUsingPassword"])
    + keys(
      "Teams", [.managedApps], mobile, .oneOf(["0", "1"]), prefix: "com.microsoft.teams.",
      // Another page has the last as "others", without saying what its value is.
      ["chat", "channel", "other"].map { "\($0).notifications.IntuneMAMOnly" })

  private static let office: [KnownConfigurationKey] =
    keys(
      "Microsoft 365", both, mobile, .flag, prefix: "com.microsoft.office.",
      [
        "NotesCreationEnabled", "officemobile.TeamsApps.IsAllowed", "officemobile.Feed.IsAllowed",
        "officemobile.BingChatEnterprise.IsAllowed",
      ])
    // One page has them for iOS alone, another for both platforms.
    + keys(
      "Microsoft 365", both, mobile, .flag, prefix: "com.microsoft.office.",
      ["OfficeWebAddinDisableAllCatalogs", "OfficeWebAddinDisableOMEXCatalog"])
    // Of the page of 2022; the one of 2025 no longer has them.
    + keys(
      "Microsoft 365", [.managedApps], mobile, .flag, prefix: "com.microsoft.office.",
      ["ShareNearby.IsAllowed.IntuneMAMOnly", "TransferFiles.IsAllowed.IntuneMAMOnly"])

  private static let authenticator: [KnownConfigurationKey] =
    keys("Authenticator", [.managedDevices], [.android], .flag, ["suppress_camera_consent"])
    // Also for shared devices with iOS (D shared device mode for iOS devices).
    + keys("Authenticator", [.managedDevices], mobile, .flag, ["sharedDeviceMode"])
    + keys(
      "Authenticator", [.managedDevices], [.android], .text,
      ["sharedDeviceTenantId", "sharedDeviceRegistrationPrefillUpn"])
    + keys(
      "Authenticator", [.managedDevices], [.android], .text, isSecret: true, ["sharedDeviceRegistrationToken"])

  private static let defender: [KnownConfigurationKey] =
    keys(
      "Defender", both, [.ios], .flag,
      [
        "WebProtection", "DefenderNetworkProtectionEnable", "DefenderEndUserTrustFlowEnable",
        "DefenderNetworkProtectionAutoRemediation", "DefenderNetworkProtectionPrivacy", "DefenderExcludeURLInReport",
        "DisableSignOut", "SuppressOSUpdateNotification",
      ])
    + keys(
      "Defender", [.managedDevices], [.ios], .flag,
      ["DefenderTVMPrivacyMode", "DefenderOptionalVPN", "DefenderFeedbackData"])
    + keys("Defender", [.managedDevices], [.ios], .text, ["issupervised"])
    + keys("Defender", both, mobile, .text, ["DefenderDeviceTag"])
    + keys("Defender", both, [.ios], .oneOf(["0", "1", "2"]), ["DefenderOpenNetworkDetection"])
    + keys("Defender", [.managedApps], [.android], .oneOf(["1"]), ["DefenderMAMConfigs"])
    + keys(
      "Defender", both, [.android], .number,
      [
        "antiphishing", "vpn", "DefenderNetworkProtectionEnable", "DefenderOpenNetworkDetection",
        "DefenderCertificateDetection", "DefenderTVMPrivacyMode", "DisableSignOut", "DefenderSendFeedback",
      ])
    + keys("Defender", [.managedDevices], [.android], .number, defenderReports)
    // Their page writes 1 in one place, and true in another.
    + keys("Defender", [.managedApps], [.android], .oneOf(["0", "1", "false", "true"]), defenderReports)
    // In device management they are numbers, in the other channel texts such as "true".
    + [(AppConfigurationDocument.Channel.managedDevices, Form.number), (.managedApps, .text)].flatMap { channel, form in
      keys(
        "Defender", [channel], [.android], form,
        [
          "DefenderEndUserTrustFlowEnable", "DefenderNetworkProtectionAutoRemediation",
          "DefenderNetworkProtectionPrivacy",
        ])
    }
    + keys("Defender", both, [.android], .text, ["DefenderAllowlistedCACertificates"])
    + keys(
      "Defender", [.managedDevices], [.android], .number,
      [
        "EnableNonAPKFileScan", "GlobalSecureAccessPrivateChannel", "GlobalSecureAccessPA", "EnableGSA",
        "EnableLowTouchOnboarding", "DefenderTVMPrivacyMode-PP", "DefenderExcludeAppInReport-PP",
        "DefenderExcludeURLInReport-PP", "defendertoggle_PP", "defendertoggle",
      ])
    + keys("Defender", [.managedDevices], [.android], .text, ["TunnelGuestTenantId", "UserUPN"])

  private static let defenderReports = [
    "DefenderExcludeURLInReport", "DefenderExcludeAppInReport", "DefenderOptionalVPN", "DefenderOptionalAccessibility",
  ]

  private static let homeScreen: [KnownConfigurationKey] = {
    let app = "Managed Home Screen"
    return keys(
      app, [.managedDevices], [.android], .flag,
      [
        "lock_home_screen", "app_order_enabled", "apps_in_folder_ordered_by_name", "show_managed_setting",
        "show_wifi_setting", "enable_wifi_allowlist", "show_bluetooth_setting", "show_volume_setting",
        "show_call_volume_control", "show_ring_volume_control", "show_notification_volume_control",
        "show_alarm_volume_control", "show_flashlight_setting", "show_brightness_slider",
        "show_adaptive_brightness_toggle", "show_autorotate_toggle", "show_ringtone_selector",
        "show_device_info_setting", "show_device_name", "show_virtual_home", "show_virtual_status_bar",
        "show_notification_badge", "enable_easy_access_debugmenu", "show_screen_saver",
        "media_detect_before_screen_saver", "enable_max_inactive_time_outside_MHS",
        "enable_max_absolute_time_outside_MHS", "block_pinning_browser_web_pages_to_MHS", "enable_mhs_signin",
        "enable_corporate_logo", "enable_session_PIN", "enable_auto_signout", "enable_PIN_to_resume",
        "enable_fixed_signout", "enable_language_setting",
      ])
      + keys(
        app, [.managedDevices], [.android], .number,
        [
          "icon_size", "app_folder_icon", "screen_orientation", "offline_work_time_before_required_sign_in",
          "max_number_of_attempts_for_exit_PIN", "max_number_of_attempts_for_session_PIN",
          "amount_of_time_before_try_exit_PIN_again", "screen_saver_show_time",
          "inactive_time_to_show_screen_saver", "max_inactive_time_outside_MHS", "max_absolute_time_outside_MHS",
          "inactive_time_to_signout", "auto_signout_time_to_give_user_notice",
          "minimum_inactive_time_before_session_pin_required", "minimum_length_for_session_PIN",
          "fixed_time_to_signout",
          "fixed_time_to_give_user_notice",
        ])
      + keys(
        app, [.managedDevices], [.android], .text,
        [
          "wallpaper", "grid_size", "device_serial_number", "device_name", "header_primary_element",
          "header_secondary_element", "header_name_style", "screen_saver_image", "login_hint_text",
          "signin_screen_wallpaper", "signin_screen_branding_logo", "session_PIN_complexity", "domain_name",
          "custom_privacy_statement_title", "custom_privacy_statement_url",
        ])
      + keys(app, [.managedDevices], [.android], .oneOf(["light", "dark"]), ["theme_color"])
      + keys(app, [.managedDevices], [.android], .oneOf(["swipe_up", "float"]), ["virtual_home_type"])
      + keys(
        app, [.managedDevices], [.android], .oneOf(["none", "float", "swipe_up"]), ["virtual_app_switcher_type"])
      + keys(app, [.managedDevices], [.android], .oneOf(["AAD", "Other"]), ["signin_type"])
      + keys(app, [.managedDevices], [.android], .text, isSecret: true, ["exit_lock_task_mode_code"])
      + keys(
        app, [.managedDevices], [.android], .bundles,
        ["applications", "weblinks", "widgets", "managed_folders", "app_orders", "wifi_allowlist"])
  }()
}
