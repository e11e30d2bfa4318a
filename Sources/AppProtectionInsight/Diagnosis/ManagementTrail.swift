import AppProtection
import EventSourcing

/// Whether device management still looks after the device: what it installed and configured goes when it ends.
struct ManagementTrail: Sendable {
  /// The first sign that it has ended, and the latest one; `nil` while it manages the device, or if it never did.
  private(set) var end: (first: EventContext, last: EventContext)?

  /// Observes an event.
  mutating func observe(
    _ event: AppProtectionEvent, _ context: EventContext, before: AppProtectionState, after: AppProtectionState
  ) {
    switch event {
    case .deviceConfigurationChanged:
      record(before.configuration.device != nil, after.configuration.device != nil, context)
    case .managedDeviceAccountChanged:
      record(before.settings.deviceAccount != nil, after.settings.deviceAccount != nil, context)
    case .deviceReported:
      record(before.launch.device.isManaged == true, after.launch.device.isManaged == true, context)
    default: break
    }
  }

  private mutating func record(_ wasManaged: Bool, _ isManaged: Bool, _ context: EventContext) {
    if isManaged && !wasManaged { end = nil }
    if wasManaged && !isManaged { end = (end?.first ?? context, context) }
  }
}
