/// A form in which Apple or an app's server delivers signed data.
enum SignedForm: CaseIterable, Sendable {
  /// Only the token: `eyJ….eyJ….…`.
  case token
  /// The token in quotation marks, as a database exports a JSON column.
  case quoted
  case pair
  /// The response of Get Transaction History: `signedTransactions` with up to twenty tokens.
  case history
  /// The response of Get All Subscription Statuses.
  case status
  /// A notification as Apple sends it: `signedPayload`.
  case notification
  case notificationHistory
  /// `jwsRepresentation` of StoreKit 2, as the phone sent it.
  case storeKit
  /// A decoded payload without its signature.
  case decoded

  /// The name of the record's member that contains the data.
  ///
  /// `nil` if the record contains the members of the data directly.
  fileprivate var member: StaticString? {
    switch self {
    case .token, .quoted: "signedTransactionInfo"
    case .pair, .storeKit: nil
    case .history, .status, .notificationHistory: "response"
    case .notification: "notification"
    case .decoded: "payload"
    }
  }

  /// The surroundings of the data on a line of the export: nothing, or a record with other keys.
  enum Wrapping: Sendable {
    case alone
    /// A record with `customer_id` and `received_at`.
    case record
    /// A record with `customer_id` and `received_at`, in which the data is an escaped JSON string.
    case text
  }
}

/// Writes records of signed transactions: one customer's purchases, as of one moment.
struct SignedRecordWriter {
  let authority: SampleAuthority
  let account: Account
  let payload: TransactionPayload
  private let at: Int64

  /// Creates a writer for one customer's data as of a moment.
  ///
  /// Purchases before `pricesFrom` have no price.
  init(
    authority: SampleAuthority, _ world: World, _ account: Account, at moment: Int64,
    pricesFrom: Int64
  ) {
    self.authority = authority
    self.account = account
    at = moment
    payload = TransactionPayload(
      world: world, account: account, signedAt: moment, pricesFrom: pricesFrom)
  }

  /// Writes one record, and a line feed.
  ///
  /// `rows` has the positions of the customer's purchases, newest first. A form for a single
  /// transaction contains only the first of these purchases.
  func write(
    _ form: SignedForm, _ wrapping: SignedForm.Wrapping, rows: [Int], to json: inout JSONBytes
  ) throws {
    let value = try value(form, rows: rows)
    if wrapping == .alone {
      json.bytes += value
    } else {
      json.raw("{\"received_at\":")
      json.isoTime(at)
      let id = account.customerID(at: at)
      if !id.isEmpty { json.member(",\"customer_id\":", id) }
      json.raw(",")
      if let member = form.member {
        json.raw("\"")
        json.raw(member)
        json.raw("\":")
        if form == .token || wrapping == .text {
          json.text(of: value)
        } else {
          json.bytes += value
        }
        json.raw("}")
      } else {
        json.bytes += value.dropFirst()
      }
    }
    json.raw("\n")
  }

  private func value(_ form: SignedForm, rows: [Int]) throws -> [UInt8] {
    let row = account.purchases[rows[0]]
    var json = JSONBytes()
    switch form {
    case .token: return try token(row)
    case .quoted: json.text(of: try token(row))
    case .pair: try writePair(row, to: &json)
    case .history: try writeHistory(rows, to: &json)
    case .status: try writeStatus(rows, to: &json)
    case .notification: try writeNotification(row, to: &json)
    case .notificationHistory:
      json.raw("{\"hasMore\":false,\"notificationHistory\":[")
      for (position, row) in rows.reversed().enumerated() {
        if position > 0 { json.raw(",") }
        try writeNotification(account.purchases[row], to: &json)
        json.bytes.removeLast()
        json.raw(",\"sendAttempts\":[{\"attemptDate\":")
        json.number(at)
        json.raw(",\"sendAttemptResult\":\"SUCCESS\"}]}")
      }
      json.raw("]}")
    case .storeKit:
      json.raw("{\"jwsRepresentation\":")
      json.text(of: try token(row))
      json.raw("}")
    case .decoded: return payload.transaction(row)
    }
    return json.bytes
  }

  private func token(_ row: AccountPurchase) throws -> [UInt8] {
    try authority.token(payload.transaction(row))
  }

  private func renewalToken(_ row: AccountPurchase) throws -> [UInt8]? {
    try payload.renewal(of: row.originalID).map(authority.token)
  }

  private func writePair(_ row: AccountPurchase, to json: inout JSONBytes) throws {
    json.raw("{\"signedTransactionInfo\":")
    json.text(of: try token(row))
    if let renewal = try renewalToken(row) {
      json.raw(",\"signedRenewalInfo\":")
      json.text(of: renewal)
    }
    json.raw("}")
  }

  private func writeHistory(_ rows: [Int], to json: inout JSONBytes) throws {
    json.raw("{\"revision\":\"")
    json.number(at)
    json.raw("\",\"hasMore\":false")
    writeApp(to: &json)
    json.raw(",\"signedTransactions\":[")
    for (position, row) in rows.reversed().enumerated() {
      if position > 0 { json.raw(",") }
      json.text(of: try token(account.purchases[row]))
    }
    json.raw("]}")
  }

  /// Writes the newest row of each chain, with its renewal state.
  private func writeStatus(_ rows: [Int], to json: inout JSONBytes) throws {
    var seen: Set<Int64> = []
    json.raw("{\"environment\":")
    json.quoted(account.isSandbox ? "Sandbox" : "Production")
    writeApp(to: &json)
    json.raw(",\"data\":[")
    for row in rows.map({ account.purchases[$0] }) where row.isSubscription {
      guard seen.insert(row.originalID).inserted else { continue }
      if seen.count > 1 { json.raw(",") }
      let group = payload.world.products[row.product].group ?? ""
      json.member("{\"subscriptionGroupIdentifier\":", group)
      json.raw(",\"lastTransactions\":[{\"status\":")
      json.number(row.end(knownAt: at) > at ? 1 : 2)
      json.member(",\"originalTransactionId\":", row.originalID)
      json.raw(",")
      var pair = JSONBytes()
      try writePair(row, to: &pair)
      json.bytes += pair.bytes.dropFirst()
      json.raw("]}")
    }
    json.raw("]}")
  }

  private func writeApp(to json: inout JSONBytes) {
    json.member(",\"bundleId\":", account.bundle)
    json.raw(",\"appAppleId\":1450031877")
  }

  private func writeNotification(_ row: AccountPurchase, to json: inout JSONBytes) throws {
    let type = row.id == row.originalID ? "SUBSCRIBED" : "DID_RENEW"
    let notification = payload.notification(
      type, number: row.id, transaction: try token(row), renewal: try renewalToken(row))
    json.raw("{\"signedPayload\":")
    json.text(of: try authority.token(notification))
    json.raw("}")
  }
}
