extension PublicShape {
  private static let variable = "$(PRODUCT_BUNDLE_IDENTIFIER)"
  private static let window = "UIWindowSceneSessionRoleApplication"

  /// Apps and extensions. The schemes are those of the files; the identifiers of services are left out.
  static let all: [PublicShape] = [
    PublicShape(
      source: "mattermost/mattermost-mobile ios/Mattermost",
      members: members(["BundleEntryFilename": "index.js"]) + head("com.mattermost.rnbeta")
        + members([
          "CFBundleURLTypes": links((nil, "com.mattermost", ["mattermost"])), "LSRequiresIPhoneOS": true,
          "NSAppTransportSecurity": [
            "NSAllowsArbitraryLoads": true,
            "NSExceptionDomains": ["localhost": ["NSExceptionAllowsInsecureHTTPLoads": true]],
          ], "UIBackgroundModes": ["fetch"], "kTCCServiceMediaLibrary": "…",
        ]), twins: ["mattermost-intunemam"]),
    PublicShape(
      source: "mattermost/mattermost-mobile ios/MattermostShare",
      members: members(["AppGroupIdentifier": "group.com.mattermost.rnbeta"])
        + head("com.mattermost.rnbeta.MattermostShare", type: "XPC!") + [
          sharing([
            "NSExtensionActivationDictionaryVersion": 2, "NSExtensionActivationSupportsAttachmentsWithMaxCount": 10,
            "NSExtensionActivationSupportsFileWithMaxCount": 10, "NSExtensionActivationSupportsImageWithMaxCount": 10,
            "NSExtensionActivationSupportsMovieWithMaxCount": 10, "NSExtensionActivationSupportsText": true,
            "NSExtensionActivationSupportsWebURLWithMaxCount": 1,
            "NSExtensionActivationSupportsWebPageWithMaxCount": 1,
          ])
        ] + members(["SENTRY_ENABLED": "$(SENTRY_ENABLED)", "NSHumanReadableCopyright": "(c) …"]), queries: nil),
    PublicShape(
      source: "mozilla-mobile/firefox-ios Client",
      members: members([
        "AppIdentifierPrefix": "$(APP_IDENTIFIER_PREFIX)",
        "BGTaskSchedulerPermittedIdentifiers": ["org.mozilla.ios.sync.part1", "org.mozilla.ios.sync.part2"],
      ]) + head(variable, name: "$(MOZ_PRODUCT_NAME)")
        + members([
          "CFBundleURLTypes": links(
            (nil, "org.mozilla.Client", ["firefox", "$(MOZ_INTERNAL_URL_SCHEME)", "http", "https"])),
          "LSApplicationQueriesSchemes": schemes([
            "pocket", "firefox-focus", "firefox-klar", "ymail", "ms-outlook", "airmail", "italiaonline-mailto",
            "mailru-mailto", "mymail-mailto", "readdle-spark", "itms-books",
            "org-appextension-feature-password-management", "googlegmail", "fastmail", "whatsapp",
          ]), "NSFaceIDUsageDescription": "…", "UIBackgroundModes": ["processing", "remote-notification"],
          "UTImportedTypeDeclarations": [["UTTypeConformsTo": ["public.url"], "UTTypeSize64IconFile": ""]],
        ]), twins: ["firefox-intunemam"], queries: 47, lacksFaceIDText: false),
    PublicShape(
      source: "duckduckgo/iOS DuckDuckGo",
      members: members([
        "BGTaskSchedulerPermittedIdentifiers": ["com.duckduckgo.app.configurationRefresh"],
        "CFBundleIcons": [
          "CFBundleAlternateIcons": [
            "black": ["CFBundleIconFiles": ["AppIconBlack29x29", "AppIconBlack40x40", "AppIconBlack60x60"]]
          ], "CFBundlePrimaryIcon": ["CFBundleIconFiles": ["AppIcon"], "UIPrerenderedIcon": false],
        ],
      ]) + head(variable)
        + members([
          "CFBundleURLTypes": links(
            (
              "Editor", variable,
              [
                "ddgNewSearch", "ddgQuickLink", "ddgBookmarks", "ddgFire", "ddgFavorite", "ddgAddFavorite", "http",
                "https",
              ]
            )), "NSFaceIDUsageDescription": "…", "UIBackgroundModes": ["fetch", "processing"],
        ]),
      twins: [
        "ddgNewSearch-intunemam", "ddgQuickLink-intunemam", "ddgBookmarks-intunemam", "ddgFire-intunemam",
        "ddgFavorite-intunemam", "ddgAddFavorite-intunemam",
      ], lacksFaceIDText: false),
    PublicShape(
      source: "home-assistant/iOS Sources/App",
      members: members([
        "INAlternativeAppNames": [["INAlternativeAppName": "HA"], ["INAlternativeAppName": "Hass"]]
      ]) + head(variable)
        + members([
          "CFBundleURLTypes": links((nil, variable, ["${ENV_URL_HANDLER}", "${MIGRATION_URL_HANDLER}"])),
          "LSApplicationQueriesSchemes": schemes([
            "googlechrome", "googlechromes", "googlechrome-x-callback", "fb", "tweetbot", "twitter", "shortcuts",
            "firefox", "firefox-focus", "firefox-klar", "homeassistant-nc", "homeassistant-nc-dev",
            "homeassistant-ohf", "homeassistant-ohf-dev",
          ]), "NSFaceIDUsageDescription": "…", "NSLocationAlwaysUsageDescription": "over\n\t\t\tseveral\n\t\t\tlines",
          "UIApplicationSceneManifest": scenes([
            "CPTemplateApplicationSceneSessionRoleApplication": ["$(PRODUCT_MODULE_NAME).CarPlaySceneDelegate"],
            window: [nil, "WebViewSceneDelegate", nil],
          ]), "BGTaskSchedulerPermittedIdentifiers": ["io.home-assistant.backgroundfetch"],
          "com.apple.developer.nfc.readersession.felica.systemcodes": ["12FC"],
        ]), queries: 45, lacksFaceIDText: false),
    PublicShape(
      source: "RocketChat/Rocket.Chat.ReactNative ios/RocketChatRN",
      members: members([
        "IS_OFFICIAL": false, "AppGroup": "group.ios.chat.rocket", "bugsnag": ["apiKey": "…"],
      ]) + [Member(key: "CADisableMinimumFrameDurationOnPhone", value: true, unit: "  ")] + head(variable)
        + members([
          "CFBundleURLTypes": links(("Editor", "rocketchat", ["rocketchat"])),
          "KeychainGroup": "$(AppIdentifierPrefix)chat.rocket.reactnative",
          "LSApplicationQueriesSchemes": schemes(["googlechrome", "googlechromes", "firefox", "brave", "tel"]),
        ]) + [
          Member(
            key: "NSAppTransportSecurity",
            value: ["NSAllowsArbitraryLoads": false, "NSAllowsLocalNetworking": true], unit: "  ")
        ] + members(["NSFaceIDUsageDescription": "…", "UIApplicationSceneManifest": scenes([:])]),
      twins: ["rocketchat-intunemam"], queries: 27, lacksFaceIDText: false),
    PublicShape(
      source: "wikimedia/wikipedia-ios Wikipedia",
      members: head(variable, name: "${PRODUCT_NAME}")
        + members([
          "NSLocationWhenInUseUsageDescription": "",
          "NSUserActivityTypes": ["org.wikimedia.wikipedia.explore", "org.wikimedia.wikipedia.settings"],
          "WMFHockeyAppIdentifier": "", "WMFShowDebugMenu": false,
        ])),
    PublicShape(
      source: "AzureAD/microsoft-authentication-library-for-objc MSAL/test/app/ios",
      members: head(variable)
        + members([
          "CFBundleURLTypes": links(("Editor", variable, ["msal-first-app", "msal-second-app", "msal-third-app"])),
          "CFBundleVersion": "1", "UIRequiredDeviceCapabilities": ["armv7"],
        ]), twins: ["msal-first-app-intunemam", "msal-second-app-intunemam", "msal-third-app-intunemam"]),
    PublicShape(
      source: "AzureAD/microsoft-authentication-library-for-objc MSAL/test/automation/ios",
      members: head(variable)
        + members([
          "CFBundleURLTypes": links(
            (
              "Editor", variable,
              [
                "x-msauth-msalautomationapp", "msal-app", "ms-onedrive", "msal-app", "ms-sharepoint-auth",
                "msauth.com.microsoft.msal.automationapp",
              ]
            ))
        ]) + [
          Member(key: "LSApplicationQueriesSchemes", value: schemes(["msauthv2", "msauthv3"]), unit: "    ")
        ] + members(["UIApplicationSceneManifest": scenes([window: ["MSALAutoSceneDelegate"]])]),
      twins: [
        "x-msauth-msalautomationapp-intunemam", "msal-app-intunemam", "ms-onedrive-intunemam",
        "ms-sharepoint-auth-intunemam", "msauth.com.microsoft.msal.automationapp-intunemam",
      ]),
    PublicShape(
      source: "artsy/eigen ios/Artsy",
      members: members([
        "CFBundleDocumentTypes": [
          ["CFBundleTypeIconFiles": [], "CFBundleTypeName": "Link", "LSItemContentTypes": ["net.artsy.link"]]
        ]
      ]) + head(variable, name: "${PRODUCT_NAME}")
        + members([
          "CFBundleURLTypes": links(
            ("Editor", nil, ["fb1"]), (nil, "net.artsy.artsy", ["artsy", "artsy-x-callback-url"]),
            ("Viewer", nil, ["applewebdata"]), ("Editor", nil, ["com.googleusercontent.apps.1-a"])),
          "LSApplicationQueriesSchemes": schemes([
            "comgooglemaps", "comgooglemaps-x-callback", "fbapi", "fb-messenger-api", "fbauth2", "fbshareextension",
            "instagram", "instagram-stories", "whatsapp", "tg",
          ]), "UIApplicationShortcutItems": [["UIApplicationShortcutItemSubtitle": ""]],
        ]),
      twins: [
        "fb1-intunemam", "artsy-intunemam", "artsy-x-callback-url-intunemam", "applewebdata-intunemam",
        "com.googleusercontent.apps.1-a-intunemam",
      ], queries: 37),
    PublicShape(
      source: "jitsi/jitsi-meet ios/app/src",
      members: head(variable)
        + members([
          "CFBundleURLTypes": links(
            ("Viewer", "org.jitsi.meet", ["org.jitsi.meet"]),
            ("Editor", "com.googleusercontent.apps", ["com.googleusercontent.apps.your-id-here"])),
          "FirebaseCrashlyticsCollectionEnabled": "false", "UIBackgroundModes": ["audio", "fetch", "voip"],
        ]), twins: ["org.jitsi.meet-intunemam", "com.googleusercontent.apps.your-id-here-intunemam"]),
    PublicShape(
      source: "bluesky-social/social-app modules/Share-with-Bluesky",
      members: [
        Member(
          key: "NSExtension",
          value: [
            "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).ShareViewController",
            "NSExtensionAttributes": [
              "NSExtensionActivationRule": [
                "NSExtensionActivationSupportsText": true, "NSExtensionActivationSupportsWebURLWithMaxCount": 1,
                "NSExtensionActivationSupportsImageWithMaxCount": 10,
                "NSExtensionActivationSupportsMovieWithMaxCount": 1,
              ]
            ], "NSExtensionPointIdentifier": "com.apple.share-services",
          ])
      ]
        + members([
          "MainAppScheme": "bluesky", "CFBundleName": "$(PRODUCT_NAME)", "CFBundleIdentifier": .text(variable),
          "CFBundlePackageType": "$(PRODUCT_BUNDLE_PACKAGE_TYPE)",
        ]), unit: "  ", isIndented: true, lacksLastBreak: true, queries: nil),
    PublicShape(
      source: "kickstarter/ios-oss Kickstarter-iOS",
      members: head(variable)
        + members([
          "CFBundleURLTypes": links((nil, nil, ["fb2"]), ("Editor", "com.kickstarter.kickstarter", ["ksr"])),
          "LSApplicationQueriesSchemes": schemes([
            "fbauth2", "org-appextension-feature-password-management", "instagram", "instagram-stories", "fb",
            "facebook-stories", "whatsapp", "x-twitter",
          ]),
          "NSAppTransportSecurity": [
            "NSExceptionDomains": ["akamaihd.net": ["NSIncludesSubdomains": true], "ksr.test": [:]]
          ], "NSUserTrackingUsageDescription": "projects you&apos;ll love",
          "UIApplicationSceneManifest": scenes([window: ["$(PRODUCT_MODULE_NAME).SceneDelegate"]]),
        ]), twins: ["fb2-intunemam", "ksr-intunemam"], queries: 33),
    PublicShape(
      source: "brave/brave-ios Extensions/ShareTo",
      members: head(variable, type: "XPC!") + [
        sharing(
          .text(
            "SUBQUERY ( extensionItems, $extensionItem, SUBQUERY ( $extensionItem.attachments, $attachment, ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"public.url\").@count == 1 ).@count == 1"
          ), storyboard: nil)
      ] + members(["UIAppFonts": ["FiraSans-Regular.ttf"]]), queries: nil),
    PublicShape(
      source: "brave/brave-ios App/iOS",
      members: members(["API_KEY": "$(BRAVE_API_KEY)"]) + head(variable)
        + members([
          "CFBundleURLTypes": links(("Editor", "com.brave.ios", ["http", "https", "brave"])),
          "LSApplicationQueriesSchemes": schemes(["http", "https"]), "NSFaceIDUsageDescription": "…",
          "UIApplicationSceneManifest": scenes([
            "CPTemplateApplicationSceneSessionRoleApplication": ["$(PRODUCT_MODULE_NAME).CarPlayDelegate"],
            window: ["$(PRODUCT_MODULE_NAME).SceneDelegate"],
          ]),
          "UTImportedTypeDeclarations": [
            ["UTTypeIconFiles": [], "UTTypeTagSpecification": ["public.filename-extension": ["opml"]]]
          ], "CFBundleAllowMixedLocalizations": true,
        ]), twins: ["brave-intunemam"], queries: 19, lacksFaceIDText: false),
    PublicShape(
      source: "nextcloud/ios iOSClient/Brand/Share",
      members: head(variable, type: "XPC!")
        + members(["NSAppTransportSecurity": ["NSAllowsArbitraryLoads": true, "NSExceptionDomains": [:]]]) + [
          sharing([
            "NSExtensionActivationSupportsAttachmentsWithMaxCount": 20,
            "NSExtensionActivationSupportsFileWithMaxCount": 20, "NSExtensionActivationSupportsImageWithMaxCount": 20,
            "NSExtensionActivationSupportsMovieWithMaxCount": 5, "NSExtensionActivationSupportsText": true,
            "NSExtensionActivationSupportsWebURLWithMaxCount": 0,
          ])
        ], queries: nil),
    PublicShape(
      source: "owncloud/ios-app ownCloud Action Extension",
      members: members([
        "OCKeychainAccessGroupIdentifier": "group.com.owncloud.ios-app",
        "CFBundleIcons": ["CFBundlePrimaryIcon": ["CFBundleIconFiles": ["branding-action-extension-icon"]]],
        "OCHasFileProvider": true, "CFBundleDisplayName": "Save to $(APP_PRODUCT_NAME)",
      ]) + [
        sharing(
          .text(
            "SUBQUERY (\n    extensionItems,\n    $extensionItem,\n    SUBQUERY (\n        $extensionItem.attachments,\n        $attachment,\n        (\n          ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO &quot;public.data&quot;\n        )\n    ).@count == $extensionItem.attachments.@count\n).@count &gt; 0"
          ), point: "com.apple.ui-services", storyboard: nil)
      ], queries: nil),
    PublicShape(
      source: "signalapp/Signal-iOS Signal",
      members: members(["BuildDetails": ["OSXVersion": "11.4"]]) + head(variable, name: "${PRODUCT_NAME}")
        + members([
          "CFBundleGetInfoString": "", "CFBundleIcons": [:],
          "CFBundleURLTypes": links(("Editor", "org.whispersystems.signal", ["sgnl"])),
          "LSApplicationQueriesSchemes": schemes(["mailto"]), "NSFaceIDUsageDescription": "Signal's …",
          "UIBackgroundModes": ["audio", "fetch", "remote-notification", "voip"],
        ]), twins: ["sgnl-intunemam"], queries: 20, lacksFaceIDText: false),
    PublicShape(
      source: "wordpress-mobile/WordPress-iOS WordPress",
      members: head("${WPCOM_BUNDLE_ID}", name: "${PRODUCT_NAME}")
        + members([
          "CFBundleURLTypes": links(
            ("Editor", "org.wordpress", ["wordpress-oauth-v2", "${WPCOM_SCHEME}", "fb3", "pocketapp4"])),
          "NSMainNibFile": "MainWindow", "NSMainNibFile~ipad": "MainWindow-iPad",
        ]), twins: ["wordpress-oauth-v2-intunemam", "fb3-intunemam", "pocketapp4-intunemam"]),
    PublicShape(
      source: "tutao/tutanota app-ios/tutanota",
      members: head(variable)
        + members([
          "CFBundleURLTypes": links(
            ("Viewer", "de.tutao.tutanota", ["tutamail", "tutashare", "tutanota"]),
            ("Editor", "de.tutao.tutanota.tutamailto", ["tutamailto"]),
            ("Mailto", "de.tutao.tutanota.mailto", ["mailto"])),
          "LSApplicationQueriesSchemes": schemes(["tutacalendar"]), "NSFaceIDUsageDescription": "…",
          "TutanotaApplicationPath": "build/",
        ]),
      twins: [
        "tutamail-intunemam", "tutashare-intunemam", "tutanota-intunemam", "tutamailto-intunemam", "mailto-intunemam",
      ], queries: 19, lacksFaceIDText: false),
  ]

  /// The entitlements of Mattermost: keychain groups of its own, and an app group.
  static let entitlements = PublicShape(
    source: "mattermost/mattermost-mobile ios/Mattermost/Mattermost.entitlements",
    members: members([
      "aps-environment": "development",
      "com.apple.developer.icloud-container-identifiers": ["iCloud.$(CFBundleIdentifier)"],
      "com.apple.developer.ubiquity-kvstore-identifier": "$(TeamIdentifierPrefix)$(CFBundleIdentifier)",
      "com.apple.security.application-groups": ["group.io.owslab.mattermost.rnbeta"],
      "keychain-access-groups": ["$(AppIdentifierPrefix)com.mattermost.rnbeta"],
    ]))
}
