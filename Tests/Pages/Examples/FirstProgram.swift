import AppProtection
import EventSourcing
import Journal

/// The first program of the README.
func firstProgram(path: String, id: JournalID, now: Moment) throws -> EnrollmentStatus? {
  let time = now.wallNanoseconds
  let store = try EventStore<AppProtectionMachine>.create(at: path, journalID: id, createdNanoseconds: time)
  try store.append(.startProcess(ProcessStart()), at: now)
  try store.append(.registerAndEnroll(AccountReference("alice@contoso.com")), at: now)  // durable once it returns
  let status = store.state.accounts[.first]?.enrollment.status  // .enrolling, until the service answers
  return status
}
