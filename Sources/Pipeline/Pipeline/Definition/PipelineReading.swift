internal import Amounts
package import Diagnostics
internal import ExportReading
internal import PaidAmounts
internal import PurchaseModel

extension PipelineDefinition {
  /// Reads and checks a pipeline file.
  ///
  /// - Throws: ``RunFailure`` with status 66 for a missing file, and 78 with file and line for a
  ///   wrong setting.
  package static func read(path: String) throws(RunFailure) -> PipelineDefinition {
    let text = try TextFile.read(path, what: "the pipeline file", limit: 1 << 20)
    return try read(path: path, text: text)
  }

  /// Reads and checks the text of a pipeline file.
  ///
  /// Relative paths in the text refer to the folder of `path`.
  static func read(path: String, text: String) throws(RunFailure) -> PipelineDefinition {
    let file = try SettingsFile(path: path, text: text)
    guard !file.has("products") || file.has("inputs") else {
      throw RunFailure(
        .badConfiguration,
        "\(path):1: this is a catalogue, not a pipeline; name the pipeline that lists it under "
          + "inputs.catalog. \(DocsPage.inputs.reference)")
    }
    let top = try SettingsMapping(file, known: topLevelKeys)
    let folder = FilePaths.folder(of: path)
    func resolved(_ path: String) -> String { FilePaths.resolve(path, in: folder) }

    let statePath = resolved(
      try top.requiredText("state", expected: "the path of the working database"))
    let warehousePath = resolved(
      try top.requiredText("warehouse", expected: "the path of the warehouse"))
    guard FilePaths.normalized(statePath) != FilePaths.normalized(warehousePath) else {
      throw top.failure("warehouse", expected: "a file other than state")
    }
    guard let inputs = try top.mapping("inputs", known: inputKeys) else {
      throw top.failure("inputs", expected: "a mapping with the key receipts")
    }
    let entries = EntryReading(inputs: inputs, folder: folder)
    let receipts = try entries.read("receipts", kind: .receipts)
    let prices = try entries.read("prices", kind: .prices)
    var signed = try entries.read("signed", kind: .signed)
    let exports = try entries.read("exports", kind: .exports)
    let reports = try patterns(inputs, "apple_reports", folder: folder)
    guard !receipts.isEmpty || !signed.isEmpty || !exports.isEmpty else {
      throw inputs.failure(
        "receipts",
        expected: "a list of at least one pattern, or the key signed or exports")
    }
    let all = receipts + prices + signed + exports + reports
    guard all.filter(\.isStandardInput).count <= 1 else {
      throw inputs.failure(
        "prices",
        expected: "without -, because only one pattern of all inputs can be standard input")
    }
    let bundleIDs = Set(try top.texts("bundle_ids", expected: "a list of bundle ids")).sorted()
    let fieldMapping = try FieldMapping.read(
      inputs, folder: folder, hasSigned: !signed.isEmpty, bundleIDs: bundleIDs)
    for index in signed.indices {
      signed[index].fieldMapping = signed[index].fieldMapping?.signing(fieldMapping.signed)
    }
    let definition = PipelineDefinition(
      path: path, statePath: statePath, warehousePath: warehousePath,
      receiptPatterns: receipts, pricePatterns: prices, signedPatterns: signed,
      exportPatterns: exports, reportPatterns: reports,
      cataloguePaths: try inputs.texts(
        "catalog", expected: "the path of a catalogue, or a list of paths"
      ).map(resolved),
      correctionsPath: try inputs.text("corrections", expected: "the path of a corrections file")
        .map(resolved),
      ratesPath: try inputs.text("rates", expected: "the path of a rates file").map(resolved),
      moreRatesPath: try inputs.text("more_rates", expected: "the path of a rates file")
        .map(resolved),
      reportingCurrency: try top.value(
        "reporting_currency", expected: "a currency of three letters", read: Currency.init),
      renewalPolicy: try top.value(
        "renewal_prices", expected: choices(RenewalPolicy.self), read: RenewalPolicy.init)
        ?? .history,
      bundleIDs: bundleIDs,
      dashboardPath: try top.text("report", expected: "a path").map(resolved),
      chartScriptPath: try top.text("report_chart_script", expected: "the path of Chart.js")
        .map(resolved),
      reportTimeZone: try top.timeZone("report_time_zone"),
      datasetteMetadataPath: try top.text("datasette_metadata", expected: "a path").map(resolved),
      dbtSourcesPath: try top.text("dbt_sources", expected: "a path").map(resolved),
      metricsPath: try top.text("metrics", expected: "a path").map(resolved),
      customerKeyPath: try top.text("customer_key_file", expected: "the path of a key file")
        .map(resolved),
      fieldMapping: fieldMapping,
      namesPriceUnit: try inputs.text("price_unit", expected: "a unit") != nil
        || prices.contains { $0.fieldMapping?.namesUnit ?? false },
      gates: try GateRules.read(top), validation: try ValidationSettings.read(top, folder: folder),
      fetching: try FetchSettings.read(top, folder: folder, bundleIDs: bundleIDs),
      keysWithoutEffect: try keysWithoutEffect(top, inputs))
    try definition.checkPublications(top)
    return definition
  }

  private static let topLevelKeys = [
    "state", "warehouse", "inputs", "reporting_currency", "renewal_prices", "bundle_ids", "report",
    "report_chart_script", "report_time_zone", "datasette_metadata", "dbt_sources", "metrics",
    "customer_key_file",
    "gates", "validate", "fetch",
  ]
  private static let inputKeys = [
    "receipts", "prices", "signed", "exports", "apple_reports", "catalog", "corrections", "rates",
    "more_rates",
    "receipt_keys",
    "price_keys", "price_unit", "signatures", "signed_roots", "signed_environments",
  ]

  /// Reads the input patterns at a key of the section `inputs`.
  static func patterns(_ inputs: SettingsMapping, _ key: String, folder: String)
    throws(RunFailure) -> [InputPattern]
  {
    var patterns: [InputPattern] = []
    for text in try inputs.texts(key, expected: "a list of patterns") {
      guard let pattern = InputPattern(text, folder: folder) else {
        throw inputs.failure(
          key, expected: InputPattern.expected, found: text)
      }
      patterns.append(pattern)
    }
    return patterns
  }

  /// Finds keys without an effect, such as `inputs.rates` without `reporting_currency`.
  ///
  /// Keys with the value null are left out.
  private static func keysWithoutEffect(_ top: SettingsMapping, _ inputs: SettingsMapping)
    throws(RunFailure) -> [String]
  {
    var keys: [String] = []
    let hasCurrency = try top.text("reporting_currency", expected: "a text") != nil
    if !hasCurrency, try inputs.text("rates", expected: "a path") != nil {
      keys.append("inputs.rates without reporting_currency")
    }
    return keys
  }

  /// Lists the cases of an enumeration for a message: `off, warn or stop`.
  static func choices<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type)
    -> String
  {
    let names = Choice.allCases.map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }

  package static func wholeNumber(_ text: String) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(text)
  }

  /// Converts a decimal number from 0 to 1 to millionths; `nil` for any other text.
  ///
  /// Example: `0.05` → 50,000.
  static func millionths(_ text: String) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let whole = wholeNumber(String(parts[0])) else {
      return nil
    }
    var value = whole * 1_000_000
    if parts.count == 2 {
      guard parts[1].utf8.count <= 6, let fraction = wholeNumber(String(parts[1])) else {
        return nil
      }
      value += (0..<(6 - parts[1].utf8.count)).reduce(fraction) { value, _ in value * 10 }
    }
    return value <= 1_000_000 ? value : nil
  }
}
