import EventSourcing

extension Deliberation {
  /// S-92: the service delivers an enrolled account's configuration; it applies without a restart.
  mutating func deliverConfiguration(
    _ reference: AccountReference, _ entries: [ConfigurationEntry]
  ) throws(AppProtectionRejection) {
    let account = try find(reference)
    let number = account.account
    try require(
      account.enrollment.status.isEnrolled, or: .notEnrolled(number), "\(number) is enrolled",
      reads: { state in [state.statusRead(number)] })
    try require(
      entries.count <= ConfigurationValue.maximumCount, or: .configurationTooLarge,
      "the configuration has no more parts than a journal takes")
    try requireUsable(entries.flatMap(\.values))
    // What the app may have read from the state is sealed again. What cannot be read there differs from every text.
    let entries = entries.map(\.readable)
    let known = state.configuration.accounts[number]?.entries.map(\.opened) ?? []
    guard entries != known else { return }
    if entries.isEmpty {
      emit(.configurationWithdrawn(ConfigurationWithdrawn(account: number)))
    } else {
      emit(.configurationReceived(ConfigurationReceived(account: number, entries: entries)))
    }
  }

  /// T37, T38: device management configures the app. If the configuration names a user, the device is managed for that
  /// account; if it restricts sign-in, only that account may sign in. A value that names no user, such as a placeholder
  /// that was not replaced, does neither: it stays among the other values, where it shows why.
  mutating func setDeviceConfiguration(
    _ values: [ConfigurationValue]?, _ source: DeviceAccountSource
  ) throws(AppProtectionRejection) {
    try requireUsable(values ?? [])
    let known = state.configuration.device
    guard let values else {
      guard known != nil else { return }
      emit(.deviceConfigurationChanged(DeviceConfigurationChanged()))
      if known?.restrictsAccounts == true { try setAllowedAccounts(nil) }
      try setDeviceAccount(nil, source)
      return
    }
    var user = AccountReference()
    var changed = DeviceConfigurationChanged(isDelivered: true)
    for value in ConfigurationEntry.sorted(values.filter(\.isReadable).map(\.opened)) {
      guard value.isUsable(as: value.steeringKey) else {
        changed.values.append(value)
        continue
      }
      switch value.steeringKey {
      case .userPrincipalName: user.userPrincipalName = value.text
      case .objectID: user.objectID = GUID(value.text)
      case .deviceID: changed.deviceID = GUID(value.text)
      case .allowedAccountsOnly: changed.restrictsAccounts = value.text.lowercased() == "enabled"
      case nil: changed.values.append(value)
      }
    }
    // The restriction requires a known user: a missing name locks no account out.
    changed.restrictsAccounts = changed.restrictsAccounts && user.isUsable
    var device = DeviceConfiguration()
    device.deviceID = changed.deviceID
    device.restrictsAccounts = changed.restrictsAccounts
    device.values = changed.values
    // The user first: whether a device's id comes without a user (T38) is checked when the configuration changes.
    try setDeviceAccount(user.isUsable ? user : nil, source)
    if device != known { emit(.deviceConfigurationChanged(changed)) }
    if changed.restrictsAccounts {
      try setAllowedAccounts([user])
    } else if known?.restrictsAccounts == true {
      try setAllowedAccounts(nil)
    }
  }

  private mutating func requireUsable(_ values: [ConfigurationValue]) throws(AppProtectionRejection) {
    let length = values.reduce(0) { $0 + $1.key.utf8.count + $1.text.utf8.count }
    try require(
      values.count <= ConfigurationValue.maximumCount && length <= ConfigurationValue.maximumTotalLength
        && values.allSatisfy(\.isUsable), or: .configurationTooLarge,
      "the configuration is of a size that a journal takes")
  }
}
