import AppProtection
import AppProtectionKit
import EventSourcing

/// What the app of ``engineExample(app:store:clock:service:files:process:settings:)`` is.
protocol ExampleApp: EnrollmentDelegate, PolicyDelegate, ComplianceDelegate, PresentationDelegate {}

/// The example of the page on the module AppProtectionKit.
func engineExample(
  app: some ExampleApp, store: EventStore<AppProtectionMachine>, clock: some TimeSource, service: some PolicyService,
  files: some FileRemover, process: ProcessStart, settings: AppSettings
) async throws {
  let engine = PolicyEngine(
    store: store, clock: clock, service: service, files: files,
    delegates: .init(enrollment: app, policy: app, compliance: app, presentation: app))
  try await engine.launch(process, settings: settings)  // finishes the last process's work
  try await engine.send(.registerAndEnroll(AccountReference("alice@contoso.com")))
  try await engine.run()
}
