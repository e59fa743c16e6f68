internal import Amounts
internal import Crypto
internal import Diagnostics
package import ExchangeRates
internal import PurchaseModel

/// The reporting currency of a pipeline, with the rates from its rates files.
struct ReportingSettings {
  let currency: ReportingCurrency
  /// The SHA-256 of all rates files together, in lower-case hex; `nil` without rates files.
  let ratesSHA256: String?

  /// The reporting currency and rates as text for the digest of all settings.
  var identity: String { "\(currency.currency.code) by \(ratesSHA256 ?? "no rates")" }

  /// Reads the reporting currency and its rates; `nil` if the pipeline has no reporting currency.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a missing file, and 65 with the line for a file
  ///   that is not a valid rates file.
  static func read(_ definition: PipelineDefinition) throws(RunFailure) -> ReportingSettings? {
    guard let currency = definition.reportingCurrency else { return nil }
    var rates = ExchangeRates()
    var hash = SHA256()
    if let path = definition.ratesPath {
      try read(path, &hash) { (bytes) throws(RatesFileError) in
        rates = try ExchangeRates(historyFile: bytes)
      }
    }
    if let path = definition.moreRatesPath {
      try read(path, &hash) { (bytes) throws(RatesFileError) in try rates.add(ownFile: bytes) }
    }
    let isNamed = definition.ratesPath != nil || definition.moreRatesPath != nil
    return ReportingSettings(
      currency: ReportingCurrency(currency, rates: rates),
      ratesSHA256: isNamed ? Hexadecimal.text(hash.finalize()) : nil)
  }

  /// Reads a rates file, adds its bytes to the hash, and passes them to `body`.
  private static func read(
    _ path: String, _ hash: inout SHA256, _ body: ([UInt8]) throws(RatesFileError) -> Void
  ) throws(RunFailure) {
    let bytes = try TextFile.bytes(path, what: "the rates file", limit: 64 << 20)
    hash.update(data: bytes)
    do throws(RatesFileError) {
      try body(bytes)
    } catch {
      throw RunFailure(
        .dataRefused,
        "\(OneLine.text(path)):\(error.line): \(error.message). \(DocsPage.inputs.reference)")
    }
  }
}

extension PipelineDefinition {
  /// Reads the reporting currency and its rates for a command that shows published facts.
  ///
  /// - Returns: The currency with its rates. `nil` if no reporting currency is set, or if a rates
  ///   file cannot be read; the facts are then shown without conversion.
  package func reportingRates() -> ReportingCurrency? {
    (try? ReportingSettings.read(self))?.currency
  }
}
