enum ReportColumn: Int, CaseIterable {
  case activeSubscriptions, appAppleID, appleIdentifier, beginDate, country, currencyOfProceeds
  case customerCurrency, customerPrice, developerProceeds, endDate, event, eventDate
  case extendedPartnerShare, offerID, offerName, offerType, orderType, parentIdentifier
  case partnerShare, partnerShareCurrency, preservedPricing, proceedsCurrency, productType
  case promoCode, purchaseDate, quantity, refund, salesOrReturn, settlementDate, sku, subscriberID
  case subscription, subscriptionAppleID, transactionDate, units, vendorIdentifier

  /// The name of the column in a header, in lower case.
  var name: String {
    switch self {
    case .activeSubscriptions: "active standard price subscriptions"
    case .appAppleID: "app apple id"
    case .appleIdentifier: "apple identifier"
    case .beginDate: "begin date"
    case .country: "country"
    case .currencyOfProceeds: "currency of proceeds"
    case .customerCurrency: "customer currency"
    case .customerPrice: "customer price"
    case .developerProceeds: "developer proceeds"
    case .endDate: "end date"
    case .event: "event"
    case .eventDate: "event date"
    case .extendedPartnerShare: "extended partner share"
    case .offerID: "promotional offer id"
    case .offerName: "subscription offer name"
    case .offerType: "subscription offer type"
    case .orderType: "order type"
    case .parentIdentifier: "parent identifier"
    case .partnerShare: "partner share"
    case .partnerShareCurrency: "partner share currency"
    case .preservedPricing: "preserved pricing"
    case .proceedsCurrency: "proceeds currency"
    case .productType: "product type identifier"
    case .promoCode: "promo code"
    case .purchaseDate: "purchase date"
    case .quantity: "quantity"
    case .refund: "refund"
    case .salesOrReturn: "sales or return"
    case .settlementDate: "settlement date"
    case .sku: "sku"
    case .subscriberID: "subscriber id"
    case .subscription: "subscription"
    case .subscriptionAppleID: "subscription apple id"
    case .transactionDate: "transaction date"
    case .units: "units"
    case .vendorIdentifier: "vendor identifier"
    }
  }
}
