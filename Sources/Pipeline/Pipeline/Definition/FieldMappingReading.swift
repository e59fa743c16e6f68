internal import Amounts
internal import Diagnostics
internal import ExportReading
internal import SignedTransactions

/// Reads the key names and the price unit of exports from the section `inputs` of a pipeline.
extension FieldMapping {
  /// Reads `receipt_keys`, `price_keys`, `price_unit`, `signatures`, `signed_roots` and
  /// `signed_environments`.
  ///
  /// - Parameters:
  ///   - bundleIDs: The owner's apps; empty for all apps.
  /// - Throws: ``RunFailure`` with status 78, file and line if a setting is wrong.
  static func read(
    _ inputs: SettingsMapping, folder: String, hasSigned: Bool, bundleIDs: [String]
  ) throws(RunFailure) -> FieldMapping {
    let unit = try inputs.value(
      "price_unit", expected: PipelineDefinition.choices(PriceUnit.self), read: PriceUnit.init)
    let receipts = try names(inputs, "receipt_keys", known: receiptKeys)
    let prices = try names(inputs, "price_keys", known: priceKeys)
    let signed = try SignedInputs.read(inputs, folder: folder, bundleIDs: bundleIDs)
    guard unit ?? .main != .main || !receipts.isEmpty || !prices.isEmpty || hasSigned else {
      return .standard
    }
    return FieldMapping(
      receiptKeys: receipts, priceKeys: prices, priceUnit: unit ?? .main,
      signed: hasSigned ? signed : nil)
  }

  private static func names(_ inputs: SettingsMapping, _ key: String, known: [String])
    throws(RunFailure) -> [String: String]
  {
    guard let given = try inputs.mapping(key, known: known) else { return [:] }
    let expected = "the name of a key in the export, of at most \(longestName) bytes"
    var names: [String: String] = [:]
    for standard in known where given.has(standard) {
      let own = try given.requiredValue(standard, expected: expected) { text in
        text.utf8.count <= longestName && text.utf8.allSatisfy { $0 >= 0x20 } ? text : nil
      }
      if let other = names.first(where: { $0.value == own })?.key {
        throw given.failure(
          standard, expected: "a name that differs from that of \(other)", found: own)
      }
      names[standard] = own
    }
    return names
  }
}
