/// The keys of Microsoft Edge: those of the channel for managed apps (D manage Microsoft Edge with Intune), and those of device
/// management, which has other names for most (D Microsoft Edge mobile policies).
extension KnownConfigurationKey {
  static let edge: [KnownConfigurationKey] = edgeOfApps + edgeOfDevices

  private static let prefix = "com.microsoft.intune.mam.managedbrowser."

  private static let edgeOfApps: [KnownConfigurationKey] =
    edgeKeys(
      .flag,
      [
        "AllowTransitionOnBlock", "AppProxyRedirection", "Chat", "ChatPageContext", "CopilotMode",
        "DefaultSearchProviderEnabled", "EnableInteractiveModeForWebSSO",
        "ManageRestrictedSubresourceEnabled", "MyApps", "NewTabPage.BrandColor",
        "NewTabPage.BrandLogo", "NewTabPage.IndustryNews", "NewTabPageLayout.UserSelectable", "PasswordSSO",
        "SSLErrorOverrideAllowed", "SmartScreenEnabled", "ThemeAvailable", "account.syncDisabled", "defaultHTTPS",
        "disableImportPasswords", "disableShareUsageData", "experiments.EnableWebSSOInIframe",
        "openInPrivateIfBlocked", "proxyPacUrl.FailOpenEnabled",
      ])
    + edgeKeys(
      on: [.android], .flag,
      ["MicrosoftRootStoreEnabled", "enableKioskMode", "showAddressBarInKioskMode", "showBottomBarInKioskMode"])
    + edgeKeys(on: [.ios], .flag, ["IgnorePostRequestOnAutoTransition"])
    + edgeKeys(.oneOf(["focused", "inspirational", "informational", "custom"]), ["NewTabPageLayout"])
    + edgeKeys(on: [.android], .oneOf(["0", "1", "2", "3"]), ["cookieControlsMode"])
    // Without effect from version 122 on, and in real configurations still.
    + edgeKeys(on: [.ios], .oneOf(["0", "1", "2"]), ["PersistentWebsiteDataStore"])
    + edgeKeys(on: [.ios], .text, ["ProxyRelayUrl"])
    + edgeKeys(.oneOf(["0", "1", "2"]), ["AutoTransitionModeOnBlock", "RestoreBrowsingOption"])
    + edgeKeys(.oneOf(["1", "2"]), ["DefaultPopupsSetting", "ProfileAutoSwitchToWork"])
    + edgeKeys(.oneOf(["0", "1"]), ["NetworkStackPref"])
    + edgeKeys(.number, ["durationOfOpenInPrivateSnackBar", "durationOfNTLMSSO"])
    + edgeKeys(.patterns, ["AllowListURLs", "BlockListURLs"])
    + edgeKeys(
      .text,
      [
        "DefaultSearchProviderName", "DefaultSearchProviderSearchURL", "FileUploadAllowedForUrls",
        "FileUploadBlockedForUrls", "InternalPagesBlockList", "NTLMSSOURLs", "NewTabPage.CustomURL",
        "NewTabPageLayout.Custom", "PopupsAllowedForUrls", "PopupsBlockedForUrls", "bookmarks",
        "disableMvpn", "disabledFeatures", "homepage", "managedTopSites", "proxyPacUrl",
      ])

  // Documents for device management of iOS use the other channel's names too, so that lint takes them for known there.
  private static func edgeKeys(
    on platforms: Set<PolicyPlatform> = [.ios, .android], _ form: Form, _ names: [String]
  ) -> [KnownConfigurationKey] {
    names.map {
      Self(
        app: "Edge", name: prefix + $0, channels: [.managedApps], platforms: platforms, form: form, isSecret: false)
    }
  }

