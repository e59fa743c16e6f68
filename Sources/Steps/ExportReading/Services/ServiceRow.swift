internal import Amounts
internal import CivilTime
internal import Diagnostics
internal import PurchaseModel

/// A row of a service's export, as an observation and the renewal states that it shows.
struct ServiceRow {
  /// A renewal state and the time at which the service knew it.
  struct State {
    var at: Instant
    var renewal: RenewalObservation
  }

  /// The time of the row's state: `updated_at`, else the newest time in the row.
  var snapshotAt: Instant
  var isSandbox: Bool
  var observation: TransactionObservation
  var states: [State] = []
}

extension RecordReader {
  /// Reads the values of a row.
  mutating func serviceRow(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor, _ export: ServiceExport,
    _ event: ServiceEvent?
  ) throws(FieldFault) -> ServiceRow {
    guard let transaction = try serviceID(.transaction, bank, cursor) else {
      throw FieldFault(
        reason: .rowWithoutTransactionID, key: ServiceField.transaction.rawValue)
    }
    guard let product = try serviceProduct(bank, cursor, export) else {
      throw FieldFault(reason: .rowWithoutProductID, key: ServiceField.product.rawValue)
    }
    let eventAt = try serviceTime(.eventAt, bank, cursor)
    let statedAt = try serviceTime(.purchasedAt, bank, cursor)
    guard let purchasedAt = statedAt ?? eventAt else {
      throw FieldFault(
        reason: .rowWithoutPurchaseDate,
        key: export.hasPath(to: .purchasedAt)
          ? ServiceField.purchasedAt.rawValue : ServiceField.eventAt.rawValue)
    }
    let number = try serviceCount(.renewalNumber, bank, cursor)
    let stated = try serviceID(.original, bank, cursor)
    // A renewal without its chain would be taken for a new subscription.
    guard stated != nil || number ?? 1 <= 1 else {
      throw FieldFault(reason: .rowWithoutTransactionID, key: ServiceField.original.rawValue)
    }
    let original = stated ?? transaction
    var row = TransactionObservation(
      record: 0, rank: .inApp, transactionID: TransactionID(transaction),
      originalTransactionID: OriginalTransactionID(original), productID: ProductID(product),
      purchasedAt: purchasedAt)
    try readKind(of: &row, bank, cursor, export, event)
    var refundedAt = try serviceTime(.refundedAt, bank, cursor)
    if event == .refund, refundedAt == nil { refundedAt = eventAt }
    row.cancelledAt = refundedAt
    let isRenewal = number ?? 1 > 1 || transaction != original
    row.expiresAt = try expiry(
      bank, cursor, purchasedAt, refundedAt,
      mustEnd: isRenewal && (event == nil || event == .purchase || export.describesWholeRows))
    if row.hasImpossiblePeriod {
      throw FieldFault(reason: .impossiblePeriod, key: ServiceField.expiresAt.rawValue)
    }
    var terms = ServiceTerms(service: export.service)
    terms.marksOffers = export.marksOffers && !lacksOffers(export)
    terms.isDated = statedAt != nil || event == .purchase
    terms.isFirst = number.map { $0 <= 1 } ?? (transaction == original)
    if event != .refund || export.describesWholeRows {
      try readAmounts(into: &terms, bank, cursor, isRefunded: refundedAt != nil)
    }
    if !export.marksOffers, event == .purchase, row.isTrialPeriod != true,
      terms.charged?.amount == .zero
    {
      // Where family members are not marked, nobody paid for their purchases.
      row.ownership = .familyShared
    }
    row.service = terms
    row.signed = partialRefund(terms, at: refundedAt)
    let updatedAt = try serviceTime(.updatedAt, bank, cursor)
    let renewalOffAt = try serviceTime(.renewalOffAt, bank, cursor)
    let billingIssueAt = try serviceTime(.billingIssueAt, bank, cursor)
    let newest =
      [purchasedAt, eventAt, refundedAt, renewalOffAt, billingIssueAt]
      .compactMap(\.self).max() ?? purchasedAt
    var found = ServiceRow(
      snapshotAt: updatedAt ?? newest, isSandbox: try isServiceSandbox(bank, cursor),
      observation: row)
    guard row.expiresAt != nil || row.isOfSubscription else { return found }
    found.states = states(
      of: row, snapshotAt: found.snapshotAt, eventAt: eventAt, event: event, export: export,
      renewalOffAt: renewalOffAt, billingIssueAt: billingIssueAt,
      graceUntil: try serviceTime(.graceUntil, bank, cursor))
    return found
  }

