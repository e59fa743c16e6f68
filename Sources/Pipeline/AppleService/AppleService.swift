package import AppStoreClient
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// The HTTP connection to Apple's services.
///
/// It does not follow redirects, because secrets must be sent only to the configured address. A
/// failed request is not repeated here; the caller may repeat it.
package final class AppleService: Sendable {
  /// The largest accepted body of a response, in bytes; Apple's responses are smaller.
  private static let bodyBytesMax = 16 << 20

  private let client: HTTPClient
  private let program: String
  private let timeout: TimeAmount

  /// Prepares connections; no connection is opened yet.
  ///
  /// - Parameters:
  ///   - connections: The largest number of concurrent connections to a service.
  ///   - timeoutSeconds: The time limit for a complete reply, in seconds.
  package init(connections: Int, timeoutSeconds: Int, program: String) {
    self.program = program
    timeout = .seconds(Int64(timeoutSeconds))
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(Int64(min(10, timeoutSeconds)))))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    configuration.connectionPool.retryConnectionEstablishment = false
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// The connection for the stages: one function sends a request, another closes all connections.
  package var connection: AppleConnection {
    AppleConnection(send: { await self.send($0) }, close: { await self.close() })
  }

  /// Sends a request that ``AppStoreClient`` has prepared.
  private func send(_ question: AppleRequest) async -> AppleReply {
    var request = HTTPClientRequest(url: question.address)
    if let bearer = question.bearer {
      request.headers.add(name: "authorization", value: "Bearer \(bearer)")
    }
    if let accept = question.accept { request.headers.add(name: "accept", value: accept) }
    request.headers.add(name: "user-agent", value: program)
    if let body = question.body {
      request.method = .POST
      request.headers.add(name: "content-type", value: "application/json")
      request.body = .bytes(ByteBuffer(bytes: body))
    }
    return await inTime(request)
  }

  /// Sends a request and returns the reply, or `.timeout` if the reply is not complete in time.
  private func inTime(_ request: HTTPClientRequest) async -> AppleReply {
    // The client's own deadline covers only the head of a reply; a slow body would have no limit.
    await withTaskGroup(of: AppleReply.self) { group in
      group.addTask { await self.reply(to: request) }
      group.addTask {
        try? await Task.sleep(for: .nanoseconds(self.timeout.nanoseconds))
        return .failure(.timeout)
      }
      let first = await group.next()
      group.cancelAll()
      return first ?? .failure(.timeout)
    }
  }

  private func reply(to request: HTTPClientRequest) async -> AppleReply {
    let response: HTTPClientResponse
    do {
      response = try await client.execute(request, timeout: timeout)
    } catch {
      return .failure(Self.failure(error, otherwise: .connection))
    }
    do {
      let body = try await response.body.collect(upTo: Self.bodyBytesMax)
      return .answer(
        status: Int(response.status.code),
        retryAfter: response.headers.first(name: "retry-after"),
        body: Array(body.readableBytesView))
    } catch is NIOTooManyBytesError {
      return .failure(.tooLarge)
    } catch {
      return .failure(Self.failure(error, otherwise: .cut))
    }
  }

  /// Closes all connections; no request may be sent afterwards.
  private func close() async {
    // All responses have already been stored, so an error here loses nothing.
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
