/// Where an app keeps the wrapping key of a ``FileKeyStore``, such as the device's keychain: it changes with every key that is
/// destroyed, so that no old copy of the key file opens any more.
///
/// All calls but ``wrappingKeys()`` are made by one process at a time, under the lock of the key file. Apps that share a key file
/// share the store, too. <doc:KeyStores> says what a crash between the calls leaves.
///
/// ```swift
/// func prepareWrappingKey() throws(KeyStoreError) -> SecretKey {
///   let key = try newKey()
///   try keychain.set(key, for: "second")  // in place of one that is there
///   return key
/// }
/// func commitWrappingKey() throws(KeyStoreError) {
///   guard let key = try keychain.key(for: "second") else { return }
///   try keychain.replace("first", by: key)  // in one step, so that no crash leaves neither
///   try keychain.remove("second")
/// }
/// ```
public protocol WrappingKeyStore: Sendable {
  /// The first wrapping key and, while it is being changed, the second one. Asked at every call of the key store.
  ///
  /// - Throws: ``KeyStoreError`` if they cannot be read now, as on a locked device.
  func wrappingKeys() throws(KeyStoreError) -> [SecretKey]

  /// Stores a new random key as the second one, durably before it returns, and in place of a second one that is there: nothing is
  /// under that one.
  func prepareWrappingKey() throws(KeyStoreError) -> SecretKey

  /// Deletes the first key, so that the second one becomes the first: durably before it returns, and so that nothing brings it
  /// back. Leaves a key that is alone as it is.
  func commitWrappingKey() throws(KeyStoreError)
}

/// How a ``FileKeyStore`` gets its wrapping keys.
enum WrappingKeys: Sendable {
  case constant(@Sendable () throws(KeyStoreError) -> SecretKey)
  case changing(any WrappingKeyStore)

  /// What may change them.
  var store: (any WrappingKeyStore)? {
    switch self {
    case .constant: nil
    case .changing(let store): store
    }
  }

  /// The first one and, while they are being changed, the second one.
  func current() throws(KeyStoreError) -> [SecretKey] {
    switch self {
    case .constant(let key): return [try key()]
    case .changing(let store):
      let keys = try store.wrappingKeys()
      guard 1...2 ~= keys.count else {
        throw KeyStoreError(
          .unavailable, "the app's store has \(keys.count) wrapping keys instead of one or two",
          remedy: "Store one before the key file is created, and check that nothing else removes it")
      }
      return keys
    }
  }
}
