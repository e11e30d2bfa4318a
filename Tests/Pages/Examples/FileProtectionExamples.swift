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
