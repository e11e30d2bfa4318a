import Journal

/// The example of the page on the module Journal.
func journalExample(id: JournalID, now: Int64, bytes: [UInt8]) throws {
  let journal = try JournalWriter.create(at: "Journal", id: id, createdNanoseconds: now)
  var batch = JournalBatch()
  try batch.append(payload: bytes, label: now)
  try journal.append(&batch)  // durable when this returns
  try journal.close()

  let reader = try JournalReader(path: "Journal")
  var cursor = try reader.cursor()
  while let item = try cursor.next() {
    if case .event(let event) = item { print(event.sequence, event.payload.count) }
  }
}