  /// Reads the flags that tell a trial, an introductory period, an offer and a family member's row.
  private mutating func readKind(
    of row: inout TransactionObservation, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor,
    _ export: ServiceExport, _ event: ServiceEvent?
  ) throws(FieldFault) {
    row.isTrialPeriod = try serviceFlag(.isTrial, bank, cursor)
    row.isInIntroOfferPeriod = try serviceFlag(.isIntroductory, bank, cursor)
    if let scalar = bank[.periodKind] {
      row.isTrialPeriod = cursor.isText(scalar, "TRIAL")
      row.isInIntroOfferPeriod = cursor.isText(scalar, "INTRO")
    }
    if !export.hasPath(to: .isTrial), !export.hasPath(to: .periodKind), event == .purchase,
      let scalar = bank[.event]
    {
      row.isTrialPeriod = cursor.isText(scalar, "trial_started")
    }
    row.isUpgraded = try serviceFlag(.isUpgraded, bank, cursor)
    if try serviceFlag(.isFamily, bank, cursor) ?? false { row.ownership = .familyShared }
    if let scalar = bank[.ownership], scalar.length > 0 {
      if cursor.isText(scalar, "PURCHASED") {
        row.ownership = .purchased
      } else if cursor.isText(scalar, "FAMILY_SHARED") {
        row.ownership = .familyShared
      } else if let text = try fields.symbol(.ownership, of: bank, in: cursor) {
        row.ownership = .unrecognized(text)
      }
    }
    if let quantity = try serviceCount(.quantity, bank, cursor) {
      guard (1...1_000_000).contains(quantity) else {
        throw FieldFault(reason: .rowInvalidQuantity, key: ServiceField.quantity.rawValue)
      }
      row.quantity = Int32(quantity)
    }
    try readOffer(of: &row, bank, cursor)
  }

  /// Whether the table has no column that tells promotional offers and offer codes, or none that
  /// tells introductory periods.
  ///
  /// RevenueCat's export has one of offers since version 5.
  private func lacksOffers(_ export: ServiceExport) -> Bool {
    guard let cells else { return false }
    return [[ServiceField.offer], [.isIntroductory, .periodKind]].contains { fields in
      let known = fields.filter(export.hasPath)
      return !known.isEmpty && !known.contains { cells.hasColumn(of: Int($0.rawValue)) }
    }
  }

  private mutating func readOffer(
    of row: inout TransactionObservation, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) {
    if let code = try fields.symbol(.offerCode, of: bank, in: cursor) {
      row.offerCodeRefName = OfferID(code)
    }
    guard let offer = try fields.symbol(.offer, of: bank, in: cursor) else { return }
    let kind = try bank[.offerKind].map { scalar throws(FieldFault) in
      try fields.withText(scalar, in: cursor) { text in
        (
          isName(text, "offercode"), isName(text, "intro", isWhole: false),
          isName(text, "freetrial", isWhole: false) || isName(text, "trial", isWhole: false)
        )
      }
    }
    guard let kind else { return }
    if kind.0 {
      row.offerCodeRefName = OfferID(offer)
    } else if !kind.1, !kind.2 {
      row.promotionalOfferID = OfferID(offer)
    }
  }

  /// The end of the paid time; `nil` for a one-time purchase.
  ///
  /// RevenueCat moves the end of a refunded purchase to its refund. The end is then that of the
  /// product's period, as it is where the export lacks the ends of subscriptions.
  ///
  /// - Parameter mustEnd: Whether the row is a renewal, so that it cannot be read without its end.
  private mutating func expiry(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor, _ purchasedAt: Instant,
    _ refundedAt: Instant?, mustEnd: Bool
  ) throws(FieldFault) -> Instant? {
    let isRenewable = try serviceFlag(.isRenewable, bank, cursor)
    if isRenewable == false { return nil }
    if let scalar = bank[.kind], scalar.length > 0,
      try !fields.withText(scalar, in: cursor, { isName($0, "autorenew", isWhole: false) })
    {
      return nil
    }
    let period = try bank[.period].flatMap { scalar throws(FieldFault) in
      try fields.withText(scalar, in: cursor) { Period(text: $0) }
    }
    let usual = period.map { purchasedAt.advanced(by: .hours($0.nominalHours)) }
    guard let end = try serviceTime(.expiresAt, bank, cursor) else {
      guard isRenewable == true || mustEnd else { return nil }
      guard let usual else {
        throw FieldFault(reason: .rowInvalidDate, key: ServiceField.expiresAt.rawValue)
      }
      return usual
    }
    guard let refundedAt, end.wholeSecond == refundedAt.wholeSecond, let usual else { return end }
    return max(end, usual)
  }

