import AppProtection

extension PolicyProperty {
  /// The numbers that Graph's reference and the portal allow; `nil` where the property is not a number.
  ///
  /// It may be narrower than the range of ``AppProtection/PolicyProperty/kind``: numbers beyond it are read and kept, so
  /// that lint can name them.
  public var documentedRange: ClosedRange<Int64>? {
    guard case .number(let range) = kind else { return nil }
    switch name {
    case "allowedOutboundClipboardSharingExceptionLength": return 0...65_535
    case "minimumPinLength": return 4...16
    default: return range
    }
  }
}
