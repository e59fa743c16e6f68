internal import Diagnostics
internal import CivilTime
internal import ExportReading
internal import PurchaseModel

/// The content of a signed payload: one of Apple's three kinds.
public enum SignedContent: Hashable, Sendable {
  /// A purchase or a renewal, charged or free.
  case transaction(SignedTransaction)
  /// The renewal state of a chain.
  case renewal(SignedRenewal)
  /// A notification of an event.
  case notification(SignedNotification)
}

extension SignedContent {
  /// Reads a payload; its fields determine its kind.
  ///
  /// `transactionId` means a transaction. Without it, `notificationType` means a notification, and
  /// `autoRenewProductId` or `autoRenewStatus` a renewal.
  ///
  /// A payload with `transactionId` is refused if it has no value that only Apple's transactions
  /// have. It may be an app's price report, which uses some of the same names.
  init(_ payload: PaddedText) throws(TokenFault) {
    self = try payload.read { (cursor) throws(TokenFault) in
      cursor.skipBlanks()
      var fields = PayloadFields()
      try fields.read(&cursor, level: 1)
      guard cursor.isAtEndOfText() else { throw TokenFault(.tokenPayloadUnreadable) }
      // A row of a database may name the notification that brought its transaction.
      if fields.has(.notificationType), !fields.has(.transactionID) {
        return .notification(try SignedNotification(fields, &cursor, payload))
      }
      if fields.has(.transactionID) {
        guard fields.hasMarkOfTransaction else { throw TokenFault(.tokenPayloadUnknown) }
        return .transaction(try SignedTransaction(fields, cursor))
      }
      if fields.has(.autoRenewProductID) || fields.has(.autoRenewStatus) {
        return .renewal(try SignedRenewal(fields, cursor))
      }
      throw TokenFault(.tokenPayloadUnknown)
    }
  }

  /// Returns true if a payload has only zeros, empty texts, nulls and `false`.
  static func isZero(_ payload: PaddedText) -> Bool {
    let isZero = try? payload.read { (cursor) throws(TokenFault) in
      cursor.skipBlanks()
      var fields = PayloadFields()
      try fields.read(&cursor, level: 1)
      return fields.isZero(cursor)
    }
    return isZero ?? false
  }

  /// The time of Apple's signature; `nil` if it is missing.
  var signedAt: Instant? {
    switch self {
    case .transaction(let transaction): transaction.signedAt
    case .renewal(let renewal): renewal.signedAt
    case .notification(let notification): notification.signedAt
    }
  }

  /// The environment in the payload; `nil` if the payload has none.
  var environment: StoreEnvironment? {
    switch self {
    case .transaction(let transaction): transaction.environment
    case .renewal(let renewal): renewal.environment
    case .notification(let notification): notification.environment
    }
  }

  /// Returns the content; if the content has no environment, the given environment is set.
  func within(_ environment: StoreEnvironment?) -> SignedContent {
    guard self.environment == nil, let environment else { return self }
    switch self {
    case .transaction(var transaction):
      transaction.environment = environment
      return .transaction(transaction)
    case .renewal(var renewal):
      renewal.environment = environment
      return .renewal(renewal)
    case .notification(var notification):
      notification.environment = environment
      return .notification(notification)
    }
  }

  /// The bundle id of the app; `nil` for a renewal state, which has no app.
  var bundleID: String? {
    switch self {
    case .transaction(let transaction): transaction.bundleID
    case .renewal: nil
    case .notification(let notification): notification.bundleID
    }
  }
}

extension PayloadFields {
  /// Whether the fields have a value that Apple's transactions have, but price reports lack.
  ///
  /// If the date of purchase has its name in snake case, the payload may also be a receipt's row.
  /// Then the value must be one that receipts lack, too.
  fileprivate var hasMarkOfTransaction: Bool {
    if hasSnakeCaseDate {
      return has(.signedDate) || has(.transactionReason) || has(.offerDiscountType)
    }
    let marks: [PayloadKey] = [
      .originalTransactionID, .signedDate, .ownership, .expiresDate, .originalPurchaseDate,
      .lineItemID, .groupID, .transactionReason, .environment,
    ]
    return marks.contains(where: has)
  }
}

