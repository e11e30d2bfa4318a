/// The rules of the clipboard, by the levels in the order of their numbers: those of the source account's policy
/// (`clipboard.copy`) and those of the destination account's (`clipboard.paste`). All but the last: D, Restrict cut,
/// copy, and paste between other apps.
package enum ClipboardRule: UInt8, DecisionRule {
  /// S004 Identity overview.
  case unmanaged
  case withinAccount
  case copyToAnyApp
  case copyWithPasteIn
  case copyWithPasteInElsewhere
  case copyToManagedApp
  case copyElsewhere
  case copyNowhere
  case pasteFromAnyApp
  case pasteIn
  case pasteFromManagedApp
  case pasteFromElsewhere
  case pasteFromNowhere
  /// D: Cut and copy character limit for any app; R.
  case exception
  /// DERIVED: the limits of two sides.
  case exceptionOfBoth
  /// DERIVED: the limits of two sides.
  case exceptionOfOne

  @inline(__always)
  package var row: RuleRow<Permission> {
    switch self {
    case .unmanaged:
      RuleRow("clipboard.1", .allowed, "neither side is managed", when: "neither side is managed")
    case .withinAccount:
      RuleRow("clipboard.2", .allowed, "what was copied stays in its account", when: "the text stays with {account}")
    case .copyToAnyApp:
      RuleRow(
        "clipboard.copy.1", .allowed, "the owner's clipboard reaches every app",
        when: "{account}'s clipboard reaches {other}", reads: .setting { .allowedOutboundClipboardSharingLevel })
    case .copyWithPasteIn:
      RuleRow(
        "clipboard.copy.2", .allowed,
        "the owner's clipboard reaches managed apps, and the other app acts for the same account",
        when: "{account}'s clipboard reaches {other}", reads: .setting { .allowedOutboundClipboardSharingLevel })
    case .copyWithPasteInElsewhere:
      RuleRow(
        "clipboard.copy.2", .denied,
        "the owner's clipboard reaches managed apps, and the other side does not act for the account",
        unless: "{account}'s clipboard reaches {other}",
        reads: .liftingSetting { .allowedOutboundClipboardSharingExceptionLength },
        .setting { .allowedOutboundClipboardSharingLevel })
    case .copyToManagedApp:
      RuleRow(
        "clipboard.copy.3", .allowed,
        "the owner's clipboard reaches managed apps, and the other app acts for the same account",
        when: "{account}'s clipboard reaches {other}", reads: .setting { .allowedOutboundClipboardSharingLevel })
    case .copyElsewhere:
      RuleRow(
        "clipboard.copy.3", .denied,
        "the owner's clipboard reaches managed apps, and the other side does not act for the account",
        unless: "{account}'s clipboard reaches {other}",
        reads: .liftingSetting { .allowedOutboundClipboardSharingExceptionLength },
        .setting { .allowedOutboundClipboardSharingLevel })
    case .copyNowhere:
      RuleRow(
        "clipboard.copy.4", .denied, "the owner's clipboard reaches no other app",
        unless: "{account}'s clipboard reaches {other}",
        reads: .liftingSetting { .allowedOutboundClipboardSharingExceptionLength },
        .setting { .allowedOutboundClipboardSharingLevel })
    case .pasteFromAnyApp:
      RuleRow(
        "clipboard.paste.1", .allowed, "the receiver may paste from every app",
        when: "{account} may paste from {other}", reads: .setting { .allowedOutboundClipboardSharingLevel })
    case .pasteIn:
      RuleRow(
        "clipboard.paste.2", .allowed, "the receiver may paste from every app",
        when: "{account} may paste from {other}", reads: .setting { .allowedOutboundClipboardSharingLevel })
    case .pasteFromManagedApp:
      RuleRow(
        "clipboard.paste.3", .allowed,
        "the receiver may paste from managed apps, and the other app acts for the same account",
        when: "{account} may paste from {other}", reads: .setting { .allowedOutboundClipboardSharingLevel })
    case .pasteFromElsewhere:
      RuleRow(
        "clipboard.paste.3", .denied,
        "the receiver may paste from managed apps, and the other side does not act for the account",
        unless: "{account} may paste from {other}",
        reads: .liftingSetting { .allowedOutboundClipboardSharingExceptionLength },
        .setting { .allowedOutboundClipboardSharingLevel })
    case .pasteFromNowhere:
      RuleRow(
        "clipboard.paste.4", .denied, "the receiver may paste from no other app",
        unless: "{account} may paste from {other}",
        reads: .liftingSetting { .allowedOutboundClipboardSharingExceptionLength },
        .setting { .allowedOutboundClipboardSharingLevel })
    case .exception:
      RuleRow(
        "clipboard.exception", .allowed, "the text is short enough to cross although the clipboard is restricted",
        when: "the text is short enough to cross", reads: .sdkVersion,
        .setting { .allowedOutboundClipboardSharingExceptionLength })
    case .exceptionOfBoth:
      RuleRow(
        "clipboard.exception", .allowed, "the text is short enough for both sides, which both restrict the clipboard",
        when: "the text is short enough to cross", reads: .sdkVersion,
        .setting { .allowedOutboundClipboardSharingExceptionLength },
        .otherSetting { .allowedOutboundClipboardSharingExceptionLength }, .assumption,
        assumes: "clipboardExceptionNeedsBothSides")
    case .exceptionOfOne:
      RuleRow(
        "clipboard.exception", .allowed, "the text is short enough for one side, which is taken to be enough",
        when: "the text is short enough to cross", reads: .sdkVersion,
        .setting { .allowedOutboundClipboardSharingExceptionLength },
        .otherSetting { .allowedOutboundClipboardSharingExceptionLength }, .assumption,
        assumes: "clipboardExceptionNeedsBothSides")
    }
  }
}
