import AppProtection
import AppProtectionKit
import EventSourcing

/// The examples of the page on sharing a journal with extensions.
func sharingExample(
  container: String, store: EventStore<AppProtectionMachine>, keys: AccountKeys, service: some PolicyService,
  files: some FileRemover, process: ProcessStart
) async throws {
  let spool = SpoolDrain<AppProtectionMachine>(at: container + "/spool", of: store.journal.id, sealing: keys.sealing)
  let engine = PolicyEngine(store: store, service: service, files: files, spool: spool)
  try await engine.launch(process)

  try await engine.suspend()  // everything is durable, and LOCK is free
  // … in the background …
  try await engine.resume(process)
}

/// The example of an extension.
func extensionExample(container: String, keys: AccountKeys, account: AccountReference) async throws -> Bool {
  let follower = try PolicyFollower(
    at: container + "/journal", spool: container + "/spool", name: "share-extension", keys: keys)
  let isAllowed = follower.policy(for: account).isSaveToAllowed(to: .box, account: nil).isAllowed
  let ticket = try follower.submit(.requestCheckIn(account))
  let outcome = try await follower.waitForOutcome(of: ticket)
  return isAllowed && outcome != nil
}

/// The examples of the live state, and of taking the app's place.
func followerExample(
  follower: PolicyFollower, account: AccountReference, number: AccountNumber, ticket: SpoolTicket,
  service: some PolicyService, files: some FileRemover, process: ProcessStart
) async throws {
  if try follower.update() { print(follower.withState { $0.accounts.count }, "accounts") }  // durable by now
  print(try follower.latestState().accounts.count)  // the same in one call, with what is not durable yet
  print(follower.launchDecision(for: number).outcome, follower.appConfiguration(for: account).fullData.count)
  print(follower.states.lastSequence, try follower.outcome(of: ticket)?.description ?? "waits for the app")
  let updates = Task { try await follower.follow { print("the state changed") } }  // instead of update()
  updates.cancel()
  if let store = try follower.takeOver() {
    let engine = PolicyEngine(store: store, service: service, files: files, spool: follower.drain)
    try await engine.launch(process)
    try await engine.end()
  }
}
