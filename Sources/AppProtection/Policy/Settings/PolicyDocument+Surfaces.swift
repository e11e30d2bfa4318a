extension PolicyDocument {
  /// Which surfaces of the device may show organization data or take it in.
  ///
  /// `nil` is a setting that the document does not have or has as `null`; ``PolicyDocument/subscript(_:)`` tells the
  /// two apart.
  public struct Surfaces: Equatable, Sendable {
    /// Whether contacts are kept out of the device's address book.
    public var contactSyncBlocked: Bool?
    /// Whether printing organization data is blocked.
    public var printBlocked: Bool?
    /// What notifications may show.
    public var notificationRestriction: NotificationRestriction?
    /// Whether keyboards of other makers are blocked.
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
    .flag(
      100, "contactSyncBlocked", { $0.surfaces.contactSyncBlocked }, { $0.surfaces.contactSyncBlocked = $1 },
      .dataProtection, effect: .steersDecisions,
      "Whether contacts are kept out of the device's address book"),
    .flag(
      101, "printBlocked", { $0.surfaces.printBlocked }, { $0.surfaces.printBlocked = $1 }, .dataProtection,
      effect: .steersDecisions,
      "Whether printing organization data is blocked"),
    .choice(
      102, "notificationRestriction", { $0.surfaces.notificationRestriction },
      { $0.surfaces.notificationRestriction = $1 }, .dataProtection, effect: .steersDecisions,
      "What notifications may show"),
    .flag(
      103, "thirdPartyKeyboardsBlocked", { $0.surfaces.thirdPartyKeyboardsBlocked },
      { $0.surfaces.thirdPartyKeyboardsBlocked = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether keyboards of other makers are blocked"),
    .flag(
      104, "allowWidgetContentSync", { $0.surfaces.allowWidgetContentSync },
      { $0.surfaces.allowWidgetContentSync = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether widgets may show organization data"),
    .choice(
      105, "genmojiConfigurationState", { $0.surfaces.genmojiConfigurationState },
      { $0.surfaces.genmojiConfigurationState = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether Genmoji may be used"),
    .choice(
      106, "screenCaptureConfigurationState", { $0.surfaces.screenCaptureConfigurationState },
      { $0.surfaces.screenCaptureConfigurationState = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether the screen may be captured"),
    .choice(
      107, "writingToolsConfigurationState", { $0.surfaces.writingToolsConfigurationState },
      { $0.surfaces.writingToolsConfigurationState = $1 }, .dataProtection, effect: .steersDecisions,
      "Whether Writing Tools may be used"),
  ]
}
