internal import AppStoreClient
internal import AppleService
internal import Commands

/// Fetches from Apple what the exports lack.
@main
enum PaidlineFetch {
  static func main() {
    CommandMain.fetch(connect: {
      AppleService(connections: $0, timeoutSeconds: $1, program: "paidline-fetch").connection
    })
  }
}
