internal import CivilTime
internal import Pipeline

extension LocalReceipt {
  /// The receipt in the format of Apple's responses, with only the fields that the receipt has.
  ///
  /// The receipt's creation time is the time of the snapshot. Texts are copied from the signed
  /// content. Fields that the receipt lacks are left out, so that the result cannot be confused
  /// with a complete response.
  var response: AppleAnswer {
    let type = receiptType ?? "Production"
    let milliseconds = String(createdAt.milliseconds)
    let response = JSONText.object([
      .init("status", .number(0)),
      .init("environment", .text(type.hasSuffix("Sandbox") ? "Sandbox" : type)),
      .init(
        "receipt",
        .object([
          .init("receipt_type", .text(type)), .init("bundle_id", .text(orNull: bundleID)),
          .init("receipt_creation_date_ms", .text(milliseconds)),
          .init("request_date_ms", .text(milliseconds)),
          .init("in_app", .list(purchases.map(Self.row))),
        ])),
    ])
    return AppleAnswer(status: 0, text: Array(response.line.utf8))
  }

  private static func row(_ purchase: LocalPurchase) -> JSONText {
    let fields: [(String, String?)] = [
      ("quantity", purchase.quantity.map { String($0) }), ("product_id", purchase.productID),
      ("transaction_id", purchase.transactionID),
      ("original_transaction_id", purchase.originalTransactionID),
      ("web_order_line_item_id", purchase.webOrderLineItemID.map { String($0) }),
      ("purchase_date_ms", time(purchase.purchasedAt)),
      ("original_purchase_date_ms", time(purchase.originallyPurchasedAt)),
      ("expires_date_ms", time(purchase.expiresAt)),
      ("cancellation_date_ms", time(purchase.cancelledAt)),
      ("is_trial_period", purchase.isTrialPeriod.map { "\($0)" }),
      ("is_in_intro_offer_period", purchase.isInIntroOfferPeriod.map { "\($0)" }),
      ("promotional_offer_id", purchase.promotionalOfferID),
    ]
    return .object(fields.compactMap { name, value in value.map { .init(name, .text($0)) } })
  }

  private static func time(_ time: Instant?) -> String? { time.map { String($0.milliseconds) } }
}
