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
/// Keeps no cookies and no cache, and follows no redirect: an answer that leads elsewhere would carry the token there. On
/// Apple's platforms it speaks TLS 1.2 at least. Elsewhere it cannot see to that: the system's TLS library decides, as the page on
/// this module describes.
public final class URLSessionTransport: HTTPTransport {
  /// The longest time for which a request may be given, in seconds.
  private static let longest: Double = 86_400

  private let session: URLSession
  private let collector: ResponseCollector
  private let totalSeconds: Double

  /// Times of more than a day count as a day.
  ///
  /// - Parameters:
  ///   - idleSeconds: How long nothing may come, rounded up to whole seconds.
  ///   - totalSeconds: How long an answer may take in all, however busily it comes.
  public init(idleSeconds: Double = 30, totalSeconds: Double = 120) {
    self.totalSeconds = totalSeconds > 0 ? min(totalSeconds, Self.longest) : 0
    let configuration = URLSessionConfiguration.ephemeral
    // Outside of Apple's platforms the system drops fractions, and takes none for "never".
    configuration.timeoutIntervalForRequest = idleSeconds > 1 ? min(idleSeconds, Self.longest).rounded(.up) : 1
    configuration.httpShouldSetCookies = false
    configuration.httpCookieStorage = nil
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    #if !canImport(FoundationNetworking)
      // Outside of Apple's platforms there is no such setting: the system's TLS library decides.
      configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    #endif
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
    // The system's own limit of the whole is kept on Apple's platforms only.
    let deadline = Task { [collector, totalSeconds] in
      guard (try? await Task.sleep(for: .seconds(totalSeconds), clock: .continuous)) != nil else { return }
      collector.expire(task.taskIdentifier, after: totalSeconds)
      task.cancel()
    }
    defer { deadline.cancel() }
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
