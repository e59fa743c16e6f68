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

/// The flags of a row: the optional fields that it has, and its Boolean values.
///
/// The low bits are for fields of nearly every row, so that the flags need few bytes.
private struct RowFlags {
  static let isTrial: UInt64 = 0
  static let isIntro: UInt64 = 2
  static let newOriginal: UInt64 = 1 << 4
  static let ownTransaction: UInt64 = 1 << 5
  static let hasLineItem: UInt64 = 1 << 6
  static let hasExpiry: UInt64 = 1 << 7
  static let newProduct: UInt64 = 1 << 8
  static let sameOriginalTime: UInt64 = 1 << 9
  static let newOriginalTime: UInt64 = 1 << 10
  static let sameGroup: UInt64 = 1 << 11
  static let newGroup: UInt64 = 1 << 12
  static let isPurchased: UInt64 = 1 << 13
  static let isCancelled: UInt64 = 1 << 14
  static let hasReason: UInt64 = 1 << 15
  static let isUpgraded: UInt64 = 16
  static let hasPromotionalOffer: UInt64 = 1 << 18
  static let hasOfferCode: UInt64 = 1 << 19
  static let hasQuantity: UInt64 = 1 << 20
  static let isFamilyShared: UInt64 = 1 << 21
  static let hasOtherOwnership: UInt64 = 1 << 22
  static let isSigned: UInt64 = 1 << 23
  static let isOfService: UInt64 = 1 << 24
}

extension BodyWriter {
  /// Writes the fields of a row, except its record and its list (`in_app` or
  /// `latest_receipt_info`).
  mutating func row(_ row: TransactionObservation, after previous: inout RowContext) {
    let flags = rowFlags(row, after: previous)
    number(flags)
    if flags & RowFlags.newOriginal != 0 {
      id(row.originalTransactionID.number, after: &previous.originalNumber)
    }
    if flags & RowFlags.ownTransaction != 0 {
      id(row.transactionID.number, after: &previous.transaction)
    }
    if let lineItem = row.lineItemID { id(lineItem.number, after: &previous.lineItem) }
    if flags & RowFlags.newProduct != 0 { symbol(row.productID.symbol) }
    time(row.purchasedAt, after: previous.purchasedAt)
    if flags & RowFlags.newOriginalTime != 0, let time = row.originalPurchasedAt {
      self.time(time, after: row.purchasedAt)
    }
    if let time = row.expiresAt { self.time(time, after: row.purchasedAt) }
    if flags & RowFlags.newGroup != 0, let group = row.subscriptionGroupID { symbol(group.symbol) }
    if let time = row.cancelledAt { self.time(time, after: row.purchasedAt) }
    if let reason = row.cancellationReason { symbol(reason) }
    if let offer = row.promotionalOfferID { symbol(offer.symbol) }
    if let offer = row.offerCodeRefName { symbol(offer.symbol) }
    if flags & RowFlags.hasQuantity != 0 { signed(Int64(row.quantity)) }
    if case .unrecognized(let text) = row.ownership { symbol(text) }
    if let signed = row.signed { self.signed(signed, of: row) }
    if let terms = row.service { service(terms) }

    previous.original = row.originalTransactionID
    previous.product = row.productID
    previous.purchasedAt = row.purchasedAt
    previous.originalPurchasedAt = row.originalPurchasedAt ?? previous.originalPurchasedAt
    previous.group = row.subscriptionGroupID ?? previous.group
  }

  private func rowFlags(_ row: TransactionObservation, after previous: RowContext) -> UInt64 {
    var flags =
      OptionalFlag.pair(row.isTrialPeriod, at: RowFlags.isTrial)
      | OptionalFlag.pair(row.isInIntroOfferPeriod, at: RowFlags.isIntro)
      | OptionalFlag.pair(row.isUpgraded, at: RowFlags.isUpgraded)
    if row.originalTransactionID != previous.original { flags |= RowFlags.newOriginal }
    if row.transactionID.number != row.originalTransactionID.number {
      flags |= RowFlags.ownTransaction
    }
    if row.lineItemID != nil { flags |= RowFlags.hasLineItem }
    if row.productID != previous.product { flags |= RowFlags.newProduct }
    if let time = row.originalPurchasedAt {
      flags |=
        time == previous.originalPurchasedAt
        ? RowFlags.sameOriginalTime : RowFlags.newOriginalTime
    }
    if row.expiresAt != nil { flags |= RowFlags.hasExpiry }
    if let group = row.subscriptionGroupID {
      flags |= group == previous.group ? RowFlags.sameGroup : RowFlags.newGroup
    }
    if row.cancelledAt != nil { flags |= RowFlags.isCancelled }
    if row.cancellationReason != nil { flags |= RowFlags.hasReason }
    if row.promotionalOfferID != nil { flags |= RowFlags.hasPromotionalOffer }
    if row.offerCodeRefName != nil { flags |= RowFlags.hasOfferCode }
    if row.quantity != 1 { flags |= RowFlags.hasQuantity }
    switch row.ownership {
    case nil: break
    case .purchased: flags |= RowFlags.isPurchased
    case .familyShared: flags |= RowFlags.isFamilyShared
    case .unrecognized: flags |= RowFlags.hasOtherOwnership
    }
    if row.signed != nil { flags |= RowFlags.isSigned }
    if row.service != nil { flags |= RowFlags.isOfService }
    return flags
  }
}

