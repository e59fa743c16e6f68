internal import CivilTime
internal import PurchaseModel

/// The fields of the previous row of a chain; the next row is written as differences from them.
struct RowContext {
  var transaction: Int64 = 0
  var original: OriginalTransactionID?
  var originalNumber: Int64 = 0
  var lineItem: Int64 = 0
  var product: ProductID?
  var purchasedAt = Instant.epoch
  var originalPurchasedAt: Instant?
  var group: SubscriptionGroupID?
}

extension TransactionObservation {
  static var blank: TransactionObservation {
    let zero = AppleNumber(rawValue: 0)
    return TransactionObservation(
      record: 0, rank: .inApp, transactionID: TransactionID(zero),
      originalTransactionID: OriginalTransactionID(zero), productID: .blank, purchasedAt: .epoch)
  }

  /// Codes the fields of a row, except its record and its list (`in_app` or
  /// `latest_receipt_info`).
  mutating func coded(by coder: inout some BodyCoder, after previous: inout RowContext) {
    var flags = coder.longFlags(self.flags(after: previous))
    isTrialPeriod = flags.nextOptional()
    isInIntroOfferPeriod = flags.nextOptional()
    if flags.next() {
      coder.code(&originalTransactionID, after: &previous.originalNumber)
    } else if let original = previous.original {
      originalTransactionID = original
    }
    if flags.next() {
      coder.code(&transactionID, after: &previous.transaction)
    } else {
      transactionID = TransactionID(originalTransactionID.number)
    }
    coder.code(&lineItemID, after: &previous.lineItem, if: flags.next())
    let hasExpiry = flags.next()
    if flags.next() {
      coder.code(&productID)
    } else {
      productID = coder.known(previous.product, or: .blank)
    }
    coder.code(&purchasedAt, after: previous.purchasedAt)
    if flags.next() { originalPurchasedAt = previous.originalPurchasedAt }
    coder.code(&originalPurchasedAt, after: purchasedAt, if: flags.next())
    coder.code(&expiresAt, after: purchasedAt, if: hasExpiry)
    if flags.next() { subscriptionGroupID = previous.group }
    coder.code(&subscriptionGroupID, if: flags.next())
    let isPurchased = flags.next()
    coder.code(&cancelledAt, after: purchasedAt, if: flags.next())
    coder.code(&cancellationReason, if: flags.next())
    isUpgraded = flags.nextOptional()
    coder.code(&promotionalOfferID, if: flags.next())
    coder.code(&offerCodeRefName, if: flags.next())
    if flags.next() { coder.code(&quantity, upTo: 1_000_000) }
    if isPurchased { ownership = .purchased }
    if flags.next() { ownership = .familyShared }
    if flags.next() {
      var text = ownership?.unrecognized ?? .blank
      coder.code(&text)
      ownership = .unrecognized(text)
    }
    if flags.next() {
      var terms = signed ?? SignedTerms()
      terms.coded(by: &coder, purchasedAt: purchasedAt, cancelledAt: cancelledAt)
      signed = terms
    }
    coder.code(&service, if: flags.next())

    previous.original = originalTransactionID
    previous.product = productID
    previous.purchasedAt = purchasedAt
    previous.originalPurchasedAt = originalPurchasedAt ?? previous.originalPurchasedAt
    previous.group = subscriptionGroupID ?? previous.group
  }

  /// The flags in the order of the fields, more or less: those of nearly every row come first, so
  /// that they need few bytes.
  @inline(__always) private func flags(after previous: RowContext) -> Flags {
    let time = originalPurchasedAt.map { $0 == previous.originalPurchasedAt }
    let group = subscriptionGroupID.map { $0 == previous.group }
    return Flags(
      bits: Flags(
        isTrialPeriod == false, isTrialPeriod == true, isInIntroOfferPeriod == false,
        isInIntroOfferPeriod == true, originalTransactionID != previous.original,
        transactionID.number != originalTransactionID.number, lineItemID != nil, expiresAt != nil
      ).bits
        | Flags(
          productID != previous.product, time == true, time == false, group == true, group == false,
          ownership == .purchased, cancelledAt != nil, cancellationReason != nil
        ).bits << 8
        | Flags(
          isUpgraded == false, isUpgraded == true, promotionalOfferID != nil,
          offerCodeRefName != nil, quantity != 1, ownership == .familyShared,
          ownership?.unrecognized != nil, signed != nil
        ).bits << 16 | (service == nil ? 0 : 1 << 24))
  }
}

extension OwnershipType {
  fileprivate var unrecognized: Symbol? {
    if case .unrecognized(let text) = self { text } else { nil }
  }
}
