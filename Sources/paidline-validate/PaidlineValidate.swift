internal import AppStoreClient
internal import AppleService
internal import Commands

/// Sends raw receipts to Apple, or reads them locally.
@main
enum PaidlineValidate {
  static func main() {
    CommandMain.validate(
      edge: ValidationDependencies(
        connect: {
          AppleService(connections: $0, timeoutSeconds: $1, program: "paidline-validate")
            .connection
        },
        localReader: { root in
          guard let reader = SignedReceiptReader(rootCertificate: root) else { return nil }
          return { base64 in await reader.read(base64) }
        }))
  }
}
