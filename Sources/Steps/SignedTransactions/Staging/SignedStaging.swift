internal import CivilTime
internal import Diagnostics
internal import ExportReading
internal import PurchaseModel

/// Adds the records of one file of signed transactions to a set of observations.
struct SignedStaging: SignedRecordStaging {
  private var reader: SignedRecordReader
  /// Whether the owner's server verified the payloads without a signature.
  private let trustsClaims: Bool

  init(reader: SignedRecordReader, trustsClaims: Bool) {
    self.reader = reader
    self.trustsClaims = trustsClaims
  }

  mutating func stage(
    _ record: Span<UInt8>, line: Int32, into set: inout Observations, symbols: inout SymbolTable
  ) throws(SignedRecordFault) -> SignedRecordAccount {
    let read: SignedRecord
    do throws(RecordFault) {
      read = try reader.read(record)
    } catch {
      throw SignedRecordFault(reason: error.reason, detail: error.detail)
    }
    return stage(read, line: line, into: &set, symbols: &symbols)
  }

  mutating func stage(
    _ values: SignedValues, line: Int32, into set: inout Observations, symbols: inout SymbolTable
  ) throws(SignedRecordFault) -> SignedRecordAccount {
    let read: SignedRecord
    do throws(RecordFault) {
      read = try reader.read(values)
    } catch {
      throw SignedRecordFault(reason: error.reason, detail: error.detail)
    }
    return stage(read, line: line, into: &set, symbols: &symbols)
  }

  private func stage(
    _ read: SignedRecord, line: Int32, into set: inout Observations, symbols: inout SymbolTable
  ) -> SignedRecordAccount {
    var response = SignedResponse(
      context: read.context, source: SourceLine(file: 0, line: line), start: set.records.count)
    var account = SignedRecordAccount()
    for finding in read.findings {
      switch finding.content {
      case .failure(let fault):
        let place = "\(finding.place)"
        let parts = [place.isEmpty ? "token" : place, fault.detail].filter { !$0.isEmpty }
        account.faults.append(
          SignedRecordFault(reason: fault.reason, detail: parts.joined(separator: ": ")))
        continue
      case .success(.notification):
        // Each notification belongs to one Apple account; the next may belong to another account.
        response.start = set.records.count
      case .success(.renewal(let renewal)):
        if renewal.environment == nil { account.assumedProduction += 1 }
        response.stage(renewal, into: &set, &symbols)
      case .success(.transaction(let transaction))
      where finding.proofLevel == .unsigned && transaction.hasImpossiblePeriod:
        account.faults.append(
          SignedRecordFault(reason: .impossiblePeriod, detail: "\(finding.place)"))
        continue
      case .success(.transaction(let transaction)):
        if transaction.environment == nil { account.assumedProduction += 1 }
        if case .unrecognized? = transaction.revocation?.kind { account.unknownRevocations += 1 }
        let isSigned = finding.proofLevel != .unsigned
        let row = response.stage(transaction, isSigned: isSigned, into: &set, &symbols)
        if !isSigned, var claim = response.claim(transaction, row, in: set) {
          claim.isTrusted = trustsClaims
          account.claims.append(claim)
        }
      }
      switch finding.proofLevel {
      case .verified: account.verified += 1
      case .trusted: account.trusted += 1
      case .unsigned: account.unsigned += 1
      }
    }
    return account
  }
}

/// The state while a response is converted to records and rows.
///
/// Each transaction has its own signing time. Consecutive transactions with equal time, app and
/// customer become one record. All records of a response belong to one Apple account.
private struct SignedResponse {
  let context: RecordContext
  let source: SourceLine
  /// The position of the first record of the current response, or of the current notification.
  var start: Int

  /// The time of a payload's snapshot: the time of Apple's signature, if known.
  ///
  /// Otherwise the time at which the app's server received the payload is used, else the newest
  /// time in the payload.
  private func snapshot(_ signedAt: Instant?, _ newest: Instant?) -> Instant {
    signedAt ?? context.receivedAt ?? newest ?? .epoch
  }

