import AppProtection
import EventSourcing
import EventSourcingKit

/// The lines at the top of the README.
func firstProgram(path: String) throws -> EnrollmentStatus? {
  let store = try EventStore<AppProtectionMachine>.open(at: path, create: true)
  try store.append(.startProcess(ProcessStart()), at: .now())
  try store.append(.registerAndEnroll(AccountReference("alice@contoso.com")), at: .now())  // durable once it returns
  let status = store.state.accounts[.first]?.enrollment.status  // .enrolling, until the service answers
  return status
}
