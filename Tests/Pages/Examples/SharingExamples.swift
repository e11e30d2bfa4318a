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