  private mutating func readAmounts(
    into terms: inout ServiceTerms, _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor,
    isRefunded: Bool
  ) throws(FieldFault) {
    var price: Milliunits?
    // A service that books the refund in the price of the row states 0 or less, not what was paid.
    if !isRefunded || bank[.price].map({ cursor.byte(at: Int($0.start)) }) != UInt8(ascii: "-") {
      price = try serviceAmount(.price, bank, cursor)
      if isRefunded, price == .zero { price = nil }
    }
    // The product's price was not charged where the event has no revenue.
    if let revenue = try revenue(bank, cursor), revenue == .zero || price == nil { price = revenue }
    let booked = try serviceAmount(.booked, bank, cursor)
    // Without the gross amount, the net amount of a refunded purchase says nothing about it.
    guard let gross = price ?? (isRefunded ? nil : booked) else { return }
    guard let scalar = bank[.currency], scalar.length > 0 else { return }
    guard let currency = try fields.withText(scalar, in: cursor, { Currency($0) }) else {
      throw FieldFault(reason: .priceInvalidCurrency, key: ServiceField.currency.rawValue)
    }
    terms.charged = SignedPrice(amount: gross, currency: currency)
    terms.booked = booked ?? gross
  }

  /// The revenue of an event beside the product's price; `nil` if it is absent or a refund.
  private mutating func revenue(
    _ bank: FieldBank<ServiceField>, _ cursor: JSONCursor
  ) throws(FieldFault) -> Milliunits? {
    guard let scalar = bank[.revenue], cursor.byte(at: Int(scalar.start)) != UInt8(ascii: "-")
    else { return nil }
    return try serviceAmount(.revenue, bank, cursor)
  }

  /// The refunded part of a purchase that was refunded in part; `nil` for any other purchase.
  private func partialRefund(_ terms: ServiceTerms, at refundedAt: Instant?) -> SignedTerms? {
    guard let refundedAt, let charged = terms.charged?.amount, let booked = terms.booked,
      booked > .zero, booked < charged
    else { return nil }
    let kept = booked.rawValue
    let refunded = charged.rawValue - kept
    var signed = SignedTerms()
    signed.isDecoded = true
    signed.refund = SignedRefund(
      at: refundedAt, share: Int32((refunded * 100_000 + charged.rawValue / 2) / charged.rawValue))
    return signed
  }

  /// The renewal states of the row's chain.
  ///
  /// A row of a whole transaction shows the state until the next transaction begins. So a state is
  /// dated within the paid time, and the order of the rows of a file does not matter.
  private func states(
    of row: TransactionObservation, snapshotAt: Instant, eventAt: Instant?, event: ServiceEvent?,
    export: ServiceExport, renewalOffAt: Instant?, billingIssueAt: Instant?, graceUntil: Instant?
  ) -> [ServiceRow.State] {
    var renewal = RenewalObservation(record: 0, originalTransactionID: row.originalTransactionID)
    renewal.productID = row.productID
    renewal.isOfService = true
    var states: [ServiceRow.State] = []
    func add(at time: Instant, _ change: (inout RenewalObservation) -> Void) {
      var state = renewal
      change(&state)
      states.append(ServiceRow.State(at: time, renewal: state))
    }
    let last = max(row.purchasedAt, row.endsAt.advanced(by: .seconds(-1)))
    if export.hasPath(to: .renewalOffAt) {
      add(at: min(max(snapshotAt, row.purchasedAt), last)) {
        $0.autoRenewStatus = renewalOffAt == nil
        $0.isInBillingRetry = billingIssueAt == nil ? nil : false
      }
    }
    if let billingIssueAt {
      add(at: max(billingIssueAt, last)) {
        $0.autoRenewStatus = renewalOffAt == nil
        $0.isInBillingRetry = true
        $0.gracePeriodExpiresAt = graceUntil
      }
    }
    guard let eventAt else { return states }
    switch event {
    case .renewalOff: add(at: eventAt) { $0.autoRenewStatus = false }
    case .renewalOn, .purchase:
      add(at: eventAt) {
        $0.autoRenewStatus = true
        $0.isInBillingRetry = false
      }
    case .billingIssue:
      add(at: eventAt) {
        $0.autoRenewStatus = true
        $0.isInBillingRetry = true
        $0.gracePeriodExpiresAt = graceUntil
      }
    case .refund, nil: break
    }
    return states
  }
}

extension TransactionObservation {
  fileprivate var endsAt: Instant { max(expiresAt ?? purchasedAt, purchasedAt) }
}

extension ServiceExport {
  /// Whether the format has a path to a field.
  func hasPath(to field: ServiceField) -> Bool { keys.contains { $0.field == field } }
}
