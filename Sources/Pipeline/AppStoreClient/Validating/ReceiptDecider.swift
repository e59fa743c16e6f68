internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Pipeline

/// Obtains the response to a receipt: from Apple, or from the receipt's own signed content.
struct ReceiptDecider: Sendable {
  /// Obtains the response to a receipt; returns `nil` if a signal requests a stop.
  let decide: @Sendable (RawReceipt) async -> ReceiptOutcome?
  /// Whether receipts are read from their signed content, without sending them to Apple.
  let isLocal: Bool
  private let service: AppleConnection?
  private let rateLimiter: ConcurrentRateLimiter

  /// The number of requests sent to Apple so far.
  var requests: Int { rateLimiter.requests }

  /// Creates the decider of a run, which reads receipts locally or sends them to Apple.
  static func make(
    _ settings: ValidationSettings, options: ValidateOptions, edge: ValidationDependencies
  ) throws(RunFailure) -> ReceiptDecider {
    options.isLocal ? try local(settings, edge: edge) : try remote(settings, edge: edge)
  }

  /// Creates a decider that reads receipts locally, without Apple.
  ///
  /// It accepts receipts that are signed under the root certificate in the settings.
  private static func local(_ settings: ValidationSettings, edge: ValidationDependencies)
    throws(RunFailure) -> ReceiptDecider
  {
    guard let path = settings.rootCertificatePath else {
      throw RunFailure(
        .badConfiguration,
        "--local needs validate.root_certificate: a file with the root certificate of receipts, "
          + "Apple Root CA, from www.apple.com/certificateauthority")
    }
    let bytes = try TextFile.bytes(path, what: "the root certificate", limit: 1 << 16)
    guard let reader = edge.localReader(bytes) else {
      throw RunFailure(
        .badConfiguration, "\(OneLine.text(path)): expected a certificate in DER or PEM")
    }
    return ReceiptDecider(
      decide: { receipt in
        switch await reader(receipt.base64) {
        case .success(let found): .answered(found.response)
        case .failure(let fault): .rejected(reason: fault.rawValue)
        }
      }, isLocal: true, service: nil, rateLimiter: ConcurrentRateLimiter(perSecond: 1))
  }

  private static func remote(_ settings: ValidationSettings, edge: ValidationDependencies)
    throws(RunFailure) -> ReceiptDecider
  {
    let secret = try AppSecret.read(path: settings.sharedSecretPath)
    let service = edge.connect(settings.concurrency, settings.timeoutSeconds)
    let rateLimiter = ConcurrentRateLimiter(perSecond: settings.requestsPerSecond)
    let addresses = (production: settings.productionURL, sandbox: settings.sandboxURL)
    let receiptRequest = ReceiptRequest(
      plan: RetryPlan(
        attempts: settings.attempts,
        firstWait: Milliseconds(Int64(settings.firstWaitMilliseconds))),
      secret: secret,
      send: { environment, body in
        await rateLimiter.wait()
        guard !Task.isCancelled else { return .failure(.cut) }
        rateLimiter.count()
        let address = environment == .production ? addresses.production : addresses.sandbox
        return await service.send(
          AppleRequest(address: address, body: body, accept: nil, bearer: nil))
      }, sleep: ConcurrentRateLimiter.sleep)
    return ReceiptDecider(
      decide: receiptRequest.outcome, isLocal: false, service: service, rateLimiter: rateLimiter)
  }

  func close() async { await service?.close() }
}
