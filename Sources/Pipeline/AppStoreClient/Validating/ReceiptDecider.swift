internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import Pipeline
internal import Synchronization

/// Obtains the response to a receipt: from Apple, or from the receipt's own signed content.
struct ReceiptDecider: Sendable {
  /// Obtains the response to a receipt; `nil` if a signal requests a stop.
  let decide: @Sendable (RawReceipt) async -> ReceiptOutcome?
  /// Whether receipts are read locally.
  let isLocal: Bool
  private let service: ValidationEdge.Service?
  private let counter: RequestCounter

  /// The number of requests sent.
  var requests: Int { counter.count.load(ordering: .relaxed) }

  /// Creates the decider of a run.
  static func make(
    _ settings: ValidationSettings, options: ValidateOptions, edge: ValidationEdge
  ) throws(RunFailure) -> ReceiptDecider {
    options.isLocal ? try local(settings, edge: edge) : try remote(settings, edge: edge)
  }

  /// Creates a local reader, which accepts receipts signed under a root certificate.
  private static func local(_ settings: ValidationSettings, edge: ValidationEdge)
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
      }, isLocal: true, service: nil, counter: RequestCounter(perSecond: 1))
  }

  private static func remote(_ settings: ValidationSettings, edge: ValidationEdge)
    throws(RunFailure) -> ReceiptDecider
  {
    let secret = try AppSecret.read(path: settings.sharedSecretPath)
    let service = edge.connect(settings.concurrency, settings.timeoutSeconds)
    let counter = RequestCounter(perSecond: settings.requestsPerSecond)
    let addresses = (production: settings.productionURL, sandbox: settings.sandboxURL)
    let receiptRequest = ReceiptRequest(
      plan: RetryPlan(
        attempts: settings.attempts,
        firstWait: Milliseconds(Int64(settings.firstWaitMilliseconds))),
      secret: secret,
      send: { environment, body in
        await sleep(counter.wait())
        guard !Task.isCancelled else { return .failure(.cut) }
        counter.count.add(1, ordering: .relaxed)
        switch environment {
        case .production: return await service.send(body, addresses.production)
        case .sandbox: return await service.send(body, addresses.sandbox)
        }
      }, sleep: sleep)
    return ReceiptDecider(
      decide: receiptRequest.outcome, isLocal: false, service: service, counter: counter)
  }

  func close() async { await service?.close() }
}

/// Counts the requests of a run and spreads them over time.
private final class RequestCounter: Sendable {
  let count = Atomic<Int>(0)
  private let pace: Mutex<RequestPace>

  init(perSecond: Int) {
    pace = Mutex(RequestPace(perSecond: perSecond))
  }

  /// Returns the time until the next request may be sent.
  func wait() -> Milliseconds {
    let now = Milliseconds(SystemClock.steadyMilliseconds)
    return pace.withLock { $0.take(now: now) }
  }
}

/// Waits; returns early if the task is cancelled.
@Sendable private func sleep(_ length: Milliseconds) async {
  guard length.rawValue > 0 else { return }
  try? await Task.sleep(for: .milliseconds(length.rawValue))
}