extension SignedTransaction {
  fileprivate init(_ fields: PayloadFields, _ cursor: JSONCursor) throws(TokenFault) {
    let id = try fields.requiredText(.transactionID, cursor)
    guard let purchasedAt = try fields.time(.purchaseDate, cursor) else {
      throw fields.missing(.purchaseDate)
    }
    self.init(
      transactionID: id,
      originalTransactionID: try fields.text(.originalTransactionID, cursor) ?? id,
      productID: try fields.requiredText(.productID, cursor), purchasedAt: purchasedAt)
    lineItemID = try fields.text(.lineItemID, cursor)
    bundleID = try fields.text(.bundleID, cursor)
    subscriptionGroupID = try fields.text(.groupID, cursor)
    originalPurchasedAt = try fields.time(.originalPurchaseDate, cursor)
    expiresAt = try fields.time(.expiresDate, cursor)
    signedAt = try fields.time(.signedDate, cursor)
    if let number = try fields.number(.quantity, cursor) {
      guard (1...1_000_000).contains(number) else { throw fields.invalid(.quantity) }
      quantity = Int32(number)
    }
    productKind = try fields.word(.type, cursor)
    ownership = try fields.word(.ownership, cursor)
    isUpgraded = try fields.flag(.isUpgraded, cursor) ?? false
    offer = try fields.offer(cursor)
    revocation = try SignedRevocation(fields, cursor)
    price = try fields.price(.price, cursor)
    environment = try fields.word(.environment, cursor)
    storefront = try fields.text(.storefront, cursor).flatMap { Storefront($0) }
    reason = try fields.word(.transactionReason, cursor)
    accountToken = try fields.text(.accountToken, cursor)
    appTransactionID = try fields.text(.appTransactionID, cursor)
    previousOriginalTransactionID = try fields.text(.previousOriginalTransactionID, cursor)
    billingPlan = try fields.text(.billingPlan, cursor)
    commitmentEndsAt = try fields.member(.commitment, cursor)?.time(.commitmentExpiresDate, cursor)
    itemRefunds = try fields.itemRefunds(cursor)
    taxShare = try fields.taxShare(of: price, cursor)
    bundle = try fields.bundle(cursor)
  }
}

extension SignedRevocation {
  fileprivate init?(_ fields: PayloadFields, _ cursor: JSONCursor) throws(TokenFault) {
    guard let revokedAt = try fields.time(.revocationDate, cursor) else { return nil }
    let share = try fields.number(.revocationPercentage, cursor)
    guard (1...100_000).contains(share ?? 1) else { throw fields.invalid(.revocationPercentage) }
    self.init(
      revokedAt: revokedAt, reason: try fields.integer(.revocationReason, cursor),
      kind: try fields.word(.revocationType, cursor), thousandthsOfPercent: share)
  }
}

extension SignedRenewal {
  fileprivate init(_ fields: PayloadFields, _ cursor: JSONCursor) throws(TokenFault) {
    self.init(originalTransactionID: try fields.requiredText(.originalTransactionID, cursor))
    productID = try fields.text(.productID, cursor)
    autoRenewProductID = try fields.text(.autoRenewProductID, cursor)
    autoRenewStatus = try fields.flag(.autoRenewStatus, cursor)
    expirationIntent = try fields.number(.expirationIntent, cursor)
    isInBillingRetry = try fields.flag(.isInBillingRetry, cursor)
    gracePeriodExpiresAt = try fields.time(.gracePeriodExpiresDate, cursor)
    priceIncreaseStatus = try fields.integer(.priceIncreaseStatus, cursor)
    commitment = try NextCommitment(fields, cursor)
    recentStartAt = try fields.time(.recentStartDate, cursor)
    environment = try fields.word(.environment, cursor)
    signedAt = try fields.time(.signedDate, cursor)
    accountToken = try fields.text(.accountToken, cursor)
  }
}

extension NextCommitment {
  /// Reads what a renewal state says about the next year; `nil` if it says nothing.
  ///
  /// Programs written in Go store an object of zeros, with a date of 0, for a missing one.
  fileprivate init?(_ fields: PayloadFields, _ cursor: JSONCursor) throws(TokenFault) {
    self.init()
    billingPlan = try fields.text(.renewalBillingPlan, cursor).flatMap { BillingPlan(apple: $0) }
    let info = try fields.member(.commitment, cursor)
    if let info, !info.isZero(cursor) || !info.has(.commitmentRenewalDate) {
      autoRenewStatus = try info.flag(.commitmentAutoRenewStatus, cursor)
      renewsAt = try info.time(.commitmentRenewalDate, cursor)
      price = try info.price(.commitmentRenewalPrice, in: fields, cursor)
    }
    guard self != NextCommitment() else { return nil }
  }
}

extension SignedNotification {
  /// The keys of objects with a notification's details; a notification has at most one of these
  /// keys.
  private static let subjects: [PayloadKey] = [.data, .summary, .externalPurchaseToken, .appData]

  fileprivate init(
    _ fields: PayloadFields, _ cursor: inout JSONCursor, _ payload: PaddedText
  ) throws(TokenFault) {
    self.init(type: try fields.requiredText(.notificationType, cursor))
    subtype = try fields.text(.subtype, cursor)
    uuid = try fields.text(.notificationUUID, cursor)
    signedAt = try fields.time(.signedDate, cursor)
    guard let start = Self.subjects.lazy.compactMap(fields.container).first else { return }
    cursor.position = start
    var subject = PayloadFields()
    try subject.read(&cursor, level: 2)
    bundleID = try subject.text(.bundleID, cursor)
    environment = try subject.word(.environment, cursor)
    status = try subject.integer(.status, cursor)
    for key in [PayloadKey.signedTransaction, .signedRenewal] {
      let place = TokenPath(key: PayloadKey.table.name(of: key))
      if let token = try subject.bytes(key, cursor) {
        tokens.append(FoundToken(place: place, text: .token(token)))
      } else if let start = subject.container(key) {
        cursor.position = start
        // The object has been skipped before, so it is complete.
        guard (try? cursor.skipValue(level: 2)) != nil else { throw subject.invalid(key) }
        tokens.append(
          FoundToken(place: place, text: .decoded(payload.bytes(start..<cursor.position))))
      }
    }
  }
}