extension BodyReader {
  /// Reads the fields of a row; the caller sets its record and its list (`in_app` or
  /// `latest_receipt_info`).
  mutating func row(after previous: inout RowContext, in symbols: StoredSymbols)
    -> TransactionObservation
  {
    let flags = number()
    @inline(__always) func has(_ flag: UInt64) -> Bool { flags & flag != 0 }
    if has(RowFlags.newOriginal) {
      previous.original = OriginalTransactionID(id(after: &previous.originalNumber, in: symbols))
    }
    let original = previous.original ?? OriginalTransactionID(AppleNumber(rawValue: 0))
    let transaction =
      has(RowFlags.ownTransaction)
      ? id(after: &previous.transaction, in: symbols) : original.number
    let lineItem = has(RowFlags.hasLineItem) ? id(after: &previous.lineItem, in: symbols) : nil
    if has(RowFlags.newProduct) { previous.product = ProductID(symbol(in: symbols)) }
    previous.purchasedAt = time(after: previous.purchasedAt)
    guard let product = previous.product else {
      giveUp()
      return TransactionObservation(
        record: 0, rank: .inApp, transactionID: TransactionID(transaction),
        originalTransactionID: original, productID: ProductID(Symbol(rawValue: 0)),
        purchasedAt: .epoch)
    }
    var row = TransactionObservation(
      record: 0, rank: .inApp, transactionID: TransactionID(transaction),
      originalTransactionID: original, productID: product, purchasedAt: previous.purchasedAt)
    row.lineItemID = lineItem.map(LineItemID.init)
    row.isTrialPeriod = OptionalFlag.flag(flags, at: RowFlags.isTrial)
    row.isInIntroOfferPeriod = OptionalFlag.flag(flags, at: RowFlags.isIntro)
    row.isUpgraded = OptionalFlag.flag(flags, at: RowFlags.isUpgraded)
    if has(RowFlags.newOriginalTime) {
      previous.originalPurchasedAt = time(after: row.purchasedAt)
    }
    if has(RowFlags.newOriginalTime | RowFlags.sameOriginalTime) {
      row.originalPurchasedAt = previous.originalPurchasedAt
    }
    if has(RowFlags.hasExpiry) { row.expiresAt = time(after: row.purchasedAt) }
    if has(RowFlags.newGroup) { previous.group = SubscriptionGroupID(symbol(in: symbols)) }
    if has(RowFlags.newGroup | RowFlags.sameGroup) { row.subscriptionGroupID = previous.group }
    if has(RowFlags.isCancelled) { row.cancelledAt = time(after: row.purchasedAt) }
    if has(RowFlags.hasReason) { row.cancellationReason = symbol(in: symbols) }
    if has(RowFlags.hasPromotionalOffer) { row.promotionalOfferID = OfferID(symbol(in: symbols)) }
    if has(RowFlags.hasOfferCode) { row.offerCodeRefName = OfferID(symbol(in: symbols)) }
    if has(RowFlags.hasQuantity) { row.quantity = count(upTo: 1_000_000) }
    if has(RowFlags.isPurchased) { row.ownership = .purchased }
    if has(RowFlags.isFamilyShared) { row.ownership = .familyShared }
    if has(RowFlags.hasOtherOwnership) { row.ownership = .unrecognized(symbol(in: symbols)) }
    if has(RowFlags.isSigned) { row.signed = signedTerms(of: row, in: symbols) }
    if has(RowFlags.isOfService) { row.service = serviceTerms() }
    return row
  }
}
