import AppProtection
import AppProtectionKit
import EventSourcing
import PolicyServices
import PolicyServicesNetwork

/// The first example of the page on the module PolicyServices.
func directoryServiceExample(store: EventStore<AppProtectionMachine>, files: some FileRemover) -> PolicyEngine {
  let service = DirectoryService(at: "/srv/protection", bundleID: "com.contoso.notes")
  let engine = PolicyEngine(store: store, service: service, files: files)
  return engine
}

/// The second one.
func httpServiceExample(app: HTTPService.App, tokens: some AccessTokenSource) throws -> HTTPService {
  let service = HTTPService(
    at: try ServiceAddress("https://graph.microsoft.com/beta"), app: app, tokens: tokens,
    transport: URLSessionTransport(), random: { .random(in: .min ... .max) })
  return service
}

/// The example of the page on the module PolicyServicesNetwork.
func transportExample() -> URLSessionTransport {
  let transport = URLSessionTransport(idleSeconds: 30, totalSeconds: 120)
  return transport
}