  /// Returns the position, in the set, of the record to which a payload's row belongs.
  ///
  /// This is the last record of the response if its values match, else a new record.
  private func record(
    at snapshotAt: Instant, accountToken: String?, bundleID: String?,
    environment: StoreEnvironment?, in set: inout Observations, _ symbols: inout SymbolTable
  ) -> Int32 {
    let isSandbox = environment?.isSandbox ?? false
    let customer = (context.customerID ?? accountToken).map { CustomerID(symbols.intern($0)) }
    let last = set.records.count > start ? set.records.last : nil
    // A renewal state has no app.
    let bundle = bundleID.map { BundleID(symbols.intern($0)) } ?? last?.bundle
    let isAccountToken = context.customerID == nil && accountToken != nil
    if let last, last.snapshotAt == snapshotAt, last.customer == customer,
      last.isAccountToken == isAccountToken, last.bundle == bundle, last.isSandbox == isSandbox,
      last.isProductionAssumed == (environment == nil)
    {
      return Int32(set.records.count - 1)
    }
    var record = ReceiptRecord(
      source: source, ordinal: 0, snapshotAt: snapshotAt, customer: customer, storefront: nil,
      bundle: bundle, isSandbox: isSandbox)
    record.isAccountToken = isAccountToken
    record.isProductionAssumed = environment == nil
    record.indexInResponse = Int32(set.records.count - start)
    set.records.append(record)
    return Int32(set.records.count - 1)
  }

  /// Adds the observation of a purchase to the set, and returns it.
  ///
  /// ``SignedTransaction`` lists the field of the observation for each field of the transaction.
  func stage(
    _ transaction: SignedTransaction, isSigned: Bool, into set: inout Observations,
    _ symbols: inout SymbolTable
  ) -> TransactionObservation {
    let newest = max(
      transaction.purchasedAt, transaction.revocation?.revokedAt ?? transaction.purchasedAt)
    let record = record(
      at: snapshot(transaction.signedAt, newest), accountToken: transaction.accountToken,
      bundleID: transaction.bundleID, environment: transaction.environment, in: &set, &symbols)
    var row = TransactionObservation(
      record: record, rank: .latest,
      transactionID: TransactionID(AppleNumber(transaction.transactionID, symbols: &symbols)),
      originalTransactionID: OriginalTransactionID(
        AppleNumber(transaction.originalTransactionID, symbols: &symbols)),
      productID: ProductID(symbols.intern(transaction.productID)),
      purchasedAt: transaction.purchasedAt)
    row.isTrialPeriod = transaction.isTrial
    row.isInIntroOfferPeriod = transaction.isIntroductory
    row.isUpgraded = transaction.isUpgraded ? true : nil
    row.lineItemID = transaction.lineItemID.map { LineItemID(AppleNumber($0, symbols: &symbols)) }
    row.originalPurchasedAt = transaction.originalPurchasedAt
    row.expiresAt = transaction.mayExpire ? transaction.expiresAt : nil
    if let revocation = transaction.revocation, revocation.movesMoney {
      row.cancelledAt = revocation.revokedAt
      row.cancellationReason = revocation.reason.map { symbols.intern("\($0)") }
    }
    if let offer = transaction.offer, let id = offer.identifier {
      switch offer.kind {
      case .offerCode: row.offerCodeRefName = OfferID(symbols.intern(id))
      case .introductory: break
      case .promotional, .winBack, .retention, .unrecognized:
        row.promotionalOfferID = OfferID(symbols.intern(id))
      }
    }
    row.ownership = transaction.ownership.map { word in
      switch word {
      case .purchased: .purchased
      case .familyShared: .familyShared
      case .unrecognized(let text): .unrecognized(symbols.intern(text))
      }
    }
    row.subscriptionGroupID = transaction.subscriptionGroupID.map {
      SubscriptionGroupID(symbols.intern($0))
    }
    row.quantity = transaction.quantity
    row.signed = SignedTerms(transaction, isSigned: isSigned, &symbols)
    set.observations.append(row)
    return row
  }

