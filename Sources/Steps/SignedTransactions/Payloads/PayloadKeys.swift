internal import ExportReading

/// The known keys of signed payloads.
enum PayloadKey: UInt8, Sendable, CaseIterable {
  case transactionID, originalTransactionID, lineItemID, bundleID, productID, groupID
  case purchaseDate, originalPurchaseDate, expiresDate, signedDate
  case quantity, type, ownership, isUpgraded
  case offerType, offerIdentifier, offerDiscountType, offerPeriod
  case revocationDate, revocationReason, revocationType, revocationPercentage
  case price, currency, environment, storefront, transactionReason
  case accountToken, appTransactionID, previousOriginalTransactionID, billingPlan
  case commitment, commitmentExpiresDate
  case bundleTransactionID, bundleOriginalTransactionID, bundleProductID, bundleGroupID
  case advancedCommerce, items, sku, refunds, refundAmount, refundDate
  case taxExclusivePrice, estimatedTax, taxRate
  // Keys of renewals.
  case autoRenewProductID, autoRenewStatus, expirationIntent, isInBillingRetry
  case gracePeriodExpiresDate, priceIncreaseStatus, recentStartDate, renewalBillingPlan
  case commitmentAutoRenewStatus, commitmentRenewalDate, commitmentRenewalPrice
  // Keys of notifications.
  case notificationType, subtype, notificationUUID
  case data, summary, externalPurchaseToken, appData
  // Keys of the parts of a notification.
  case status, signedTransaction, signedRenewal

  /// The keys by name; a name has the same meaning in all kinds of payloads.
  static let table = KeyTable(names, capacity: allCases.count)

  /// The names of the keys in a warehouse that writes decoded payloads in snake case.
  ///
  /// Example: `original_transaction_id` for `originalTransactionId`.
  static let snakeCaseTable = KeyTable(snakeCaseNames, capacity: allCases.count)

  /// The names under which objects of Apple's Java library have Apple's own values.
  ///
  /// Example: `rawOfferType` is 1 where `offerType` may be the constant `INTRODUCTORY_OFFER`, or
  /// null if the library does not know the number.
  static let rawTable = KeyTable(rawNames, capacity: allCases.count)

  private static let names: [(name: StaticString, key: PayloadKey)] = [
    ("transactionId", .transactionID), ("originalTransactionId", .originalTransactionID),
    ("webOrderLineItemId", .lineItemID), ("bundleId", .bundleID), ("productId", .productID),
    ("subscriptionGroupIdentifier", .groupID), ("purchaseDate", .purchaseDate),
    ("originalPurchaseDate", .originalPurchaseDate), ("expiresDate", .expiresDate),
    ("signedDate", .signedDate), ("quantity", .quantity), ("type", .type),
    ("inAppOwnershipType", .ownership), ("isUpgraded", .isUpgraded), ("offerType", .offerType),
    ("offerIdentifier", .offerIdentifier), ("offerDiscountType", .offerDiscountType),
    ("offerPeriod", .offerPeriod), ("revocationDate", .revocationDate),
    ("revocationReason", .revocationReason), ("revocationType", .revocationType),
    ("revocationPercentage", .revocationPercentage), ("price", .price), ("currency", .currency),
    ("environment", .environment), ("storefront", .storefront),
    ("transactionReason", .transactionReason), ("appAccountToken", .accountToken),
    ("appTransactionId", .appTransactionID),
    ("previousOriginalTransactionId", .previousOriginalTransactionID),
    ("billingPlanType", .billingPlan), ("commitmentInfo", .commitment),
    ("commitmentExpiresDate", .commitmentExpiresDate),
    ("bundleTransactionId", .bundleTransactionID),
    ("bundleOriginalTransactionId", .bundleOriginalTransactionID),
    ("bundleProductId", .bundleProductID), ("bundleSubscriptionGroupId", .bundleGroupID),
    ("advancedCommerceInfo", .advancedCommerce), ("items", .items), ("SKU", .sku),
    ("refunds", .refunds), ("refundAmount", .refundAmount), ("refundDate", .refundDate),
    ("taxExclusivePrice", .taxExclusivePrice), ("estimatedTax", .estimatedTax),
    ("taxRate", .taxRate),
    ("autoRenewProductId", .autoRenewProductID),
    ("autoRenewStatus", .autoRenewStatus), ("expirationIntent", .expirationIntent),
    ("isInBillingRetryPeriod", .isInBillingRetry),
    ("gracePeriodExpiresDate", .gracePeriodExpiresDate),
    ("priceIncreaseStatus", .priceIncreaseStatus),
    ("recentSubscriptionStartDate", .recentStartDate),
    ("renewalBillingPlanType", .renewalBillingPlan),
    ("commitmentAutoRenewStatus", .commitmentAutoRenewStatus),
    ("commitmentRenewalDate", .commitmentRenewalDate),
    ("commitmentRenewalPrice", .commitmentRenewalPrice),
    ("notificationType", .notificationType), ("subtype", .subtype),
    ("notificationUUID", .notificationUUID), ("data", .data), ("summary", .summary),
    ("externalPurchaseToken", .externalPurchaseToken), ("appData", .appData), ("status", .status),
    ("signedTransactionInfo", .signedTransaction), ("signedRenewalInfo", .signedRenewal),
  ]

