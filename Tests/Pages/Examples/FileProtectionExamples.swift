import AppProtection
import AppProtectionKit
import EventSourcing
import FileProtection

/// The example of the page on the module FileProtection.
func fileProtectionExample(
  keys: some KeyStore, path: String, randomBytes: @escaping @Sendable (Int) -> [UInt8]
) throws {
  let protector = Protector(keys: keys, scope: "com.contoso.notes", randomBytes: randomBytes)
  let file = try protector.create(at: path, .encrypted(owner: "alice@contoso.com"))
  try file.write(Array("minutes of the meeting".utf8))
  try file.sync()  // after a crash, the file is as at a sync
  print(try file.pread(7, at: 0).count)  // 7
  try file.close()
  print(try protector.info(path).owner ?? "unknown")  // alice@contoso.com
}

/// The example of the page on protecting files and data.
func managersExample(
  keyFile: some KeyStore, store: EventStore<AppProtectionMachine>, path: String, alice: AccountReference
) throws {
  let keys = AccountKeys(store: keyFile, scope: "com.contoso.notes")
  let files = FileProtectionManager(protector: keys.protector, state: { store.state })
  try files.protect(path, for: alice)  // encrypts it, if Alice is managed
  print(try files.protectionInfo(path)?.owner ?? "none")
  let data = DataProtectionManager(protector: keys.protector, state: { store.state })
  print(try data.unprotect(try data.protect(Array("minutes".utf8), for: alice)).count)  // 7
}
