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
  keyFile: some KeyStore, container: String, isFirstLaunch: Bool, store: EventStore<AppProtectionMachine>, path: String,
  alice: AccountReference
) throws {
  let keys = try AccountKeys(
    store: keyFile, app: "com.contoso.notes", installation: container + "/installation", create: isFirstLaunch)
  var options = StoreOptions()
  options.sealing = keys.sealing  // for the journal: names and ids of people are sealed in it
  print(keys.scope, try keys.areUnused ? "begin a journal" : "open the journal that there is")
  let files = FileProtectionManager(protector: keys.protector, state: { store.state })
  try files.protect(path, for: alice)  // encrypts it, if Alice is managed
  print(try files.protectionInfo(path)?.owner ?? "none")
  let data = DataProtectionManager(protector: keys.protector, state: { store.state })
  print(try data.unprotect(try data.protect(Array("minutes".utf8), for: alice)).count)  // 7
}

/// The example of the page's part on whole files.
func contentsExample(files: FileProtectionManager, path: String, alice: AccountReference) throws {
  try files.write(Array("minutes".utf8), to: path, for: alice)  // encrypted, if a policy is in force for her
  print(try files.contents(of: path).count)  // 7
}

/// The example of the page's part on files that were encrypted once.
func requiredProtectionExample(
  files: FileProtectionManager, data: DataProtectionManager, path: String, protected: [UInt8]
) throws {
  print(try files.contents(of: path, requiring: .encrypted).count)  // 7, or an error for a file that is not encrypted
  print(try files.open(path, requiring: .encrypted).size())
  print(try data.unprotect(protected, requiring: .encrypted).count)
}

/// The example of the page's part on the current identity.
func currentIdentityExample(files: FileProtectionManager, path: String, new: String, account: AccountNumber) throws {
  try IdentityContext.with(account) {
    try files.write(Array("minutes".utf8), to: path)
    let note = try files.create(new)
    try note.close()
  }
}

/// The other members of the managers.
func managerMembersExample(
  files: FileProtectionManager, data: DataProtectionManager, path: String, copy: String, new: String,
  alice: AccountReference
) throws {
  try files.verifyAndProtect(path, for: alice)  // Alice owns it from here on
  try files.encryptFile(path, for: alice)  // refused if Alice is not managed
  if try files.isFileEncrypted(path) { try files.decryptFile(path, toCopy: copy) }
  let note = try files.create(new, for: alice)
  try note.write(Array("minutes".utf8))
  try note.close()
  print(try files.open(new).size())  // 7
  let text = try data.protectString("minutes", for: alice)
  print(try data.protectionInfo(forString: text).isEncrypted, try data.unprotectString(text))
}

/// The example of the page's part on file providers.
func fileProviderExample(
  files: FileProtectionManager, path: String, copy: String, incoming: String, new: String, alice: AccountReference
) throws {
  let item = try files.item(for: path, of: alice)
  print(item.owner ?? "none", item.isEncrypted)
  print(try files.items(for: [path, new], of: alice).map(\.path))
  print(try files.handOut(path, to: copy, for: alice).reason)
  let received = try files.receive(incoming, to: new, as: alice)
  print(received.decision.outcome, received.owner ?? "none")
}

/// The example of the page's part on shared items.
func sharedItemExample(
  files: FileProtectionManager, data: DataProtectionManager, loaded: [UInt8], new: String, alice: AccountReference
) throws {
  let item = SharedItem.data(loaded)
  print(try data.canReceive(item, as: alice).reason)
  print(try data.protectionInfo(for: item)?.owner ?? "none")
  print(try files.receive(item, to: new, as: alice).owner ?? "none")
}

/// The examples of the page's parts on wipes and on erasing a person.
func wipeExample(
  keys: AccountKeys, store: EventStore<AppProtectionMachine>, engine: PolicyEngine, folder: String,
  account: AccountNumber
) async throws {
  let container = ContainerFiles(in: folder, protector: keys.protector, state: { store.state })
  container.removeLeftovers()  // then give it to the engine, as its files
  try await engine.erase(account, from: keys)
}
