extension PolicyDocument {
  /// Which surfaces of the device may show or receive organization data.
  ///
  /// `nil` means that the document lacks the setting or has it as `null`; ``PolicyDocument/subscript(_:)``
  /// distinguishes the two.
  public struct Surfaces: Equatable, Sendable {
    /// Whether contacts are kept out of the device's address book.
    public var contactSyncBlocked: Bool?
    /// Whether printing organization data is blocked.
    public var printBlocked: Bool?
    /// What notifications may show.
    public var notificationRestriction: NotificationRestriction?
    /// Whether third-party keyboards are blocked.
    public var thirdPartyKeyboardsBlocked: Bool?
    /// Whether widgets may show organization data.
    public var allowWidgetContentSync: Bool?
    /// Whether Genmoji may be used.
    public var genmojiConfigurationState: FeatureConfigurationState?
    /// Whether the screen may be captured.
    public var screenCaptureConfigurationState: FeatureConfigurationState?
    /// Whether Writing Tools may be used.
    public var writingToolsConfigurationState: FeatureConfigurationState?

    /// Creates a group in which nothing is set.
    public init() {}
  }
}

extension PolicyProperty {
  /// The rows of the property table for ``PolicyDocument/surfaces``: numbers 100 to 129.
  static let surfaces: [PolicyProperty] = [
    contactSyncBlocked, printBlocked, notificationRestriction, thirdPartyKeyboardsBlocked, allowWidgetContentSync,
    genmojiConfigurationState, screenCaptureConfigurationState, writingToolsConfigurationState,
  ]

  package static let contactSyncBlocked: PolicyProperty = row(
    100, "contactSyncBlocked", .flag,
    "Whether contacts are kept out of the device's address book", { $0.surfaces.contactSyncBlocked },
    { $0.surfaces.contactSyncBlocked = $1 }, of: .protection, combines: .onWins, feeds: .on(.contactSyncBlocked),
    portal: .entry(
      .functionality, 10, "Sync policy managed app data with native apps or add-ins", .blockOrAllow, standard: "Allow"),
    device: .flag("ContactSyncDisabled"))

  package static let printBlocked: PolicyProperty = row(
    101, "printBlocked", .flag,
    "Whether printing organization data is blocked", { $0.surfaces.printBlocked }, { $0.surfaces.printBlocked = $1 },
    of: [.protection, .windows], combines: .onWins, feeds: .on(.printingBlocked),
    portal: .entry(.functionality, 30, "Printing Org data", .blockOrAllow, standard: "Allow"),
    device: .flag("PrintingBlocked"))

  package static let notificationRestriction: PolicyProperty = row(
    102, "notificationRestriction", .choice,
    "What notifications may show", { $0.surfaces.notificationRestriction },
    { $0.surfaces.notificationRestriction = $1 }, of: .protection, effect: .steersDecisions, combines: .strictestChoice,
    portal: .entry(
      .functionality, 60, "Org data notifications",
      .choice([.allow: "Allow", .blockOrganizationalData: "Block org Data", .block: "Block"]), standard: "Allow"),
    device: .choice("NotificationRestriction", [0: .allow, 1: .blockOrganizationalData, 2: .block]))

  package static let thirdPartyKeyboardsBlocked: PolicyProperty = row(
    103, "thirdPartyKeyboardsBlocked", .flag,
    "Whether keyboards of other makers are blocked", { $0.surfaces.thirdPartyKeyboardsBlocked },
    { $0.surfaces.thirdPartyKeyboardsBlocked = $1 }, of: [.ios, .standard], combines: .onWins,
    feeds: .on(.keyboardsBlocked),
    portal: .entry(.dataTransfer, 170, "Third party keyboards", .blockOrAllow, standard: "Allow"),
    device: .flag("ThirdPartyKeyboardsBlocked"))

  package static let allowWidgetContentSync: PolicyProperty = row(
    104, "allowWidgetContentSync", .flag,
    "Whether widgets may show organization data", { $0.surfaces.allowWidgetContentSync },
    { $0.surfaces.allowWidgetContentSync = $1 }, of: [.ios, .standard], combines: .offWins,
    feeds: .off(.widgetsBlocked),
    portal: .entry(.functionality, 20, "Sync Org data with widgets", .allowOrBlock))

  package static let genmojiConfigurationState: PolicyProperty = row(
    105, "genmojiConfigurationState", .choice,
    "Whether Genmoji may be used", { $0.surfaces.genmojiConfigurationState },
    { $0.surfaces.genmojiConfigurationState = $1 }, of: .ios, combines: .strictestChoice,
    feeds: .blocked(.genmojiBlocked),
    portal: .entry(.functionality, 70, "Genmoji", .blockOrAllow), device: .feature("GenmojiConfigurationState"))

  package static let screenCaptureConfigurationState: PolicyProperty = row(
    106, "screenCaptureConfigurationState", .choice,
    "Whether the screen may be captured", { $0.surfaces.screenCaptureConfigurationState },
    { $0.surfaces.screenCaptureConfigurationState = $1 }, of: .ios, combines: .strictestChoice,
    feeds: .blocked(.screenCaptureBlocked, set: .screenCaptureSet),
    portal: .entry(.functionality, 80, "Screen capture", .blockOrAllow),
    device: .feature("ScreenCaptureConfigurationState"))

  package static let writingToolsConfigurationState: PolicyProperty = row(
    107, "writingToolsConfigurationState", .choice,
    "Whether Writing Tools may be used", { $0.surfaces.writingToolsConfigurationState },
    { $0.surfaces.writingToolsConfigurationState = $1 }, of: .ios, combines: .strictestChoice,
    feeds: .blocked(.writingToolsBlocked),
    portal: .entry(.functionality, 90, "Writing Tools", .blockOrAllow),
    device: .feature("WritingToolsConfigurationState"))
}

extension PolicySwitches {
  /// Contacts stay out of the address book.
  public static let contactSyncBlocked = PolicySwitches(rawValue: 1 << 9)
  /// Printing is blocked.
  public static let printingBlocked = PolicySwitches(rawValue: 1 << 10)
  /// Third-party keyboards are blocked.
  public static let keyboardsBlocked = PolicySwitches(rawValue: 1 << 11)
  /// Widgets show nothing of the organization.
  public static let widgetsBlocked = PolicySwitches(rawValue: 1 << 12)
  /// Genmoji are blocked.
  public static let genmojiBlocked = PolicySwitches(rawValue: 1 << 13)
  /// Writing Tools are blocked.
  public static let writingToolsBlocked = PolicySwitches(rawValue: 1 << 14)
  /// The policy says whether the screen may be captured.
  public static let screenCaptureSet = PolicySwitches(rawValue: 1 << 15)
  /// The screen may not be captured.
  public static let screenCaptureBlocked = PolicySwitches(rawValue: 1 << 16)
}
