internal import AppStoreClient
internal import AppleService
internal import Commands

/// Fetches from Apple what the exports lack.
@main
enum PaidlineFetch {
  static func main() {
    CommandMain.fetch(
      edge: FetchEdge(connect: { concurrency, timeoutSeconds in
        let service = AppleService(connections: concurrency, timeoutSeconds: timeoutSeconds)
        return FetchEdge.Service(
          send: { question in await service.send(question) },
          close: { await service.close() })
      }))
  }
}
