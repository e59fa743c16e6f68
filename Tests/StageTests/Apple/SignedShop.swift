internal import CivilTime
internal import Foundation
internal import ReceiptSigning
internal import TestSupport
internal import Testing

/// A shop whose pipeline reads signed transactions and receipts, under a root of the test.
final class SignedShop: Sendable {
  let shop: Shop
  let signer: TokenSigner

  /// Creates a shop without exports.
  ///
  /// - Parameters:
  ///   - inputs: Keys of `inputs` that replace the default keys.
  ///   - more: Further lines of the pipeline.
  /// - Throws: The error of creating a certificate or a file.
  init(inputs: [String] = [], more: String = "") throws {
    shop = try Shop()
    signer = try TokenSigner()
    try prepare(inputs, more: more)
  }

  /// Creates a shop with only signed transactions, under a root that several shops share.
  init(signer: TokenSigner) throws {
    shop = try Shop()
    self.signer = signer
    try prepare(["receipts: []"], more: "")
  }

  private func prepare(_ inputs: [String], more: String) throws {
    try shop.folder.write("root.der", bytes: signer.root)
    try writePipeline(inputs, more: more)
  }

  /// Writes the pipeline; additional keys of `inputs` replace equal keys.
  func writePipeline(_ inputs: [String], more: String = "") throws {
    let keys = [
      "receipts: [\"in/*.ndjson\"]", "signed: [\"signed/*\"]", "signed_roots: [root.der]",
    ]
    let given = Set(inputs.map { $0.prefix { $0 != ":" } })
    let lines = keys.filter { !given.contains($0.prefix { $0 != ":" }) } + inputs
    try shop.folder.write(
      "pipeline.yaml",
      """
      state: var/state.db
      warehouse: out/warehouse.db
      inputs:
      \(lines.map { "  \($0)" }.joined(separator: "\n"))
      customer_key_file: customer.key
      \(more)
      """)
  }

  /// A month of `pro` at 9.99 USD in the United States, bought and signed at ten o'clock.
  static func payload(
    _ id: Int, day: String, original: Int? = nil, _ changes: [String: String?] = [:]
  ) -> String {
    let start = Self.milliseconds("\(day)T10:00:00Z")
    var members: [String: String] = [
      "transactionId": "\"\(id)\"", "originalTransactionId": "\"\(original ?? id)\"",
      "webOrderLineItemId": "\"\(id + 5_000_000)\"", "bundleId": "\"com.example\"",
      "productId": "\"pro\"", "subscriptionGroupIdentifier": "\"20611001\"",
      "purchaseDate": "\(start)", "originalPurchaseDate": "\(start)",
      "expiresDate": "\(Self.milliseconds(Self.monthAfter(day) + "T10:00:00Z"))",
      "quantity": "1", "type": "\"Auto-Renewable Subscription\"",
      "inAppOwnershipType": "\"PURCHASED\"", "signedDate": "\(start + 5000)",
      "environment": "\"Production\"", "transactionReason": "\"PURCHASE\"",
      "storefront": "\"USA\"", "price": "9990", "currency": "\"USD\"",
    ]
    for (key, value) in changes { members[key] = value }
    return "{" + members.map { "\"\($0.key)\":\($0.value)" }.sorted().joined(separator: ",") + "}"
  }

  /// The signed form of ``payload(_:day:original:_:)``.
  func token(
    _ id: Int, day: String, original: Int? = nil, _ changes: [String: String?] = [:]
  ) throws -> String {
    try signer.sign(Self.payload(id, day: day, original: original, changes))
  }

  /// Writes an export of signed transactions, one record per line.
  func write(_ lines: [String], file: String = "signed/a.ndjson") throws {
    try shop.folder.write(file, lines.map { $0 + "\n" }.joined())
  }

  /// Writes a receipt export.
  func writeReceipts(_ text: String, file: String = "in/a.ndjson") throws {
    try shop.folder.write(file, text)
  }

  /// Runs the pipeline.
  func run(_ arguments: String...) throws -> Ending {
    try shop.run("paidline", arguments: ["run", shop.pipeline] + arguments)
  }

  /// Milliseconds since 1970.
  static func milliseconds(_ text: String) -> Int64 {
    instant(text).milliseconds
  }

  /// The same day of the next month, for days up to the 28th of a month before December.
  static func monthAfter(_ day: String) -> String {
    let month = Int(day.dropFirst(5).prefix(2)) ?? 0
    return day.prefix(5) + (month < 9 ? "0" : "") + "\(month + 1)" + day.suffix(3)
  }
}
