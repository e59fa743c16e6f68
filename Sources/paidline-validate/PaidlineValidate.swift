internal import AppleService
internal import Pipeline

@main
enum PaidlineValidate {
  static func main() {
    CommandMain.validate(
      edge: ValidationEdge { concurrency, timeoutSeconds in
        let service = AppleService(connections: concurrency, timeoutSeconds: timeoutSeconds)
        return ValidationEdge.Service(
          ask: { body, address in await service.ask(body, at: address) },
          close: { await service.close() })
      })
  }
}
