import Foundation
import PolicyServices
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Collects the answers of a session's tasks, each up to its limit.
final class ResponseCollector: NSObject, URLSessionDataDelegate, Sendable {
  typealias Answer = Result<HTTPResponse, HTTPTransportError>

  private struct Exchange {
    var limit: Int
    var body: [UInt8] = []
    var isTooLong = false
    /// How long it took, where that was too long.
    var expiredAfter: Double?
    /// The answer, while nothing waits for it yet: a task can be canceled before it is resumed.
    var answer: Answer?
    var waiting: CheckedContinuation<Answer, Never>?
  }

  private let exchanges = Mutex<[Int: Exchange]>([:])

  /// Begins to collect a task's answer. Call it before anything can cancel the task.
  func begin(_ task: Int, limit: Int) {
    exchanges.withLock { $0[task] = Exchange(limit: limit) }
  }

  /// Resumes `continuation` with the task's answer, once it is there.
  func wait(for task: Int, _ continuation: CheckedContinuation<Answer, Never>) {
    let answer = exchanges.withLock { exchanges -> Answer? in
      exchanges[task]?.waiting = continuation
      guard let answer = exchanges[task]?.answer else { return nil }
      exchanges[task] = nil
      return answer
    }
    if let answer { continuation.resume(returning: answer) }
  }

  /// Notes that a task's answer takes too long. Cancel the task then.
  func expire(_ task: Int, after seconds: Double) {
    exchanges.withLock { $0[task]?.expiredAfter = seconds }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let isTooLong = exchanges.withLock { exchanges in
      guard var exchange = exchanges.removeValue(forKey: dataTask.taskIdentifier) else { return false }
      exchange.isTooLong = exchange.isTooLong || data.count > exchange.limit - exchange.body.count
      if exchange.isTooLong { exchange.body = [] } else { exchange.body.append(contentsOf: data) }
      exchanges[dataTask.taskIdentifier] = exchange
      return exchange.isTooLong
    }
    if isTooLong { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let response = task.response as? HTTPURLResponse
    let end = exchanges.withLock { exchanges -> (CheckedContinuation<Answer, Never>, Answer)? in
      guard let exchange = exchanges.removeValue(forKey: task.taskIdentifier) else { return nil }
      let answer = Self.answer(exchange, response, error)
      if let waiting = exchange.waiting { return (waiting, answer) }
      exchanges[task.taskIdentifier] = exchange
      exchanges[task.taskIdentifier]?.answer = answer
      return nil
    }
    if let (waiting, answer) = end { waiting.resume(returning: answer) }
  }

  private static func answer(_ exchange: Exchange, _ response: HTTPURLResponse?, _ error: (any Error)?) -> Answer {
    if exchange.isTooLong { return .failure(.tooLong) }
    if error != nil, let seconds = exchange.expiredAfter {
      return .failure(.timedOut("the whole answer did not come within \(seconds) seconds"))
    }
    if let error { return .failure(failure(error)) }
    guard let response else { return .failure(.unreachable("the answer is not one of HTTP")) }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
    }
    return .success(HTTPResponse(response.statusCode, headers: headers, body: exchange.body))
  }

  private static func failure(_ error: any Error) -> HTTPTransportError {
    let text = error.localizedDescription
    return switch (error as? URLError)?.code {
    case .cancelled: .canceled
    case .timedOut: .timedOut(text)
    case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
      .clientCertificateRequired:
      .untrusted("the connection is not secure: \(text)")
    // Outside of Apple's platforms a refused certificate has no code of its own, only the words of libcurl.
    case .unknown where text.contains("SSL") || text.contains("TLS"):
      .untrusted("the connection is not secure: \(text)")
    default: .unreachable(text)
    }
  }
}
