/// A check that every run makes before it publishes: `audit_gate.gate`, and a key of `gates:` in a
/// pipeline.
public enum Gate: String, Hashable, Sendable, CaseIterable {
  /// A file that cannot be read whole.
  case refusedFile = "refused_file"
  /// Too many of the newly read records or rows of a kind cannot be used.
  case rejectedShare = "rejected_share"
  /// A new file that holds records, and nothing that can be used.
  case noUsableRecord = "no_usable_record"
  /// A new file without a record.
  case emptyFile = "empty_file"
  /// An export day with far fewer records than expected by trend and weekday.
  case volumeDrop = "volume_drop"
  /// A day without an export between days with one.
  case missingExportDay = "missing_export_day"
  /// A file of prices whose format has the price in another field, while the pipeline has no format
  /// for it.
  case unnamedFormat = "unnamed_format"
  /// Prices that seem to be written in another unit than the pipeline sets.
  case priceUnit = "price_unit"
  /// Price reports of a product id that several apps sell, of unknown app.
  case ambiguousProduct = "ambiguous_product"
  /// Prices of a storefront that changed by a power of ten, without a line of the catalogue.
  case rebasedCurrency = "rebased_currency"
  /// Facts without information: no customer, no amount, no rate, or no revenue at all.
  case uselessResult = "useless_result"
  /// Too few of the amounts are known.
  case coverageFloor = "coverage_floor"
  /// Too much of the difference from Apple's reports that nothing explains.
  case unexplainedShare = "unexplained_share"
  /// Two of Apple's reports of one day that contradict each other.
  case appleReportsDiffer = "apple_reports_differ"
  /// A day of Apple's reports with far more than any day before.
  case appleReportsImplausible = "apple_reports_implausible"
  /// The facts contradict themselves; it always stops, and is in no pipeline.
  case dataTest = "data_test"
}

/// The effect on the run of a gate that trips: `audit_gate.severity`.
public enum GateSeverity: String, Hashable, Sendable, CaseIterable {
  /// A warning: the run publishes, and the finding is reported.
  case warn
  /// Nothing is published.
  case stop
  /// It would have stopped, and the operator accepted it for this run.
  case accepted
}

/// The finding of one gate in one run: a row of `audit_gate`.
///
/// Example: gate `volume_drop`, severity `warn`, subject `receipts 2021-02-09`, found `20 records`,
/// expected `about 60 records`.
public struct GateOutcome: Hashable, Sendable {
  /// The gate.
  public var gate: Gate
  /// The effect on the run.
  public var severity: GateSeverity
  /// The subject: a file, a kind and day, a product.
  public var subject: String
  /// The found value.
  public var found: String
  /// The expected value.
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
