enum ReportColumn: Int, CaseIterable {
  case activeSubscriptions, appAppleID, appAppleIdentifier, appleIdentifier, beginDate, country
  case counts, currencyOfProceeds, customerCurrency, customerPrice, date, developerProceeds
  case endDate, event, eventDate, eventSubType, extendedPartnerShare, offerID, offerName, offerType,
    orderType, parentIdentifier
  case partnerShare, partnerShareCurrency, preservedPricing, proceedsCurrency, productType
  case promoCode, purchaseDate, quantity, refund, salesOrReturn, settlementDate, sku, stateMetric
  case subscriberID, subscription, subscriptionAppleID, subscriptionIdentifier, territory
  case transactionDate, units, vendorIdentifier

  /// The name of the column in a header, in lower case.
  var name: String {
    switch self {
    case .activeSubscriptions: "active standard price subscriptions"
    case .appAppleID: "app apple id"
    case .appAppleIdentifier: "app apple identifier"
    case .appleIdentifier: "apple identifier"
    case .beginDate: "begin date"
    case .country: "country"
    case .counts: "counts"
    case .currencyOfProceeds: "currency of proceeds"
    case .customerCurrency: "customer currency"
    case .customerPrice: "customer price"
    case .date: "date"
    case .developerProceeds: "developer proceeds"
    case .endDate: "end date"
    case .event: "event"
    case .eventDate: "event date"
    case .eventSubType: "event sub type"
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
    case .stateMetric: "state metric"
    case .subscriberID: "subscriber id"
    case .subscription: "subscription"
    case .subscriptionAppleID: "subscription apple id"
    case .subscriptionIdentifier: "subscription identifier"
    case .territory: "territory"
    case .transactionDate: "transaction date"
    case .units: "units"
    case .vendorIdentifier: "vendor identifier"
    }
  }
}
