public import Amounts
public import CivilTime
public import PurchaseModel

/// The store that a ``StoreBuilder`` built, with functions that find its parts by text.
public struct BuiltStore: Sendable {
  /// The input of the rules.
  public var observations: Observations
  /// The catalogue; it shares the symbols of the observations.
  public var catalogue: Catalogue

  /// The symbol of a text of the scenario.
  public func symbol(_ text: String) -> Symbol {
    required(observations.symbols.symbol(text), text)
  }

  /// A product of the scenario.
  public func product(_ text: String) -> ProductID { ProductID(symbol(text)) }
  /// An offer of the scenario.
  public func offer(_ text: String) -> OfferID { OfferID(symbol(text)) }
  /// A customer of the scenario.
  public func customer(_ text: String) -> CustomerID { CustomerID(symbol(text)) }
  /// An app of the scenario.
  public func bundle(_ text: String) -> BundleID { BundleID(symbol(text)) }
  /// A subscription group of the scenario.
  public func group(_ text: String) -> SubscriptionGroupID { SubscriptionGroupID(symbol(text)) }

  /// A transaction of the scenario.
  public func transaction(_ text: String) -> TransactionID {
    TransactionID(required(AppleNumber(known: text, in: observations.symbols), text))
  }

  /// A chain of the scenario.
  public func chain(_ text: String) -> OriginalTransactionID {
    OriginalTransactionID(required(AppleNumber(known: text, in: observations.symbols), text))
  }

  /// The text of an id.
  public func text(_ id: TransactionID) -> String { id.number.text(in: observations.symbols) }
  /// The text of an id.
  public func text(_ id: OriginalTransactionID) -> String {
    id.number.text(in: observations.symbols)
  }
}

/// The moment of an ISO 8601 text; any other text stops the test.
public func instant(_ text: String) -> Instant { required(Instant(text: text), text) }

/// The day of an ISO 8601 text; any other text stops the test.
public func day(_ text: String) -> CivilDay { required(CivilDay(text: text), text) }

/// The period of an ISO 8601 text; any other text stops the test.
public func period(_ text: String) -> Period { required(Period(text: text), text) }

/// The amount of decimal digits; any other text stops the test.
public func milliunits(_ text: String) -> Milliunits {
  let bytes = Array(text.utf8)
  return required(try? Milliunits(decimal: bytes.span, allowingFloatNoise: false), text)
}

/// The currency with a code; an unknown code stops the test.
public func currency(_ text: String) -> Currency { required(Currency(text), text) }

/// The storefront with a code; an unknown code stops the test.
public func storefront(_ text: String) -> Storefront { required(Storefront(text), text) }

/// Returns the value, or stops the test if it is `nil`.
private func required<Value>(_ value: Value?, _ text: String) -> Value {
  guard let value else { preconditionFailure("the test names no known or readable value: \(text)") }
  return value
}

/// Converts drafts to the arrays of a set whose symbols are known.
struct SetBuilder {
  var set = Observations()

  init(symbols: SymbolTable) {
    set.symbols = symbols
    set.customers = Customers(symbols)
  }

  mutating func add(_ draft: RecordDraft) {
    addFile(draft.file)
    let record = Int32(set.records.count)
    var receipt = ReceiptRecord(
      source: SourceLine(file: draft.file, line: draft.line), ordinal: record,
      snapshotAt: instant(draft.snapshot), customer: symbol(draft.customer).map(CustomerID.init),
      storefront: draft.storefront.map(storefront),
      bundle: symbol(draft.bundle).map(BundleID.init), isSandbox: draft.sandbox)
    receipt.isProductionAssumed = !draft.namesEnvironment
    set.records.append(receipt)
    for (row, rank) in draft.rows {
      set.observations.append(observation(row, rank: rank, record: record))
    }
    for renewal in draft.renewals { set.renewals.append(observation(renewal, record: record)) }
  }

  mutating func add(_ draft: ReportDraft) {
    addFile(draft.file)
    let first = set.offers.count
    set.offers += draft.offers.map(price)
    set.reports.append(
      PriceReport(
        evidenceID: Int64(set.reports.count + 1),
        source: SourceLine(file: draft.file, line: draft.line),
        customer: symbol(draft.customer).map(CustomerID.init),
        transactionID: draft.id.map { TransactionID(number($0)) },
        productID: ProductID(known(draft.product)),
        bundle: symbol(draft.bundle).map(BundleID.init),
        storefront: draft.storefront.map(storefront), currency: currency(draft.currency),
        reportedAt: instant(draft.time),
        price: milliunits(draft.price), meaning: draft.meaning,
        sender: draft.sender, isTrusted: draft.isTrusted,
        appliedDiscount: symbol(draft.applied).map(OfferID.init),
        offers: first..<set.offers.count))
  }

