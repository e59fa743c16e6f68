internal import Diagnostics

/// Recognizes the exports of hosted services by their columns.
enum ServiceColumns {
  /// A format of `inputs.exports`, and the columns that every file of it has.
  ///
  /// In a nested record, a column is a path.
  struct Format {
    var name: String
    var service: String
    var columns: [String]
  }

  /// The formats, sorted by name.
  static let formats = [
    Format(
      name: "adapty_export", service: "Adapty's export",
      columns: ["profile_id", "event_type", "event_datetime", "transaction_id"]),
    Format(
      name: "apphud_export", service: "Apphud's export",
      columns: ["event_name", "purchased_at", "transaction_id", "internal_user_id"]),
    Format(
      name: "qonversion_webhook", service: "Qonversion's webhook",
      columns: ["event_name", "transaction.original_transaction_id", "price.currency"]),
    Format(
      name: "revenuecat_export", service: "RevenueCat's export",
      columns: [
        "rc_original_app_user_id", "product_identifier", "start_time", "store_transaction_id",
      ]),
    Format(
      name: "superwall_webhook", service: "Superwall's webhook",
      columns: ["object", "data.originalTransactionId", "data.periodType"]),
  ]

  /// Returns the file as a service's export; `nil` if it has the columns of no format.
  static func recognized(_ path: String) throws(RunFailure) -> RecognizedInput? {
    let columns = Set(try KeySearch.columns(path).map { $0.lowercased() })
    guard
      let format = formats.first(where: { format in
        format.columns.allSatisfy { columns.contains($0.lowercased()) }
      })
    else { return nil }
    var found = RecognizedInput(
      path: path, kind: nil, settings: "format: \(format.name)",
      words: "\(format.service), format \(format.name)")
    found.exportFormat = format.name
    return found
  }
}