  private static let edgeOfDevices: [KnownConfigurationKey] =
    deviceKeys(
      [.ios, .android], .flag,
      [
        "CopilotMode", "DefaultSearchProviderEnabled", "EdgeAllowedAccountOnly", "EdgeChatPageContext",
        "EdgeCopilotEnabled", "EdgeDefaultHTTPS", "EdgeDisableShareUsageData", "EdgeEnableKioskMode",
        "EdgeImportPasswordsDisabled", "EdgeLockedViewModeEnabled", "EdgeMyApps", "EdgeShowAddressBarInKioskMode",
        "EdgeShowBottomBarInKioskMode", "EdgeSyncDisabled", "EdgeThemeEnabled", "MicrosoftRootStoreEnabled",
        "SSLErrorOverrideAllowed", "SmartScreenEnabled",
      ])
    + deviceKeys(
      [.ios, .android], .text,
      [
        "DefaultDesktopSiteSetting", "DefaultPopupsSetting", "DefaultSearchProviderName",
        "DefaultSearchProviderSearchURL", "DesktopSiteForceForUrls", "EdgeAllowedAccountUPN",
        "EdgeDisabledFeatures", "EdgeLockedViewModeAllowedActions", "EdgeNetworkStackPref",
        "EdgeNewTabPageCustomURL", "EdgeOneAuthProxy", "MobileSiteForceForUrls", "PopupsAllowedForUrls",
        "PopupsBlockedForUrls", "URLAllowlist", "URLBlocklist",
      ])
    + deviceKeys(
      [.android], .flag,
      [
        "AccessControlAllowMethodsInCORSPreflightSpecConformant", "AccessibilityPerformanceFilteringAllowed",
        "AdditionalDnsQueryTypesEnabled", "AddressBarWorkSearchResultsEnabled",
        "AllowBackForwardCacheForCacheControlNoStorePageEnabled", "AllowWebAuthnWithBrokenTlsCerts",
        "AlternateErrorPagesEnabled", "AutofillAddressEnabled", "AutofillCreditCardEnabled",
        "BackForwardCacheEnabled", "BiometricAuthenticationBeforeFilling", "BlockThirdPartyCookies",
        "BuiltInDnsClientEnabled", "CAPlatformIntegrationEnabled", "CORSNonWildcardRequestHeadersSupport",
        "DataURLWhitespacePreservationEnabled", "DataUrlInSvgUseEnabled", "DefaultBrowserSettingEnabled",
        "DisableAuthNegotiateCnameLookup", "EdgeBlockSignInEnabled", "EdgeBrandColor", "EdgeBrandLogo",
        "EdgeDisableShareBrowsingHistory", "EdgeNewTabPageLayoutUserSelectable", "EdgeSharedDeviceSupportEnabled",
        "EditFavoritesEnabled", "EnableMediaRouter", "EncryptedClientHelloEnabled", "ForceGoogleSafeSearch",
        "ForcePermissionPolicyUnloadDefaultEnabled", "HappyEyeballsV3Enabled", "HideFirstRunExperience",
        "IPv6ReachabilityOverrideEnabled", "ImportPasswordsDisabled", "NtlmV2Enabled",
        "OverlayPermissionDetectionEnabled", "PartitionedBlobUrlUsage", "PasswordManagerEnabled",
        "PaymentMethodQueryEnabled", "PostQuantumKeyAgreementEnabled", "PrintingEnabled",
        "PromptForDownloadLocation", "QRCodeGeneratorEnabled", "ReduceAcceptLanguageEnabled",
        "RelatedWebsiteSetsEnabled", "SavingBrowserHistoryDisabled", "ScrollToTextFragmentEnabled",
        "SearchSuggestEnabled", "ServiceWorkerToControlSrcdocIframeEnabled", "SyncDisabled", "TranslateEnabled",
        "VirtualKeyboardResizesLayoutByDefault",
      ])
    + deviceKeys(
      [.android], .text,
      [
        "AllHttpAuthSchemesAllowedForOrigins", "AllowedDomainsForApps", "AuthAndroidNegotiateAccountType",
        "AuthNegotiateDelegateAllowlist", "AuthSchemes", "AuthServerAllowlist", "CACertificates",
        "CACertificatesWithConstraints", "CADistrustedCertificates", "CAHintCertificates",
        "CertificateTransparencyEnforcementDisabledForCas", "CertificateTransparencyEnforcementDisabledForUrls",
        "CookiesAllowedForUrls", "CookiesBlockedForUrls", "CookiesSessionOnlyForUrls", "DefaultCookiesSetting",
        "DefaultGeolocationSetting", "DefaultJavaScriptJitSetting", "DefaultJavaScriptOptimizerSetting",
        "DefaultJavaScriptSetting", "DefaultSearchProviderEncodings", "DefaultSearchProviderImageURL",
        "DefaultSearchProviderImageURLPostParams", "DefaultSearchProviderSuggestURL", "DefaultSensorsSetting",
        "DefaultWebBluetoothGuardSetting", "DefaultWebUsbGuardSetting", "DownloadRestrictions",
        "EdgeNewTabPageLayout", "EdgeNewTabPageLayoutCustom", "ExperimentationAndConfigurationServiceControl",
        "ExtensionSettings", "ForceYouTubeRestrict", "HSTSPolicyBypassList", "HttpAllowlist", "HttpsOnlyMode",
        "InPrivateModeAvailability", "JavaScriptAllowedForUrls", "JavaScriptBlockedForUrls",
        "JavaScriptJitAllowedForSites", "JavaScriptJitBlockedForSites", "JavaScriptOptimizerAllowedForSites",
        "JavaScriptOptimizerBlockedForSites", "ManagedFavorites", "NetworkPredictionOptions", "NewTabPageLocation",
        "OverrideSecurityRestrictionsOnInsecureOrigin", "ProxySettings", "RelatedWebsiteSetsOverrides",
        "SSLErrorOverrideAllowedForOrigins", "SensorsAllowedForUrls", "SensorsBlockedForUrls",
        "WebAuthenticationRemoteDesktopAllowedOrigins", "WebRtcUdpPortRange", "WebUsbAllowDevicesForUrls",
        "WebUsbAskForUrls", "WebUsbBlockedForUrls",
      ])
    + deviceKeys([.android], .number, ["EdgeRestoreBrowsingOption", "IdleTimeout"])
    + deviceKeys([.android], .texts, ["DisabledMiniApps", "IdleTimeoutActions"])

  private static func deviceKeys(
    _ platforms: Set<PolicyPlatform>, _ form: Form, _ names: [String]
  ) -> [KnownConfigurationKey] {
    names.map {
      Self(
        app: "Edge", name: $0, channels: [.managedDevices], platforms: platforms, form: form, isSecret: false)
    }
  }
}
