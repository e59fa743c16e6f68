internal import AppStoreClient
internal import AppleService
internal import Commands

/// Sends raw receipts to Apple, or reads them locally.
@main
enum PaidlineValidate {
  static func main() {
    CommandMain.validate(
      edge: ValidationEdge(
        connect: { concurrency, timeoutSeconds in
          let service = AppleService(connections: concurrency, timeoutSeconds: timeoutSeconds)
          return ValidationEdge.Service(
            send: { body, address in await service.send(body, at: address) },
            close: { await service.close() })
        },
        localReader: { root in
          guard let reader = SignedReceiptReader(rootCertificate: root) else { return nil }
          return { base64 in await reader.read(base64) }
        }))
  }
}