  private static let snakeCaseNames: [(name: StaticString, key: PayloadKey)] = [
    ("transaction_id", .transactionID), ("original_transaction_id", .originalTransactionID),
    ("web_order_line_item_id", .lineItemID), ("bundle_id", .bundleID), ("product_id", .productID),
    ("subscription_group_identifier", .groupID), ("purchase_date", .purchaseDate),
    ("original_purchase_date", .originalPurchaseDate), ("expires_date", .expiresDate),
    ("signed_date", .signedDate), ("in_app_ownership_type", .ownership),
    ("is_upgraded", .isUpgraded), ("offer_type", .offerType),
    ("offer_identifier", .offerIdentifier), ("offer_discount_type", .offerDiscountType),
    ("offer_period", .offerPeriod), ("revocation_date", .revocationDate),
    ("revocation_reason", .revocationReason), ("revocation_type", .revocationType),
    ("revocation_percentage", .revocationPercentage), ("transaction_reason", .transactionReason),
    ("app_account_token", .accountToken), ("app_transaction_id", .appTransactionID),
    ("previous_original_transaction_id", .previousOriginalTransactionID),
    ("billing_plan_type", .billingPlan),
    ("auto_renew_product_id", .autoRenewProductID), ("auto_renew_status", .autoRenewStatus),
    ("expiration_intent", .expirationIntent),
    ("is_in_billing_retry_period", .isInBillingRetry),
    ("grace_period_expires_date", .gracePeriodExpiresDate),
    ("price_increase_status", .priceIncreaseStatus),
    ("recent_subscription_start_date", .recentStartDate),
    ("renewal_billing_plan_type", .renewalBillingPlan),
    ("notification_type", .notificationType), ("notification_uuid", .notificationUUID),
  ]

  private static let rawNames: [(name: StaticString, key: PayloadKey)] = [
    ("rawType", .type), ("rawInAppOwnershipType", .ownership), ("rawOfferType", .offerType),
    ("rawOfferDiscountType", .offerDiscountType), ("rawRevocationReason", .revocationReason),
    ("rawRevocationType", .revocationType), ("rawEnvironment", .environment),
    ("rawTransactionReason", .transactionReason), ("rawBillingPlanType", .billingPlan),
    ("rawAutoRenewStatus", .autoRenewStatus), ("rawExpirationIntent", .expirationIntent),
    ("rawPriceIncreaseStatus", .priceIncreaseStatus),
    ("rawRenewalBillingPlanType", .renewalBillingPlan),
    ("rawCommitmentAutoRenewStatus", .commitmentAutoRenewStatus),
    ("rawNotificationType", .notificationType), ("rawSubtype", .subtype), ("rawStatus", .status),
  ]
}
