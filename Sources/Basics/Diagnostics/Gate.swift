/// A check that every run makes before it publishes.
///
/// The raw value is stored in `audit_gate.gate`, and it is a key under `gates:` in a pipeline.
public enum Gate: String, Hashable, Sendable, CaseIterable {
  /// A file that cannot be read completely.
  case refusedFile = "refused_file"
  /// Too many unusable records or rows in the newly read files of a kind.
  case rejectedShare = "rejected_share"
  /// A new file with records that are all unusable.
  case noUsableRecord = "no_usable_record"
  /// A new file without a record.
  case emptyFile = "empty_file"
  /// An export day with far fewer records than trend and weekday suggest.
  case volumeDrop = "volume_drop"
  /// A whole table whose new content has far fewer records than the content that it replaces.
  case shrunkTable = "shrunk_table"
  /// A day without an export, between days with exports.
  case missingExportDay = "missing_export_day"
  /// A price file in a special format, such as RevenueCat's, for which the pipeline names no
  /// format.
  ///
  /// Without the name of the format, the price would be read from the wrong field.
  case unnamedFormat = "unnamed_format"
  /// Prices that seem to be in another unit than the pipeline declares.
  case priceUnit = "price_unit"
  /// Prices that a service seems to have converted from another currency.
  case convertedAmounts = "converted_amounts"
  /// Price reports without an app, for a product id that several apps sell.
  case ambiguousProduct = "ambiguous_product"
  /// Price reports whose transaction ids no purchase of the inputs has.
  case unknownTransactions = "unknown_transactions"
  /// Price reports with a currency that the App Store does not use in their storefront.
  case storefrontCurrency = "storefront_currency"
  /// Purchases with an ownership type that this version does not know.
  case unknownOwnership = "unknown_ownership"
  /// Subscriptions whose end no snapshot has seen, so that nobody knows whether they renewed.
  case notSeen = "not_seen"
  /// A storefront whose prices changed by a power of ten, without an explanation in the catalogue.
  ///
  /// A rebased currency in the catalogue would explain the change.
  case rebasedCurrency = "rebased_currency"
  /// Useless facts: no revenue, no customer, no known amount, or no exchange rate for a currency.
  case uselessResult = "useless_result"
  /// Too few known amounts; the pipeline states the minimum.
  case coverageFloor = "coverage_floor"
  /// Too much of the difference between the facts and Apple's reports is unexplained.
  case unexplainedShare = "unexplained_share"
  /// Two of Apple's reports for one day that contradict each other.
  case appleReportsDiffer = "apple_reports_differ"
  /// A day of Apple's reports with more than 20 times the units of each of the 28 days before.
  case appleReportsImplausible = "apple_reports_implausible"
  /// A day without one of Apple's daily reports, between days that have it.
  case missingReportDay = "missing_report_day"
  /// Facts that contradict each other.
  ///
  /// This gate always stops the run and cannot be set in a pipeline.
  case dataTest = "data_test"
}

/// The effect of a gate's finding on the run: `audit_gate.severity`.
public enum GateSeverity: String, Hashable, Sendable, CaseIterable {
  /// A warning: the run publishes, and the finding is reported.
  case warn
  /// Nothing of the run is published.
  case stop
  /// The finding would stop the run, but the operator accepted it for this run.
  case accepted
}

/// The finding of a gate in a run: a row of `audit_gate`.
///
/// Example: gate `volume_drop`, severity `warn`, subject `receipts 2021-02-09`, found `20 records`,
/// expected `about 60 records`.
public struct GateOutcome: Hashable, Sendable {
  /// The gate with the finding.
  public var gate: Gate
  /// The effect on the run.
  public var severity: GateSeverity
  /// The subject, such as a file, a kind and day, or a product.
  public var subject: String
  /// The value that was found.
  public var found: String
  /// The value that was expected.
  public var expected: String

  /// Creates a finding from its fields.
  public init(
    gate: Gate, severity: GateSeverity, subject: String, found: String, expected: String
  ) {
    self.gate = gate
    self.severity = severity
    self.subject = subject
    self.found = found
    self.expected = expected
  }
}
