public import PurchaseModel

/// Finds the keys of a pipeline entry that have no value in any record of a file.
extension FieldMapping {
  /// Returns the entry's optional keys without a value, each with its paths.
  ///
  /// A missing required key is not among them, because it rejects the records.
  ///
  /// - Parameter set: The whole content of a file.
  public func valuelessKeys(in set: Observations, kind: InputFile.Kind)
    -> [(key: String, paths: [String])]
  {
    let named = kind == .prices ? priceLayout?.named : recordLayout?.named
    return (named ?? []).filter { key, _ in
      let hasValue: Bool? = kind == .prices ? Self.report(key, set) : Self.record(key, set)
      return hasValue == false
    }
  }

  /// Whether a report has a value under a key; `nil` for a key that is not checked.
  private static func report(_ key: String, _ set: Observations) -> Bool? {
    guard !set.reports.isEmpty else { return nil }
    switch key {
    case "customer_id": return set.reports.contains { $0.customer != nil }
    case "transaction_id": return set.reports.contains { $0.transactionID != nil }
    case "storefront": return set.reports.contains { $0.storefront != nil }
    case "bundle_id": return set.reports.contains { $0.bundle != nil }
    default: return nil
    }
  }

  private static func record(_ key: String, _ set: Observations) -> Bool? {
    guard !set.records.isEmpty else { return nil }
    switch key {
    case "customer_id": return set.records.contains { $0.customer != nil }
    case "storefront": return set.records.contains { $0.storefront != nil }
    case "price_report": return !set.reports.isEmpty
    default: return nil
    }
  }
}
