internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
public import Validation

/// The connection to Apple's validation services.
///
/// No redirect is followed, as the shared secret must reach nobody but the configured address, and
/// nothing is asked again here: that is the inquiry's business.
public final class AppleService: Sendable {
  /// Larger than any receipt's answer.
  private static let bodyBytesMax = 16 << 20

  private let client: HTTPClient
  private let timeout: TimeAmount

  /// Prepares connections; none is opened yet.
  ///
  /// - Parameters:
  ///   - connections: How many connections to a service may be open at once.
  ///   - timeoutSeconds: How long a whole reply may take.
  public init(connections: Int, timeoutSeconds: Int) {
    timeout = .seconds(Int64(timeoutSeconds))
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(Int64(min(10, timeoutSeconds)))))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Sends one question.
  ///
  /// - Parameters:
  ///   - body: The JSON text.
  ///   - address: The service's address.
  /// - Returns: What came back, or why nothing whole did.
  public func ask(_ body: [UInt8], at address: String) async -> ServiceReply {
    var request = HTTPClientRequest(url: address)
    request.method = .POST
    request.headers.add(name: "content-type", value: "application/json")
    request.headers.add(name: "user-agent", value: "paidline-validate")
    request.body = .bytes(ByteBuffer(bytes: body))
    let question = request
    // The client's own deadline ends with the head of a reply, and a body may drip for ever.
    return await withTaskGroup(of: ServiceReply.self) { group in
      group.addTask { await self.reply(to: question) }
      group.addTask {
        try? await Task.sleep(for: .nanoseconds(self.timeout.nanoseconds))
        return .failure(.timeout)
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? .failure(.timeout)
    }
  }

  private func reply(to request: HTTPClientRequest) async -> ServiceReply {
    let response: HTTPClientResponse
    do {
      response = try await client.execute(request, timeout: timeout)
    } catch {
      return .failure(Self.failure(error, otherwise: .connection))
    }
    do {
      let body = try await response.body.collect(upTo: Self.bodyBytesMax)
      guard response.status.code == 200 else {
        let after = response.headers.first(name: "retry-after").flatMap { Int64($0) }
        return .httpStatus(Int(response.status.code), retryAfter: after)
      }
      return .body(Array(body.readableBytesView))
    } catch is NIOTooManyBytesError {
      return .failure(.tooLarge)
    } catch {
      return .failure(Self.failure(error, otherwise: .cut))
    }
  }

  /// Closes all connections; nothing may be asked afterwards.
  public func close() async {
    // Nothing is left to lose: what was answered is stored.
    try? await client.shutdown()
  }

  private static func failure(_ error: any Error, otherwise: ServiceFailure) -> ServiceFailure {
    switch error as? HTTPClientError {
    case .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout,
      .getConnectionFromPoolTimeout:
      .timeout
    case .remoteConnectionClosed: .cut
    default: otherwise
    }
  }
}
