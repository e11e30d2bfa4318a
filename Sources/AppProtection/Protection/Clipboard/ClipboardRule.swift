/// The rules of the clipboard, by the levels in the order of their numbers: what is asked of the policy of the account
/// that was copied from (`clipboard.copy`), and what of that pasted into (`clipboard.paste`). All but the last: D, Restrict
/// cut, copy, and paste between other apps.
enum ClipboardRule: CaseIterable, OutcomeRule {
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

  var id: String {
    switch self {
    case .unmanaged: "clipboard.1"
    case .withinAccount: "clipboard.2"
    case .copyToAnyApp: "clipboard.copy.1"
    case .copyWithPasteIn, .copyWithPasteInElsewhere: "clipboard.copy.2"
    case .copyToManagedApp, .copyElsewhere: "clipboard.copy.3"
    case .copyNowhere: "clipboard.copy.4"
    case .pasteFromAnyApp: "clipboard.paste.1"
    case .pasteIn: "clipboard.paste.2"
    case .pasteFromManagedApp, .pasteFromElsewhere: "clipboard.paste.3"
    case .pasteFromNowhere: "clipboard.paste.4"
    case .exception, .exceptionOfBoth, .exceptionOfOne: "clipboard.exception"
    }
  }

  var outcome: Permission {
    switch self {
    case .copyWithPasteInElsewhere, .copyElsewhere, .copyNowhere, .pasteFromElsewhere, .pasteFromNowhere: .denied
    default: .allowed
    }
  }

  var assumption: String? {
    self == .exceptionOfBoth || self == .exceptionOfOne ? "clipboardExceptionNeedsBothSides" : nil
  }

  var reason: String {
    switch self {
    case .unmanaged: "neither side is managed"
    case .withinAccount: "what was copied stays in its account"
    case .copyToAnyApp: "the owner's clipboard reaches every app"
    case .copyWithPasteIn, .copyToManagedApp:
      "the owner's clipboard reaches managed apps, and the other app acts for the same account"
    case .copyWithPasteInElsewhere, .copyElsewhere:
      "the owner's clipboard reaches managed apps, and the other side does not act for the account"
    case .copyNowhere: "the owner's clipboard reaches no other app"
    case .pasteFromAnyApp, .pasteIn: "the receiver may paste from every app"
    case .pasteFromManagedApp: "the receiver may paste from managed apps, and the other app acts for the same account"
    case .pasteFromElsewhere:
      "the receiver may paste from managed apps, and the other side does not act for the account"
    case .pasteFromNowhere: "the receiver may paste from no other app"
    case .exception: "the text is short enough to cross although the clipboard is restricted"
    case .exceptionOfBoth: "the text is short enough for both sides, which both restrict the clipboard"
    case .exceptionOfOne: "the text is short enough for one side, which is taken to be enough"
    }
  }

  var ground: DecisionGround { .clipboard(self) }
}
