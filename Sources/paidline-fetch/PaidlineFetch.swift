internal import AppleService
internal import Commands

/// Fetches data from Apple that the exports lack.
@main
enum PaidlineFetch {
  static func main() {
    CommandMain.fetch(connect: {
      AppleService(connections: $0, timeoutSeconds: $1, program: "paidline-fetch").connection
    })
  }
}
