internal import Amounts
internal import CivilTime
internal import Foundation
internal import PurchaseModel
internal import TestSupport

/// The signed rows of a scenario's receipt as an export line, or a decoded row as a line of its
/// own.
///
/// The signatures are not checked.
struct SignedStoryLine {
  /// The line of the export.
  let text: String

  /// Collects the signed rows; `nil` if there are none.
  init?(_ receipt: StoryReceipt) {
    let rows = receipt.latest.filter { $0.signed?.isDecoded == false }
    guard !rows.isEmpty else { return nil }
    let tokens = rows.map { "\"\(Self.token($0, in: receipt))\"" }
    let customer = receipt.customer.map { "\"customer_id\":\"\($0)\"," } ?? ""
    text = "{\(customer)\"signedTransactions\":[\(tokens.joined(separator: ","))]}"
  }

  /// The line of a decoded row.
  init(decoded row: StoreRow, in receipt: StoryReceipt) {
    let customer = receipt.customer.map { "\"customer_id\":\"\($0)\"," } ?? ""
    text = "{\(customer)\"signedTransactionInfo\":\(Self.payload(row, in: receipt))}"
  }

  private static func token(_ row: StoreRow, in receipt: StoryReceipt) -> String {
    let parts = [#"{"alg":"ES256"}"#, payload(row, in: receipt)].map(base64)
    return "\(parts[0]).\(parts[1]).\(String(repeating: "A", count: 86))"
  }

  private static func payload(_ row: StoreRow, in receipt: StoryReceipt) -> String {
    var members: [String: Any] = [
      "transactionId": row.id, "originalTransactionId": row.original ?? row.id,
      "productId": row.product, "quantity": row.quantity,
    ]
    members["environment"] = receipt.environment
    let times = [
      ("purchaseDate", row.bought), ("originalPurchaseDate", row.firstBought),
      ("expiresDate", row.until), ("signedDate", receipt.snapshot),
      ("revocationDate", row.cancelled),
    ]
    for (key, time) in times {
      members[key] = time.flatMap { Instant(text: $0) }?.milliseconds
    }
    members["webOrderLineItemId"] = row.item
    members["bundleId"] = receipt.bundle
    members["subscriptionGroupIdentifier"] = row.group
    members["inAppOwnershipType"] = row.ownership
    members["revocationReason"] = row.reason.flatMap { Int($0) }
    members["isUpgraded"] = row.upgraded
    members["storefront"] = row.signed?.storefront
    members["revocationPercentage"] = row.signed?.share
    if let price = row.signed?.price {
      members["price"] = milliunits(price.digits).rawValue
      members["currency"] = price.currency
    }
    if row.signed?.isSubscription == true { members["type"] = "Auto-Renewable Subscription" }
    if let offer = offer(row) {
      members["offerType"] = offer.type
      members["offerIdentifier"] = offer.id
      let mode = row.signed?.mode ?? (row.trial == true ? .freeTrial : .payAsYouGo)
      members["offerDiscountType"] = mode.name.uppercased()
    }
    let data = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private static func offer(_ row: StoreRow) -> (type: Int, id: String?)? {
    if let code = row.code { return (3, code) }
    if let promo = row.promo { return (2, promo) }
    return row.trial == true || row.intro == true ? (1, nil) : nil
  }

  private static func base64(_ text: String) -> String {
    Data(text.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}
