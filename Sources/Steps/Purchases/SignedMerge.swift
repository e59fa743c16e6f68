internal import CivilTime
internal import PurchaseModel

/// Merges the signed transactions and decoded payloads of one purchase.
///
/// The newest value of each field is used.
struct SignedMerge {
  private var isSeen = false
  private var isSigned = false
  private var isBoughtAgain = false
  private var price = Newest<SignedPrice>()
  private var storefront = Newest<Storefront>()
  private var productKind = Newest<OrderedKind>()
  private var paymentMode = Newest<PaymentMode>()
  private var refund = Newest<SignedRefund>()
  private var isOffer = Newest<OrderedFlag>()
  private var billingPlan = Newest<BillingPlan>()
  private var commitmentEndsAt = Newest<Instant>()
  private var taxShare = Newest<BasisPoints>()
  private var itemRefunds = Newest<OrderedText>()
  private var bundle = Newest<OrderedText>()

  /// Adds a signed transaction; the newest value of each field is kept.
  ///
  /// An absent value does not replace an older value, except in two fields: the item refunds and
  /// the bundle. Example: after an item refund is undone, the refund is no longer in the list.
  mutating func include(_ terms: SignedTerms, recency: Int64) {
    isSeen = true
    isSigned = isSigned || !terms.isDecoded
    isBoughtAgain = isBoughtAgain || terms.isBoughtAgain
    // At equal times a signed transaction is preferred to a decoded payload.
    let recency = recency * 2 + (terms.isDecoded ? 0 : 1)
    price.include(terms.price, recency: recency)
    storefront.include(terms.storefront, recency: recency)
    productKind.include(terms.productKind.map(OrderedKind.init), recency: recency)
    paymentMode.include(terms.paymentMode, recency: recency)
    refund.include(terms.refund, recency: recency)
    isOffer.include(OrderedFlag(flag: terms.isOffer), recency: recency)
    billingPlan.include(terms.billingPlan, recency: recency)
    commitmentEndsAt.include(terms.commitmentEndsAt, recency: recency)
    taxShare.include(terms.taxShare, recency: recency)
    // Uses absent values too: after a refund is undone, it is no longer in the list.
    itemRefunds.include(OrderedText(symbol: terms.itemRefunds), recency: recency)
    bundle.include(OrderedText(symbol: terms.bundle), recency: recency)
  }

  /// The merged terms; `nil` without a signed transaction or a decoded payload.
  ///
  /// The refund in the signed transactions is used only if its time equals `cancelledAt`, the time
  /// at which the merged purchase was cancelled. The two times are compared in whole seconds,
  /// because receipts have no fractions.
  func terms(cancelledAt: Instant?) -> SignedTerms? {
    guard isSeen else { return nil }
    var terms = SignedTerms()
    terms.isDecoded = !isSigned
    terms.isBoughtAgain = isBoughtAgain
    terms.price = price.value
    terms.storefront = storefront.value
    terms.productKind = productKind.value?.kind
    terms.paymentMode = paymentMode.value
    if let refund = refund.value, let cancelledAt,
      refund.at.milliseconds / 1000 == cancelledAt.milliseconds / 1000
    {
      terms.refund = refund
    }
    terms.isOffer = isOffer.value?.flag ?? false
    terms.billingPlan = billingPlan.value
    terms.commitmentEndsAt = commitmentEndsAt.value
    terms.taxShare = taxShare.value
    terms.itemRefunds = itemRefunds.value?.symbol
    terms.bundle = bundle.value?.symbol
    return terms
  }
}

/// An optional text that can be sorted; `nil` is first.
private struct OrderedText: Comparable {
  var symbol: Symbol?

  static func < (left: OrderedText, right: OrderedText) -> Bool {
    switch (left.symbol, right.symbol) {
    case (nil, _?): true
    case (let left?, let right?): left < right
    default: false
    }
  }
}

/// A kind of product that can be sorted, by its raw value.
private struct OrderedKind: Comparable {
  var kind: ProductKind

  static func < (left: OrderedKind, right: OrderedKind) -> Bool {
    left.kind.rawValue < right.kind.rawValue
  }
}
