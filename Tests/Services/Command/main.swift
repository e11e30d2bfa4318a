import AppProtection
import AppProtectionKit
import Foundation
import PolicyServices
import PolicyServicesNetwork
import ServiceTesting

/// Compares the HTTP service over real sockets with the directory service on the folder that the server reads.
///
/// Usage: service-check ADDRESS FOLDER JOURNAL
///        service-check --untrusted ADDRESS
///        service-check --old-tls ADDRESS

struct Token: AccessTokenSource {
  var first = "token"

  func accessToken(for request: ServiceRequest, _ demand: AccessTokenDemand) async -> AccessTokenAnswer {
    .token(demand.isRenewal ? "token" : first)
  }
}

func service(
  _ address: String, tokens: Token = Token(), retry: RetryPolicy = .none, idleSeconds: Double = 20,
  totalSeconds: Double = 60
) throws -> HTTPService {
  let app = HTTPService.App(
    bundleID: "com.contoso.notes", version: "2.0", sdkVersion: "19.2.0", platformVersion: "17.0",
    deviceType: "iPhone", deviceTag: "tag")
  return HTTPService(
    at: try ServiceAddress(address), app: app, tokens: tokens,
    transport: URLSessionTransport(idleSeconds: idleSeconds, totalSeconds: totalSeconds), retry: retry,
    random: { .max / 8 })
}

final class Checks {
  private(set) var failures = 0

  func check(_ name: String, _ isRight: Bool, _ found: @autoclosure () -> String = "") {
    print(isRight ? "ok      \(name)" : "FAILED  \(name): \(found())")
    if !isRight { failures += 1 }
  }

