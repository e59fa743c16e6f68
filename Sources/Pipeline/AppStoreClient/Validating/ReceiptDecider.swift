internal import Diagnostics
internal import ExportReading
internal import Pipeline

/// Obtains the response to a receipt: from Apple, or from the receipt's own signed content.
struct ReceiptDecider: Sendable {
  /// Obtains the response to a receipt; returns `nil` if the task was cancelled.
  let decide: @Sendable (RawReceipt) async -> AskingOutcome<AppleAnswer>?
  /// The client that asks Apple; `nil` if receipts are read from their signed content.
  let client: AppleClient?

  /// Whether receipts are read from their signed content, without sending them to Apple.
  var isLocal: Bool { client == nil }

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
        case .success(let found): .answer(found.response)
        case .failure(let fault): .rejected(reason: fault.rawValue)
        }
      }, client: nil)
  }

  private static func remote(_ settings: ValidationSettings, edge: ValidationDependencies)
    throws(RunFailure) -> ReceiptDecider
  {
    let secret = try AppSecret.read(path: settings.sharedSecretPath)
    let client = AppleClient.receipts(settings, connect: edge.connect)
    return ReceiptDecider(
      decide: { receipt in
        await client.ask(.receipt(receipt, secret: secret)) { reply, environment in
          AppleAnswer.meaning(of: reply, from: environment, secret: secret)
        }
      }, client: client)
  }
}
