import Foundation
import PolicyServices

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries HTTP requests by the system's URL loading, with its TLS and its trusted certificates.
///
/// ```swift
/// let transport = URLSessionTransport(idleSeconds: 30, totalSeconds: 120)
/// ```
///
/// Keeps no cookies and no cache, and follows no redirect: an answer that leads elsewhere would carry the token there.
public final class URLSessionTransport: HTTPTransport {
  private let session: URLSession
  private let collector: ResponseCollector

  /// - Parameters:
  ///   - idleSeconds: How long nothing may come.
  ///   - totalSeconds: How long an answer may take in all.
  public init(idleSeconds: Double = 30, totalSeconds: Double = 120) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = idleSeconds
    configuration.timeoutIntervalForResource = totalSeconds
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    collector = ResponseCollector()
    session = URLSession(configuration: configuration, delegate: collector, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  /// Sends a request. Canceling the task cancels the transfer.
  public func send(
    _ request: HTTPRequest, maximumBodyLength: Int
  ) async throws(HTTPTransportError) -> HTTPResponse {
    guard let url = URL(string: request.address) else {
      throw .unreachable("the system does not accept the address")
    }
    var prepared = URLRequest(url: url)
    prepared.httpMethod = request.method
    prepared.httpBody = request.body.map { Data($0) }
    for header in request.headers { prepared.setValue(header.value, forHTTPHeaderField: header.name) }
    let task = session.dataTask(with: prepared)
    collector.begin(task.taskIdentifier, limit: maximumBodyLength)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        collector.wait(for: task.taskIdentifier, continuation)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }
}