  func product(_ draft: ProductDraft, isShared: Bool) -> Catalogue.Product {
    let bundle = symbol(draft.bundle).map(BundleID.init)
    return Catalogue.Product(
      productID: ProductID(known(draft.id), of: isShared ? bundle : nil), bundle: bundle,
      kind: draft.kind,
      subscriptionGroupID: symbol(draft.group).map(SubscriptionGroupID.init),
      subscriptionPeriod: draft.period.map(period),
      priceChanges: draft.lists.flatMap { list in
        list.changes.map { change in
          Catalogue.PriceChange(
            currency: currency(change.0), from: day(change.1), existingSubscribers: change.2,
            storefront: list.storefront.map(storefront))
        }
      }.sorted { ($0.currency, $0.from) < ($1.currency, $1.from) },
      prices: draft.lists.flatMap { list in
        list.prices.map { listed in
          Catalogue.ListPrice(
            currency: currency(listed.0), price: milliunits(listed.1), from: day(listed.2),
            storefront: list.storefront.map(storefront), isFetched: list.isFetched)
        }
      }.sorted { ($0.currency, $0.from) < ($1.currency, $1.from) },
      offers: draft.offers.filter { $0.id != nil }.map { offer in
        Catalogue.Offer(
          kind: offer.kind, identifier: OfferID(known(offer.id ?? "")),
          storefront: offer.storefront.map(storefront), currency: currency(offer.currency),
          price: milliunits(offer.price),
          paymentMode: offer.mode, numberOfPeriods: offer.count, period: offer.period.map(period),
          days: days(of: offer), isFetched: offer.storefront != nil && offer.isFetched)
      }.sorted { ($0.identifier, $0.currency) < ($1.identifier, $1.currency) },
      introductory: draft.offers.filter { $0.id == nil }.compactMap { offer in
        offer.storefront.map { place in
          Catalogue.Introductory(
            storefront: storefront(place), currency: currency(offer.currency),
            price: milliunits(offer.price), paymentMode: offer.mode,
            numberOfPeriods: offer.count, period: offer.period.map(period),
            days: days(of: offer))
        }
      })
  }

  private mutating func addFile(_ index: Int32) {
    while set.files.count <= Int(index) {
      let number = set.files.count
      set.files.append(
        InputFile(
          id: Int64(number + 1), name: "file\(number).ndjson", sha256: "\(number)",
          kind: .receipts))
    }
  }

  /// The days of a catalogue's offer, both included.
  private func days(of offer: StoreOffer) -> Catalogue.OfferDays {
    Catalogue.OfferDays(
      from: offer.days.from.map(day), to: offer.days.to.map { day($0).advanced(by: 1) })
  }

  private func price(_ offer: StoreOffer) -> OfferPrice {
    OfferPrice(
      offerID: symbol(offer.id).map(OfferID.init), price: milliunits(offer.price),
      paymentMode: offer.mode, numberOfPeriods: offer.count, period: offer.period.map(period))
  }

  private func observation(_ row: StoreRow, rank: ObservationRank, record: Int32)
    -> TransactionObservation
  {
    var observation = TransactionObservation(
      record: record, rank: rank, transactionID: TransactionID(number(row.id)),
      originalTransactionID: OriginalTransactionID(number(row.original ?? row.id)),
      productID: ProductID(known(row.product)), purchasedAt: instant(row.bought))
    observation.lineItemID = row.item.map { LineItemID(number($0)) }
    observation.originalPurchasedAt = row.firstBought.map(instant)
    observation.expiresAt = row.until.map(instant)
    observation.cancelledAt = row.cancelled.map(instant)
    observation.cancellationReason = symbol(row.reason)
    observation.isTrialPeriod = row.trial
    observation.isInIntroOfferPeriod = row.intro
    observation.isUpgraded = row.upgraded
    observation.promotionalOfferID = symbol(row.promo).map(OfferID.init)
    observation.offerCodeRefName = symbol(row.code).map(OfferID.init)
    observation.ownership = row.ownership.map { text in
      switch text {
      case "PURCHASED": .purchased
      case "FAMILY_SHARED": .familyShared
      default: .unrecognized(known(text))
      }
    }
    observation.subscriptionGroupID = symbol(row.group).map(SubscriptionGroupID.init)
    observation.quantity = row.quantity
    observation.signed = row.signed.map { terms($0, of: row) }
    return observation
  }

  private func terms(_ given: StoreTerms, of row: StoreRow) -> SignedTerms {
    var terms = SignedTerms()
    terms.isDecoded = given.isDecoded
    terms.isBoughtAgain = given.isBoughtAgain
    if given.isSubscription { terms.productKind = .autoRenewableSubscription }
    if !given.isDecoded {
      terms.price = given.price.map {
        SignedPrice(amount: milliunits($0.digits), currency: currency($0.currency))
      }
      terms.storefront = given.storefront.map(storefront)
    }
    if let mode = given.mode {
      terms.paymentMode = mode
    } else if row.trial == true {
      terms.paymentMode = .freeTrial
    } else if row.intro == true || row.promo != nil || row.code != nil {
      terms.paymentMode = .payAsYouGo
    }
    terms.isOffer = terms.paymentMode != nil
    terms.taxShare = given.tax.map(BasisPoints.init)
    if let share = given.share, let cancelled = row.cancelled {
      terms.refund = SignedRefund(at: instant(cancelled), share: share)
    }
    return terms
  }

  private func observation(_ renewal: StoreRenewal, record: Int32) -> RenewalObservation {
    var observation = RenewalObservation(
      record: record, originalTransactionID: OriginalTransactionID(number(renewal.original)))
    observation.productID = symbol(renewal.product).map(ProductID.init)
    observation.autoRenewProductID = symbol(renewal.next).map(ProductID.init)
    observation.autoRenewStatus = renewal.renews
    observation.expirationIntent = symbol(renewal.intent)
    observation.isInBillingRetry = renewal.retrying
    observation.gracePeriodExpiresAt = renewal.graceUntil.map(instant)
    observation.priceConsentStatus = symbol(renewal.consent)
    observation.priceIncreaseStatus = symbol(renewal.increase)
    return observation
  }

  private func known(_ text: String) -> Symbol { required(set.symbols.symbol(text), text) }
  private func symbol(_ text: String?) -> Symbol? { text.map(known) }
  private func number(_ text: String) -> AppleNumber {
    required(AppleNumber(known: text, in: set.symbols), text)
  }
}