  /// Adds the renewal state of a chain to the set.
  func stage(
    _ renewal: SignedRenewal, into set: inout Observations, _ symbols: inout SymbolTable
  ) {
    let record = record(
      at: snapshot(renewal.signedAt, renewal.recentStartAt), accountToken: renewal.accountToken,
      bundleID: nil, environment: renewal.environment, in: &set, &symbols)
    var entry = RenewalObservation(
      record: record,
      originalTransactionID: OriginalTransactionID(
        AppleNumber(renewal.originalTransactionID, symbols: &symbols)))
    entry.productID = renewal.productID.map { ProductID(symbols.intern($0)) }
    entry.autoRenewProductID = renewal.autoRenewProductID.map { ProductID(symbols.intern($0)) }
    entry.autoRenewStatus = renewal.autoRenewStatus
    entry.commitment = renewal.commitment
    entry.expirationIntent = renewal.expirationIntent.map { symbols.intern("\($0)") }
    entry.isInBillingRetry = renewal.isInBillingRetry
    entry.gracePeriodExpiresAt = renewal.gracePeriodExpiresAt
    entry.priceIncreaseStatus = renewal.priceIncreaseStatus.map { symbols.intern("\($0)") }
    set.renewals.append(entry)
  }

  /// Creates the charge in an unsigned payload: the price of the whole transaction.
  ///
  /// A free trial or offer has a charge of 0, which shows storefront and currency. `nil` if the
  /// payload has no price, or if the purchase is a test purchase.
  func claim(_ transaction: SignedTransaction, _ row: TransactionObservation, in set: Observations)
    -> PriceReport?
  {
    guard let price = transaction.price, transaction.environment?.isSandbox != true else {
      return nil
    }
    let record = set.records[Int(row.record)]
    return PriceReport(
      evidenceID: 0, source: source, customer: record.customer, transactionID: row.transactionID,
      productID: row.productID, storefront: transaction.storefront, currency: price.currency,
      reportedAt: record.snapshotAt, price: price.amount, meaning: .charged, sender: .apple,
      appliedDiscount: nil, offers: 0..<0)
  }
}

extension SignedTransaction {
  /// Whether the transaction covers more time than Apple sells at once: 600 days.
  fileprivate var hasImpossiblePeriod: Bool {
    expiresAt.map { $0.since(purchasedAt) > .days(600) } ?? false
  }

  /// Whether a receipt has an expiry for this kind of product.
  ///
  /// In receipts, only auto-renewable subscriptions have an expiry.
  fileprivate var mayExpire: Bool {
    switch productKind {
    case .autoRenewable, .unrecognized, nil: true
    case .nonRenewing, .nonConsumable, .consumable: false
    }
  }
}

extension SignedTerms {
  /// Creates the terms of a transaction: values that receipts lack, such as the price.
  ///
  /// Price and storefront of a payload without a signature are a charge instead: see
  /// ``SignedResponse/claim(_:_:in:)``.
  fileprivate init(
    _ transaction: SignedTransaction, isSigned: Bool, _ symbols: inout SymbolTable
  ) {
    self.init()
    isDecoded = !isSigned
    isBoughtAgain =
      transaction.reason == .purchase
      && transaction.transactionID != transaction.originalTransactionID
    billingPlan = transaction.billingPlan.flatMap { BillingPlan(apple: $0) }
    commitmentEndsAt = transaction.commitmentEndsAt
    taxShare = transaction.taxShare
    itemRefunds = ItemRefundsText.text(transaction.itemRefunds).map { symbols.intern($0) }
    bundle = transaction.bundle.map { symbols.intern($0) }
    price = isSigned ? transaction.price : nil
    storefront = isSigned ? transaction.storefront : nil
    switch transaction.productKind {
    case .autoRenewable: productKind = .autoRenewableSubscription
    case .nonRenewing: productKind = .nonRenewingSubscription
    case .nonConsumable: productKind = .nonConsumable
    case .consumable: productKind = .consumable
    case .unrecognized, nil: break
    }
    switch transaction.offer?.discount {
    case .freeTrial: paymentMode = .freeTrial
    case .payAsYouGo: paymentMode = .payAsYouGo
    case .payUpFront: paymentMode = .payUpFront
    case .oneTime, .unrecognized, nil: break
    }
    isOffer = transaction.offer != nil
    guard let revocation = transaction.revocation, revocation.movesMoney else { return }
    let whole: Int64? = revocation.kind == .refundFull ? 100_000 : nil
    if let share = revocation.thousandthsOfPercent ?? whole {
      refund = SignedRefund(at: revocation.revokedAt, share: Int32(share))
    }
  }
}