  func check<Value: Equatable>(_ name: String, _ found: Value, _ expected: Value) {
    check(name, found == expected, "found \(found), expected \(expected)")
  }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let checks = Checks()

if arguments.count == 2, arguments[0] == "--untrusted" {
  let answer = await (try service(arguments[1])).enroll(.alice)
  checks.check("a self-signed certificate is not trusted: 205", answer.code, 205)
  let error = answer.error ?? ""
  checks.check("and the failure says so", error.hasPrefix("the connection is not secure"), error)
  exit(checks.failures == 0 ? 0 : 1)
}
if arguments.count == 2, arguments[0] == "--old-tls" {
  let answer = await (try service(arguments[1])).enroll(.alice)
  checks.check("an older version of TLS than 1.2 is refused: 205", answer.code, 205)
  let error = answer.error ?? ""
  // The certificate is not trusted either, but comes only after the version.
  checks.check(
    "before a certificate comes",
    error.hasPrefix("the connection is not secure") && !error.lowercased().contains("certificate"), error)
  exit(checks.failures == 0 ? 0 : 1)
}
guard arguments.count == 3 else {
  print("usage: service-check ADDRESS FOLDER JOURNAL | --untrusted ADDRESS | --old-tls ADDRESS")
  exit(2)
}
let address = arguments[0]
let folder = try TestFolder(at: arguments[1])

// A user, a policy, an unknown user, nothing.
let http = try service(address)
let directory = folder.service(bundleID: "com.contoso.notes")
checks.check("check-in before enrollment", await http.checkIn(.alice), .gone)
for request in [ServiceRequest.alice, .bob, .stranger] {
  let name = request.userPrincipalName ?? "alice"
  checks.check(
    "enrollment of \(name) as in the folder", await http.enroll(request).code, await directory.enroll(request).code)
  checks.check("check-in of \(name) as in the folder", await http.checkIn(request), await directory.checkIn(request))
  checks.check(
    "remediation of \(name)", await http.remediate(request, isSilent: true).status,
    await directory.remediate(request, isSilent: true).status)
}
checks.check(
  "a renewed token", await (try service(address, tokens: Token(first: "expired"))).checkIn(.alice).policyName, "Basic")

// More policies than fit on a page.
var entries = ""
for number in 1...5 {
  try folder.write("policies/p\(number).json", TestFolder.policy("P\(number)", "\"minimumPinLength\": \(number + 4)"))
  entries += ", {\"document\": \"policies/p\(number).json\", \"everyone\": true}"
}
try folder.write(
  "assignments.json", "{\"assignments\": [{\"document\": \"policies/basic.json\", \"everyone\": true}\(entries)]}")
checks.check("six policies on three pages", await http.checkIn(.alice), await directory.checkIn(.alice))
try folder.write("assignments.json", #"{"assignments": [{"document": "policies/basic.json", "groups": ["finance"]}]}"#)

// Faults, alike in both services.
for example in FaultCase.all {
  try folder.write("faults.json", "{\"faults\": [{\"fault\": \(example.fault)}]}")
  // Bytes keep coming: only the limit of the whole ends it.
  let http = example.fault == #""drip""# ? try service(address, totalSeconds: 1) : http
  checks.check(
    "fault \(example.fault)",
    [await http.enroll(.alice).code, await http.checkIn(.alice).code, await http.unenroll(.alice)?.code.rawValue],
    example.codes)
  checks.check(
    "fault \(example.fault), remediation",
    [await http.remediate(.alice, isSilent: true).status, await http.remediate(.alice, isSilent: false).status],
    example.outcomes)
}
try folder.write(
  "faults.json",
  #"{"faults": [{"fault": "status", "status": 503, "times": 2}, {"fault": "cut", "times": 1}, {"fault": "tooManyRequests", "retryAfterSeconds": 0, "times": 1}]}"#
)
let patient = RetryPolicy(attempts: 5, firstPauseMilliseconds: 10)
checks.check(
  "four faults, and then an answer", await (try service(address, retry: patient)).checkIn(.alice).policyName, "Basic")
try folder.write(
  "faults.json", #"{"faults": [{"fault": "offline", "users": ["bob@contoso.com"], "requests": ["checkIn"]}]}"#)
_ = await http.enroll(.bob)
checks.check("a fault of one user", [await http.checkIn(.alice).code, await http.checkIn(.bob).code], [nil, 212])

// Time.
try folder.write("faults.json", #"{"faults": [{"fault": "slow", "milliseconds": 4000}]}"#)
checks.check("a timeout", await (try service(address, idleSeconds: 1)).checkIn(.alice).code, 216)
try folder.write("faults.json", #"{"faults": [{"fault": "slow", "milliseconds": 60000}]}"#)
let task = Task { await http.checkIn(.alice) }
let watch = ContinuousClock().now
try await Task.sleep(for: .milliseconds(300))
task.cancel()
checks.check("a canceled request", await task.value.error, "the request was canceled")
checks.check("ends at once", ContinuousClock().now - watch < .seconds(10))
try folder.remove("faults.json")

let earlier = Task {
  while !Task.isCancelled { await Task.yield() }
  do throws(HTTPTransportError) {
    _ = try await URLSessionTransport().send(HTTPRequest("GET", address), maximumBodyLength: 1_000)
    return HTTPTransportError?.none
  } catch {
    return error
  }
}
earlier.cancel()
checks.check("a task that is canceled before it begins", await earlier.value, .canceled)

// Nothing listens.
checks.check("no connection", await (try service("http://127.0.0.1:1/beta")).checkIn(.alice).code, 212)

// An administrator orders a wipe of one device by its tag, as in Graph.
var order = HTTPRequest("POST", "\(address)/users/\(TestFolder.alice)/wipeManagedAppRegistrationsByDeviceTag")
order.headers = [.init("Authorization", "Bearer token"), .init("Content-Type", "application/json")]
order.body = Array(#"{"deviceTag": "tag"}"#.utf8)
_ = try await URLSessionTransport().send(order, maximumBodyLength: 1_000)
checks.check("a wipe by device tag", await http.checkIn(.alice), .wipe())
checks.check("is repeated", await http.checkIn(.alice), .wipe())
checks.check("at an enrollment, too", await http.enroll(.alice), .wipe())
checks.check("until it is acknowledged", await http.acknowledgeWipe(.alice), true)
checks.check("and does not concern the next stay", await http.enroll(.alice).policyName, "Basic")
checks.check("nor its check-ins", await http.checkIn(.alice).policyName, "Basic")
try folder.write("policies/basic.json", TestFolder.policy("Basic", #""pinRequired": false"#))
let registration = try await http.registration(for: .alice)
checks.check(
  "a policy that the app has not fetched", registration?.deliveries.map { $0.delivery },
  [.outdated(["pinRequired", "minimumPinLength"])])
checks.check("an account leaves", await http.unenroll(.alice), nil)

try folder.write("policies/basic.json", TestFolder.policy("Basic", #""pinRequired": true"#))
let history = try await ServiceHistory(with: http, folder: folder, journal: arguments[2])
checks.check("a whole history", history.events, ServiceHistory.expectedEvents)
checks.check("a placeholder that only the app reads", history.start, ServiceHistory.expectedStart)
checks.check("and its callbacks", history.callbacks, ServiceHistory.expectedCallbacks(halfSaved: 212))

print(checks.failures == 0 ? "every check passed" : "\(checks.failures) checks failed")
exit(checks.failures == 0 ? 0 : 1)
