import Archives

/// The code of the page of `Archives`.
func documentsOfAnArchive(_ bytes: [UInt8]) throws {
  let archive = try ArchiveContents(bytes, keepsParts: false) { name, folders in
    name.hasSuffix(".json") ? .wanted : .other
  }
  print(archive.files)
}
