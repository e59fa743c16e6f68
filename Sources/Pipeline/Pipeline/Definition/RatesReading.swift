internal import Amounts
internal import Crypto
internal import Diagnostics
internal import ExchangeRates
internal import PurchaseModel

/// The reporting currency of a pipeline with the rates of its file.
struct ReportingSettings {
  /// The currency and its rates.
  let currency: ReportingCurrency
  /// Lower-case hex of the SHA-256 of the rates file; `nil` if the pipeline names none.
  let ratesSHA256: String?

  /// A line for the digest of all settings: equal lines mean equal settings.
  var identity: String { "\(currency.currency.code) by \(ratesSHA256 ?? "no rates")" }

  /// Reads a pipeline's settings of the reporting currency; `nil` without one.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a file that is missing, and 65 for one that is not
  ///   the history file, with its line.
  static func read(_ definition: PipelineDefinition) throws(RunFailure) -> ReportingSettings? {
    guard let currency = definition.reportingCurrency else { return nil }
    guard let path = definition.ratesPath else {
      return ReportingSettings(
        currency: ReportingCurrency(currency, rates: ExchangeRates()), ratesSHA256: nil)
    }
    let bytes = try TextFile.bytes(path, what: "the rates file", limit: 64 << 20)
    do throws(RatesFileError) {
      return ReportingSettings(
        currency: ReportingCurrency(currency, rates: try ExchangeRates(historyFile: bytes)),
        ratesSHA256: Hexadecimal.text(SHA256.hash(data: bytes)))
    } catch {
      throw RunFailure(
        .dataRefused,
        "\(OneLine.text(path)):\(error.line): \(error.message). \(DocsPage.inputs.reference)")
    }
  }
}
